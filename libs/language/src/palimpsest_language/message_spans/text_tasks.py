"""Finds texts that the sender wants to have worked on: translated, proofread, continued."""

import re
from collections.abc import Iterator

from palimpsest.model.bilingual_text import display_width
from palimpsest_language.message_spans.span import MASK, MessageSpan, SpanKind
from palimpsest_language.message_spans.span_rules import SpanRule, build_span_sieve, read_span_rules

_RULES = build_span_sieve(read_span_rules("text_tasks"))
_QUOTED = re.compile(
    r"[\"“「『‘](?P<inside>[^\"”」』]{2,})[\"”」』][ \t]*"
    r"(?=\n|\Z|[,.，。;；!?！？—–-]| \S|(?<=[”」])[\u4e00-\u9fff])"
)
_QUOTED_LAST = re.compile(r"[\"“「『](?P<inside>[^\"”」』“「『]{5,})[\"”」』][。.!！？?]?\s*\Z")
_LONGEST_QUOTED = 4_000
_LEAST_WIDTH = 12
"""The least columns of a text before a request; less is only a word of assent."""
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
_IS_ASIDE = re.compile(
    r"\s*(?:btw|by the way|also|p\.?s\.?|thanks|thank you|for context|context|fyi|note"
    r"|对了|顺便|另外|谢谢|多谢|补充|背景)\b|\s*(?:对了|顺便|另外|谢谢|多谢|补充|背景)",
    re.IGNORECASE,
)


def find_texts_to_work_on(text: str) -> Iterator[MessageSpan]:
    """Find texts behind a request, before it, or in its quotation marks."""
    for rule in _RULES.through(text):
        if rule.columns["text"] != "next":
            yield from find_by_request(rule, text)


def announces_text(text: str) -> bool:
    """Tell whether the text to work on will be the sender's next message."""
    return any(
        any(rule.find_at_edges(text, ending=True))
        for rule in _RULES.through(text)
        if rule.columns["text"] == "next"
    )


def find_by_request(rule: SpanRule, text: str) -> Iterator[MessageSpan]:
    """Find the texts that requests of one form are about."""
    where = rule.columns["text"]
    for match in rule.find_at_edges(text, ending=where == "before"):
        if where == "words":
            start, end = match.span(
                next(name for name, words in match.groupdict().items() if words)
            )
        elif where == "before":
            start, end = _text_before(text, match.start())
        else:
            start = match.end()
            end = _end_of_text(text, start)
        if end > start:
            yield MessageSpan(start=start, end=end, kind=SpanKind.MATERIAL)


def _text_before(text: str, end: int) -> tuple[int, int]:
    """Return the quoted text right before the request, otherwise all text before it."""
    if quoted := _QUOTED_LAST.search(text, max(end - _LONGEST_QUOTED, 0), end + 2):
        return quoted.span("inside")
    return 0, end if display_width(text[:end][:_LEAST_WIDTH]) >= _LEAST_WIDTH else 0


def _end_of_text(text: str, start: int) -> int:
    """Return the end of the text: of its quotation, otherwise of the message, before an aside."""
    if quoted := _QUOTED.match(text, start):
        return quoted.end("inside") + 1
    if text.startswith(MASK, start):
        return start
    for paragraph in _PARAGRAPH_END.finditer(text, start):
        if _IS_ASIDE.match(text, paragraph.end()):
            return paragraph.start()
    return len(text)
