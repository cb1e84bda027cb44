"""Finds blocks of lines in the shape of data or code: logs, tables, settings, programs."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from palimpsest_language.message_spans.span import MASK, MessageSpan, SpanKind
from palimpsest_language.message_spans.span_rules import read_span_rules
from palimpsest_language.rule_tables import read_words

_SHAPES = read_span_rules("line_shapes")
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_ASIDES = read_words("message_spans/labels")["ASIDE"]
_KEY = r"[\"']?(?:[\w$][\w$.\-/]{0,40}|[\u3400-\u9fff]{1,8})[\"']?"
_SETTING = re.compile(
    rf"(?P<indent>[ \t]*)(?P<item>- )?(?P<key>{_KEY})"
    r"(?:\s?:(?:[ \t]+(?P<value>\S.*))?|\s?=\s?(?P<set>\S.*))$"
)
_ITEM = re.compile(r"[ \t]*- \S")
_IDENTIFIER = re.compile(r"[a-z][\w$.\-/]*")
_ASIDE = re.compile(rf"(?:{_ASIDES})\Z", re.IGNORECASE)
_CELLS = re.compile(r"[,;]")
_HEADING_CELL = re.compile(r"[\w#%()-]{1,30}|\"[^\"]{1,40}\"")
_LONGEST_LINE = 2_000


class TextLine(NamedTuple):
    """A line of a text without its line break, and its position."""

    start: int
    end: int
    """The position behind its line break."""
    words: str


class _Shape(NamedTuple):
    block: str = ""
    weight: str = ""


_NO_SHAPE = _Shape()


def split_lines(text: str) -> list[TextLine]:
    return [
        TextLine(line.start(), line.end(), line.group().rstrip("\r\n"))
        for line in _LINE.finditer(text)
    ]


def find_line_blocks(text: str) -> Iterator[MessageSpan]:
    """Find blocks of lines by their shapes; a single line only if its shape is beyond doubt."""
    lines = split_lines(text)
    alone = sum(bool(line.words.strip()) for line in lines) == 1 and MASK not in text
    shapes = [_shape(line.words, alone=alone) for line in lines]
    for block in ("log", "code"):
        yield from _find_sure_blocks(lines, shapes, block)
    yield from _find_tables(lines, shapes)
    if len(lines) > 1:
        yield from _find_settings(lines)
        yield from _find_separated_values(lines)


def _shape(words: str, *, alone: bool) -> _Shape:
    if not words or MASK in words or words.isspace():
        return _NO_SHAPE
    for rule in _SHAPES:
        if rule.match(words[:_LONGEST_LINE]) and not (
            alone and rule.columns.get("one_line_message") is False
        ):
            return _Shape(rule.columns["block"], rule.columns["weight"])
    return _NO_SHAPE


def _find_sure_blocks(
    lines: Sequence[TextLine], shapes: Sequence[_Shape], block: str
) -> Iterator[MessageSpan]:
    """Find lines that are certain by themselves, with lines on both sides that belong to them."""
    place = 0
    while place < len(lines):
        if shapes[place] != (block, "alone"):
            place += 1
            continue
        first = place
        while first and _goes_along(lines, shapes, first - 1, block):
            first -= 1
        last = place
        while last + 1 < len(lines) and (
            shapes[last + 1] == (block, "alone") or _goes_along(lines, shapes, last + 1, block)
        ):
            last += 1
        while last > place and not lines[last].words.strip():
            last -= 1
        yield _pasted(lines, first, last)
        place = last + 1


def _goes_along(
    lines: Sequence[TextLine], shapes: Sequence[_Shape], place: int, block: str
) -> bool:
    """Tell whether an ambiguous line is part of the block beside it."""
    words = lines[place].words
    if MASK in words:
        return False
    if block == "code" and not words.strip():
        behind = shapes[place + 1 : place + 3]
        return any(shape.block == "code" for shape in behind) or any(
            line.words[:1] in {" ", "\t"} for line in lines[place + 1 : place + 2]
        )
    if words[:2] in {"  ", "\t"} or words[:1] == "\t":
        return bool(words.strip())
    return shapes[place] == (block, "beside")


def _find_tables(lines: Sequence[TextLine], shapes: Sequence[_Shape]) -> Iterator[MessageSpan]:
    for is_table, places in groupby(
        range(len(lines)), key=lambda place: shapes[place].block == "table"
    ):
        found = list(places)
        if is_table and len(found) > 1:
            yield _pasted(lines, found[0], found[-1])


def _find_settings(lines: Sequence[TextLine]) -> Iterator[MessageSpan]:
    """Find blocks of "key: value" that are nested, or whose keys are all names of a program."""
    matches = [_SETTING.match(line.words) for line in lines]
    place = 0
    while place < len(lines):
        first = place
        while place < len(lines) and (matches[place] or _is_below(lines, place, first)):
            place += 1
        if place - first > 1 and _is_data(matches[first:place]):
            yield _pasted(lines, first, place - 1)
        place = max(place, first + 1)


def _is_below(lines: Sequence[TextLine], place: int, first: int) -> bool:
    words = lines[place].words
    if place == first or not words.strip() or MASK in words:
        return False
    return words[:1] in {" ", "\t"} or _ITEM.match(words) is not None


def _is_data(matches: Sequence[re.Match[str] | None]) -> bool:
    found = [match for match in matches if match]
    keys = [match["key"].strip("\"'") for match in found]
    if any(_ASIDE.match(match["key"]) and not match["indent"] for match in found):
        return _is_nested(found) and len(found) > 2
    if _is_nested(found):
        return True
    plain = [match for match in found if (match["value"] or match["set"]) and not match["item"]]
    return len(plain) > 1 and len(plain) == len(matches) and all(map(_IDENTIFIER.fullmatch, keys))


def _is_nested(matches: Sequence[re.Match[str]]) -> bool:
    """Tell whether a key without a value has deeper keys or items under it."""
    return any(
        not (above["value"] or above["set"]) and len(below["indent"]) > len(above["indent"])
        for above, below in pairwise(matches)
    )


def _find_separated_values(lines: Sequence[TextLine]) -> Iterator[MessageSpan]:
    """Find rows with as many cells as a heading of short names, without spaces behind commas."""
    counts = [_count_cells(line.words) for line in lines]
    for count, places in groupby(range(len(lines)), key=lambda place: counts[place]):
        found = list(places)
        if count < 2 or len(found) < 2:
            continue
        cells = re.split(r"[,;]\s?", lines[found[0]].words.strip())
        tight = not any(re.search(r"[,;]\s", lines[place].words) for place in found)
        headed = all(map(_HEADING_CELL.fullmatch, cells)) and lines[found[0]].words[-1:].isalnum()
        if headed and (tight or (count > 2 and all(cell.islower() for cell in cells))):
            yield _pasted(lines, found[0], found[-1])


def _count_cells(words: str) -> int:
    if MASK in words or words[-1:] in "。.!！?？":
        return 0
    return len(_CELLS.findall(words)) + 1 if words.strip() else 0


def _pasted(lines: Sequence[TextLine], first: int, last: int) -> MessageSpan:
    return MessageSpan(start=lines[first].start, end=lines[last].end, kind=SpanKind.PASTED)
