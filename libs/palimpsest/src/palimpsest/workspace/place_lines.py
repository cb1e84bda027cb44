"""Find the places of lines that a person moved, and of new lines between others."""

from collections.abc import Mapping, Sequence

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
    ids = {number: line.id for number, line in lines.items() if line.id in memories}
    moved = find_moved(before, [memory_id for memory_id in ids.values() if memory_id])
    stays = [
        number
        for number, memory_id in ids.items()
        if memory_id and memory_id in before and memory_id not in moved
    ]
    known = [number for number, memory_id in ids.items() if memory_id and memory_id in before]
    new = [number for number in numbers if number not in known]
    is_appended = numbers[len(numbers) - len(new) :] == new if new else True
    if not moved and is_appended:
        return {}
    kept_places = {str(number): memories[ids[number] or ""].order for number in stays}
    assigned = assign_places([str(number) for number in numbers], kept_places)
    return {int(number): place for number, place in assigned.items()}
