"""Finds pasted e-mails by their headers."""

import re
from collections.abc import Iterator, Sequence

from palimpsest_language.message_spans.line_blocks import TextLine, split_lines
from palimpsest_language.message_spans.span import MASK, MessageSpan, SpanKind

_FIELD = re.compile(
    r"[ \t>*]*(?P<field>from|to|cc|bcc|subject|date|sent|reply-to|received|message-id|x-[\w-]+"
    r"|content-type|mime-version|attachments?|return-path|importance|发件人|收件人|抄送|密送|主题|日期"
    r"|发送时间|发送日期|时间|附件|寄件者|寄件人|收件者|主旨|von|an|betreff|gesendet|de|à|objet|envoyé"
    r"|para|asunto)[*]*\s*[:：]",
    re.IGNORECASE,
)
_OF_MAILS = frozenset(
    {"from", "subject", "reply-to", "message-id", "sent", "von", "betreff", "objet", "asunto"}
    | {"发件人", "主题", "发送时间", "寄件者", "寄件人", "主旨"}
)
_SIGNED = re.compile(
    r"[ \t]*(?:(?:kind |best |warm |many )?(?:regards|wishes)|best|cheers"
    r"|thanks(?: again)?|thank you|sincerely(?: yours)?"
    r"|yours(?: truly| sincerely| faithfully)?|love|xoxo|--|ciao|cordialement"
    r"|(?:mit freundlichen|viele|liebe) grüße[n]?|祝好|顺颂商祺|此致|敬礼|谢谢|多谢"
    r"|祝您?\S{0,8}|敬上|.{1,10}(?:敬上|上))"
    r"[ \t]*[,，.。!！]?[ \t]*",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]\s*\Z|^(?:please|pls|can|could|what|how|should|help|draft|write|reply|answer|summari[sz]e"
    r"|帮|请|麻烦|怎么|这封|上面)",
    re.IGNORECASE,
)


def find_mails(text: str) -> Iterator[MessageSpan]:
    """Find headers of two fields or more, each with the body behind it.

    A body ends with the message. It ends earlier if the sender continues behind its signature, or
    in a last paragraph that makes a request.
    """
    if ":" not in text and "：" not in text:
        return
    lines = split_lines(text)
    place = 0
    while place < len(lines):
        first = place
        fields = []
        while place < len(lines) and (field := _field(lines[place])):
            fields.append(field)
            place += 1
        if len(fields) > 1 and not _OF_MAILS.isdisjoint(fields):
            place = _end_of_body(lines, place)
            yield MessageSpan(
                start=lines[first].start, end=lines[place - 1].end, kind=SpanKind.PASTED
            )
        else:
            place = max(place, first + 1)


def _field(line: TextLine) -> str | None:
    match = None if MASK in line.words else _FIELD.match(line.words)
    return match["field"].lower() if match else None


def _end_of_body(lines: Sequence[TextLine], start: int) -> int:
    """Return the line behind the body that begins at `start`."""
    signed = False
    blank = False
    for place in range(start, len(lines)):
        words = lines[place].words
        if _field(lines[place]) and place + 1 < len(lines) and _field(lines[place + 1]):
            return place
        if not words.strip():
            blank = True
            continue
        goes_on = blank and place > start + 1
        if goes_on and (signed or (_is_last_paragraph(lines, place) and _ASKS.search(words))):
            return place
        signed = signed or bool(_SIGNED.fullmatch(words))
        blank = False
    return len(lines)


def _is_last_paragraph(lines: Sequence[TextLine], start: int) -> bool:
    return len(lines) - start < 4 and all(line.words.strip() for line in lines[start:])
