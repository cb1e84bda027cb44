"""Lists of tasks that a message announces: “things to do: …”, 帮我记三件事：….

The tasks stand behind numbers, between commas, or on lines of their own behind dashes or numbers.
"""

import re
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("plans/announced_lists")
_JOINTS = read_phrases("plans/listed_tasks")["joins_tasks"]
_ENDS = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_AROUND = " ,，、;；:：.。"
_LINE = re.compile(r"\n(?:[ \t]*\n)*([^\n]*)")
_LONGEST_TASK = 80
_DIGITS = re.compile(r"\d+")


class AnnouncedTask(NamedTuple):
    said: str
    """The words of the message."""
    statement: str
    """The task as its speaker would state it alone."""


class AnnouncedList(NamedTuple):
    start: int
    end: int
    tasks: tuple[AnnouncedTask, ...]


def find_announced_list(text: str) -> AnnouncedList | None:
    """Find the first list of tasks that a message announces; None without one."""
    opening = _PHRASES["opens"].search(text)
    if opening is None:
        return None
    chinese = has_chinese(text)
    line_end = text.find("\n", opening.end())
    line_end = len(text) if line_end < 0 else line_end
    on_lines = not text[opening.end() : line_end].strip()
    if on_lines:
        spans = _split_by_lines(text, line_end)
    else:
        line = text[:line_end]
        spans = _split_by_numbers(line, opening.end(), chinese=chinese)
        if not spans and opening[0].rstrip().endswith((":", "：")):
            spans = _split_by_joints(line, opening.end())
    said = [_PHRASES["joins"].sub("", text[begin:end]).strip(_AROUND) for begin, end in spans]
    if len(said) < 2 or not all(_is_task(task, begins_with_verb=not on_lines) for task in said):
        return None
    when = _PHRASES["when"].search(opening[0])
    tasks = tuple(AnnouncedTask(task, _state(task, when, chinese=chinese)) for task in said)
    return AnnouncedList(opening.start(), spans[-1][1], tasks)


def _split_by_numbers(line: str, begin: int, *, chinese: bool) -> list[tuple[int, int]]:
    """Return the places of what stands behind each number from `begin` on."""
    signs = _PHRASES["number_zh" if chinese else "number_en"]
    numbers = list(signs.finditer(line[begin:]))
    if len(numbers) < 2 or not _count_up(numbers):
        return []
    if line[begin : begin + numbers[0].start()].strip(_AROUND):
        return []
    begins = [begin + number.end() for number in numbers]
    ends = [begin + number.start() for number in numbers[1:]]
    return list(zip(begins, [*ends, _find_end(line, begins[-1])], strict=True))


def _split_by_joints(line: str, begin: int) -> list[tuple[int, int]]:
    last = _find_end(line, begin)
    joints = list(_JOINTS.finditer(line[begin:last]))
    begins = [begin, *(begin + joint.end() for joint in joints)]
    return list(zip(begins, [*(begin + joint.start() for joint in joints), last], strict=True))


def _split_by_lines(text: str, begin: int) -> list[tuple[int, int]]:
    """Return the places of the lines right below the opening, without their dashes."""
    spans: list[tuple[int, int]] = []
    for line in _LINE.finditer(text, begin):
        bullet = _PHRASES["bullet"].search(line[1])
        if bullet is None:
            break
        spans.append((line.start(1) + bullet.end(), line.end(1)))
    return spans


def _count_up(numbers: list[re.Match[str]]) -> bool:
    """Tell whether figures count from one: “room 204” numbers no task."""
    counted = [int(found[0]) for match in numbers if (found := _DIGITS.search(match[0]))]
    return not counted or counted == list(range(1, len(numbers) + 1))


def _find_end(line: str, begin: int) -> int:
    end = _ENDS.search(line, begin)
    return len(line) if end is None else end.start()


def _is_task(said: str, *, begins_with_verb: bool) -> bool:
    if not 1 < len(said) <= _LONGEST_TASK:
        return False
    return not begins_with_verb or _PHRASES["begins_task"].search(said) is not None


def _state(task: str, when: re.Match[str] | None, *, chinese: bool) -> str:
    day = "" if when is None else when[0]
    if chinese:
        return f"我{day}得{task}"
    return f"I have to {task} {day}".strip()
