"""Find the places of lines that a person moved, and of new lines between others."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from palimpsest.workspace.file_contents import ShownMemory
from palimpsest.workspace.line_order import assign_places, find_moved
from palimpsest.workspace.match_lines import MatchedLine, MatchedLines, ReadFile


def place_lines(
    files: Sequence[ReadFile], matched: MatchedLines, memories: Mapping[str, ShownMemory]
) -> Mapping[int, int]:
    """Return the new places of lines, by their number among the matched ones."""
    places: dict[int, int] = {}
    for read in files:
        sections: dict[str, list[int]] = {}
        for number, line in enumerate(matched.lines):
            is_here = line.file is read.file and line.line.section is not None
            if is_here and not _vanishes(line, memories):
                section = line.line.section.english if line.line.section else ""
                sections.setdefault(section, []).append(number)
        for section, numbers in sections.items():
            before = [line.id for line in read.written.lines if line.section == section]
            lines = {number: matched.lines[number] for number in numbers}
            places |= _place_section(lines, before, memories)
    return places


def _vanishes(line: MatchedLine, memories: Mapping[str, ShownMemory]) -> bool:
    """Tell whether an untouched line goes because its memory is gone."""
    is_gone = line.id is not None and line.id not in memories
    return is_gone and line.written is not None and line.line.text == line.written.text


def _place_section(
    lines: Mapping[int, MatchedLine], before: Sequence[str], memories: Mapping[str, ShownMemory]
) -> Mapping[int, int]:
    numbers = list(lines)
    ids = {number: line.id or "" for number, line in lines.items() if line.id in memories}
    new = [number for number in numbers if number not in ids]
    is_placed = _rises([memories[memory_id].order for memory_id in ids.values()])
    moved = frozenset() if is_placed else _find_moved(ids.values(), before)
    if not moved and numbers[len(ids) :] == new:
        return {}
    places = {
        str(number): memories[memory_id].order
        for number, memory_id in ids.items()
        if memory_id not in moved
    }
    assigned = assign_places([str(number) for number in numbers], places)
    return {int(number): place for number, place in assigned.items()}


def _find_moved(ids: Collection[str], before: Sequence[str]) -> frozenset[str]:
    """Return the memories whose lines were moved within the section, or into it."""
    return find_moved(before, list(ids)) | (set(ids) - set(before))


def _rises(places: Sequence[int]) -> bool:
    return all(place < following for place, following in pairwise(places))
