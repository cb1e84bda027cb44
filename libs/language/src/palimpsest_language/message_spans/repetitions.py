"""Finds earlier words of others in a message, verbatim, whatever their marks."""

import re
from collections.abc import Iterator, Sequence

from palimpsest.model.bilingual_text import display_width, has_chinese
from palimpsest_language.message_spans.span import MessageSpan, SpanKind

MINIMUM_WIDTH, MINIMUM_LATIN_WIDTH = 12, 18
"""The least columns of a repetition; shorter ones may be chance."""
MOST_PIECES = 120
"""The most pieces of earlier messages that are looked for, latest first."""

_PIECE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]+|\.(?=\s)|\Z)")
_NAME_BEFORE = re.compile(r"(?:^[ \t]*@?\w[\w .-]{0,28}[ \t]*[:：｜|>»][^\w\n]*|[^\w\n]+)$")
_LONGEST_NAME = 40
_MARKS = re.compile(
    r"[^\w\n「『“\"'‘\[【(（《<@#*_~]*[」』”\"'’\]】)）》>*_~|｜—–-]*[^\w\n「『“\"'‘\[【(（《<@#]*"
)
_OPENING = "「『“\"'‘[【(（《<:：>*_~ \t\n"
_CLOSING = "」』”\"'’]】)）》>*_~…. \t\n。，,！!？?"


def find_repetitions(text: str, earlier: Sequence[str]) -> Iterator[MessageSpan]:
    """Find whole messages and sentences of `earlier`, the texts of others in order.

    A message that is exactly one sentence of an earlier one is a choice, and no repetition.
    """
    if display_width(text[: 4 * MINIMUM_WIDTH]) < MINIMUM_WIDTH:
        return
    words = text.strip(_OPENING + _CLOSING)
    for piece in _pieces(earlier):
        if piece == words:
            continue
        start = text.find(piece)
        while start >= 0:
            end = start + len(piece)
            if _stands_alone(text, start, end):
                yield _with_marks(text, start, end)
            start = text.find(piece, end)
    if _is_long_enough(words) and any(words == said.strip(_OPENING + _CLOSING) for said in earlier):
        yield MessageSpan(start=0, end=len(text), kind=SpanKind.QUOTED)


def _pieces(earlier: Sequence[str]) -> list[str]:
    """Yield whole messages first, then their sentences."""
    found: dict[str, None] = {}
    for said in reversed(earlier):
        for piece in (said, *(match.group() for match in _PIECE.finditer(said))):
            if len(found) >= MOST_PIECES:
                return list(found)
            words = piece.strip(_OPENING + _CLOSING)
            if _is_long_enough(words):
                found.setdefault(words)
    return sorted(found, key=len, reverse=True)


def _is_long_enough(words: str) -> bool:
    least = MINIMUM_WIDTH if has_chinese(words) else MINIMUM_LATIN_WIDTH
    return display_width(words) >= least


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Tell whether no word of the same sentence is right beside the stretch."""
    return not text[max(start - 2, 0) : start].strip()[-1:].isalnum() and not (
        text[end : end + 2].strip(" \t")[:1].isalnum()
    )


def _with_marks(text: str, start: int, end: int) -> MessageSpan:
    """Widen a repetition by the marks around it, and by the speaker's name in front of them."""
    first = text.rfind("\n", 0, start) + 1
    first = max(first, start - _LONGEST_NAME)
    if named := _NAME_BEFORE.search(text[first:start]):
        start = first + named.start()
    marks = _MARKS.match(text, end)
    return MessageSpan(start=start, end=marks.end() if marks else end, kind=SpanKind.QUOTED)
