"""Finds talks of several people, copied from a chat platform, with each line's speaker."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from palimpsest_language.message_spans.line_blocks import TextLine, split_lines
from palimpsest_language.message_spans.span import MASK, MessageSpan, SpanKind
from palimpsest_language.message_spans.span_rules import read_span_rules
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.rule_tables import read_words

_ROWS = read_span_rules("chat_lines")
_LABEL = re.compile(rf"(?:{read_words('message_spans/labels')['LABEL']})\Z", re.IGNORECASE)
_ALONE = read_phrases("message_spans/single_messages")
_HINT = re.compile(r"[:：]|[0-9][.：:][0-9]")
_SENDER = frozenset({"me", "i", "myself", "self", "我", "本人", "自己"})
"""Names by which a platform calls the person who copied the talk."""
_TALKS = re.compile(
    r"\b(?:I|I['’]?(?:m|ve|ll|d)|you|we|let['’]?s|lol|haha|ok|yes|hi|hey|thanks)\b|[?？]"
    r"|[你您咱哈吗呢吧啊嗯哦]|我(?![妹姐哥弟妈爸儿女老的朋同爷奶外表堂])",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"\b(?:chat|group|thread|channel|conversation|transcript|dialogue|messages?|log)\b"
    r"|群|聊天|对话|记录|消息",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"[A-Z@][\w.'’-]*(?: [A-Z(][\w.'’)-]*){0,2}|(?=\w*[\u3400-\u9fff])[\u3400-\u9fff·\w]{1,8}"
)
_PROGRAM = re.compile(
    r"(?:trace|debug|info|notice|warn(?:ing)?|err(?:or)?|crit(?:ical)?|fatal|severe|panic|kernel"
    r"|server|client|app|main|system|worker|root|daemon|service|docker|nginx|sshd|cron|stdout"
    r"|stderr|警告|错误|信息|调试)\Z|[a-z]\w*[._/]\S*\Z",
    re.IGNORECASE,
)
"""Programs that write logs."""
_LOGGED = re.compile(r".{0,40}?\b(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|FATAL)\b")
_SAYS = re.compile(r"(?<=.)(?:说|问|答|回复|\s(?:says|said|wrote|asks|asked))\Z")
_MOST_LINES_OF_A_MESSAGE = 30
_ASKS = re.compile(r"[?？]\s*\Z")


class _Entry(NamedTuple):
    """A message of the talk: its line, its speaker, and the start of its text."""

    line: int
    name: str
    begins: int | None
    """None if the text is on the following lines."""
    is_sure: bool
    is_timed: bool


def find_chat_logs(text: str, sender: str | None = None) -> Iterator[MessageSpan]:
    """Find the messages of pasted talks; the sender's own words in them stay unclaimed."""
    if _HINT.search(text) is None:
        return
    lines = split_lines(text)
    entries = [entry for place, line in enumerate(lines) if (entry := _read(line, place))]
    for talk in _split_into_talks(entries):
        if _is_talk(talk, lines, text[: lines[talk[0].line].start]):
            yield from _messages(talk, lines, (sender or "").casefold())


def _read(line: TextLine, place: int) -> _Entry | None:
    if MASK in line.words or _HINT.search(line.words) is None or _LOGGED.match(line.words):
        return None
    for row in _ROWS:
        if match := row.match(line.words[:400]):
            groups = match.groupdict()
            name = (groups.get("name") or groups.get("named") or "").strip(" @~*_\u200e")
            name = _SAYS.sub("", name)
            if not name or _LABEL.match(name) or _PROGRAM.match(name):
                return None
            begins = line.start + match.start("text") if "text" in groups else None
            return _Entry(
                place, name, begins, bool(row.columns["sure"]), bool(row.columns.get("timed"))
            )
    return None


def _split_into_talks(entries: Sequence[_Entry]) -> Iterator[list[_Entry]]:
    """Split entries where more lines lie between two of them than a message has."""
    talk: list[_Entry] = []
    for entry in entries:
        if talk and entry.line - talk[-1].line > _MOST_LINES_OF_A_MESSAGE:
            yield talk
            talk = []
        talk.append(entry)
    if talk:
        yield talk


def _is_talk(talk: Sequence[_Entry], lines: Sequence[TextLine], before: str) -> bool:
    """Tell whether named lines are a talk, by their time stamps or by the way people talk."""
    sure = [entry for entry in talk if entry.is_sure]
    if any(entry.begins is not None for entry in sure):
        return True
    if len(talk) == 1 and sure:
        return _is_message(talk[0], lines, before)
    names = Counter(entry.name.casefold() for entry in talk)
    if len(talk) < 2 or not all(
        _NAME.fullmatch(entry.name) or names[entry.name.casefold()] > 1 for entry in talk
    ):
        return False
    if sure:
        return len(sure) > 1 and all(_has_text(entry, lines) for entry in sure)
    is_announced = bool(_ANNOUNCED.search(before[-200:]))
    talking = sum(bool(_TALKS.search(lines[entry.line].words)) for entry in talk)
    is_close = talk[-1].line - talk[0].line <= 3 * len(talk)
    is_timed = all(entry.is_timed for entry in talk)
    answers = max(names.values()) > 1 or talking > 1 or is_timed
    is_mutual = len(names) > 1 and talking > 0 and answers
    return is_close and (is_mutual or (is_announced and talking > 0))


def _is_message(entry: _Entry, lines: Sequence[TextLine], before: str) -> bool:
    """Tell whether a single heading begins a message: its text is talk, and a person wrote it.

    The words before say so, or a full name, or a mark of the platform.
    """
    if not _NAME.fullmatch(entry.name) or not _has_text(entry, lines):
        return False
    if _TALKS.search(lines[entry.line + 1].words) is None:
        return False
    lead = before[-200:]
    if _ANNOUNCED.search(lead) or _ALONE["was_received"].search(lead):
        return True
    is_set_off = _ALONE["is_set_off"].search(lines[entry.line].words) is not None
    return is_set_off and _ALONE["is_appointment"].search(entry.name) is None


def _has_text(entry: _Entry, lines: Sequence[TextLine]) -> bool:
    return entry.line + 1 < len(lines) and bool(lines[entry.line + 1].words.strip())


def _messages(
    talk: Sequence[_Entry], lines: Sequence[TextLine], sender: str
) -> Iterator[MessageSpan]:
    for place, entry in enumerate(talk):
        heading = lines[entry.line]
        behind = talk[place + 1].line if place + 1 < len(talk) else None
        last = _last_line(entry, lines, behind)
        begins = heading.end if entry.begins is None else entry.begins
        yield MessageSpan(start=heading.start, end=begins, kind=SpanKind.PASTED)
        if entry.name.casefold() not in _SENDER | {sender} and lines[last].end > begins:
            yield MessageSpan(
                start=begins, end=lines[last].end, kind=SpanKind.PASTED, speaker=entry.name
            )


def _last_line(entry: _Entry, lines: Sequence[TextLine], behind: int | None) -> int:
    """Return the last line of a message: up to the next message, or else up to a blank line."""
    if behind is not None:
        return behind - 1
    if entry.begins is not None:
        return entry.line
    last = entry.line
    while last + 1 < len(lines) and lines[last + 1].words.strip():
        last += 1
    if last > entry.line + 1 and _ASKS.search(lines[last].words):
        last -= 1
    return last


def list_speakers(spans: Iterable[MessageSpan]) -> list[str]:
    """Return each person whose statements a message holds."""
    return list(
        dict.fromkeys(
            span.speaker for span in spans if span.kind is SpanKind.PASTED and span.speaker
        )
    )
