"""Brackets of a text: a part that is cut out has both of a pair, or neither."""

import re
from collections.abc import Iterable, Iterator

_OPENING = "(（[【"
_MARK = re.compile(r"[()（）\[\]【】]")


def find_bracket_pairs(text: str) -> Iterator[tuple[int, int]]:
    """Return the start and end of each closed bracket; its closing mark may have another width."""
    opened: list[int] = []
    for mark in _MARK.finditer(text):
        if mark.group() in _OPENING:
            opened.append(mark.start())
        elif opened:
            yield opened.pop(), mark.start()


def drop_places_inside_brackets(text: str, places: Iterable[int]) -> list[int]:
    """Return the places where a cut would separate no pair of brackets."""
    closed = list(find_bracket_pairs(text))
    return [place for place in places if not any(begin < place <= end for begin, end in closed)]


def balance_brackets(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Widen a stretch by the marks that close or open its brackets; None if a pair is separated."""
    for begin, close in find_bracket_pairs(text):
        if begin == start - 1 and start <= close <= end:
            start = begin
        if close == end and start <= begin < end:
            end = close + 1
    cut = any(
        (start <= begin < end) != (start <= close < end)
        for begin, close in find_bracket_pairs(text)
    )
    return None if cut else (start, end)
