"""Finds text said in a role: frames of fiction, from their opening to their end."""

from collections.abc import Iterator
from typing import NamedTuple

from palimpsest_language.message_spans.span import MessageSpan, SpanKind
from palimpsest_language.message_spans.span_rules import group_span_rules

_CUES = group_span_rules("fiction_cues", "does")
_LEADING = ' \t\n,.!?;:。！？，；：*“"(（'

_BEHIND = " \t\n,.!;:。！，；：…~～)）]】*"


class FrameReading(NamedTuple):
    """The fictional stretches of a message, and whether the frame is open behind it."""

    spans: tuple[MessageSpan, ...]
    is_open: bool


class _Cue(NamedTuple):
    start: int
    end: int
    does: str


def read_frame(text: str, *, is_open: bool) -> FrameReading:
    """Read a message of a person; `is_open` tells whether a frame was open before it.

    Words beside the role, in double brackets or marked as out of character, are no fiction.
    """
    cues = list(_find_cues(text, "opens"))
    if is_open or cues:
        cues = sorted([*cues, *_find_cues(text, "ends")])
    found: list[tuple[int, int]] = []
    start = 0
    for cue in cues:
        if cue.does == "opens" and not is_open:
            start, is_open = cue.start, True
        elif cue.does == "ends" and is_open and cue.start >= start:
            found.append((start, _skip_marks(text, cue.end)))
            is_open = False
    if is_open:
        found.append((start, len(text)))
    asides = list(_find_cues(text, "aside")) if found else []
    return FrameReading(tuple(_without(asides, found)), is_open)


def _skip_marks(text: str, position: int) -> int:
    """Return where words begin again behind the marks that end a frame."""
    while position < len(text) and text[position] in _BEHIND:
        position += 1
    return position


def _find_cues(text: str, does: str) -> Iterator[_Cue]:
    for rule in _CUES[does].through(text):
        for match in rule.find_at_edges(text, ending=False):
            words = match.group()
            start = match.start() + len(words) - len(words.lstrip(_LEADING))
            yield _Cue(match.start() if does == "aside" else start, match.end(), does)


def _without(asides: list[_Cue], found: list[tuple[int, int]]) -> Iterator[MessageSpan]:
    for start, end in found:
        position = start
        for aside in sorted(aside for aside in asides if start <= aside.start < end):
            if aside.start > position:
                yield _fiction(position, aside.start)
            position = max(position, aside.end)
        if position < end:
            yield _fiction(position, end)


def _fiction(start: int, end: int) -> MessageSpan:
    return MessageSpan(start=start, end=end, kind=SpanKind.FICTION)
