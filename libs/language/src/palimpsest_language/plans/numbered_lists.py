"""Lists of tasks on one line, by their numbers: "1. call the bank 2. buy stamps", 一是…二是…."""

import re
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("plans/numbered_lists")
_ENDS = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_AROUND = " ,，、;；:：.。"
_LONGEST_TASK = 80
_DIGITS = re.compile(r"\d+")


class NumberedTask(NamedTuple):
    said: str
    """The words of the message."""
    statement: str
    """The task as its speaker would state it alone."""


class NumberedList(NamedTuple):
    start: int
    end: int
    tasks: tuple[NumberedTask, ...]


def find_numbered_list(text: str) -> NumberedList | None:
    """Find a list of tasks on one line of a message; None without one."""
    opening = _PHRASES["opens"].search(text)
    if opening is None:
        return None
    chinese = has_chinese(text)
    line = text[opening.end() :].partition("\n")[0]
    numbers = list(_PHRASES["number_zh" if chinese else "number_en"].finditer(line))
    if len(numbers) < 2 or line[: numbers[0].start()].strip(_AROUND) or not _count_up(numbers):
        return None
    bounds = [number.start() for number in numbers[1:]] + [_find_end(line, numbers[-1].end())]
    said = [
        _PHRASES["joins"].sub("", line[number.end() : bound]).strip(_AROUND)
        for number, bound in zip(numbers, bounds, strict=True)
    ]
    if not all(map(_is_task, said)):
        return None
    when = _PHRASES["when"].search(opening[0])
    tasks = tuple(NumberedTask(task, _state(task, when, chinese=chinese)) for task in said)
    return NumberedList(opening.start(), opening.end() + bounds[-1], tasks)


def _count_up(numbers: list[re.Match[str]]) -> bool:
    """Tell whether figures count from one: “room 204” numbers no task."""
    counted = [int(found[0]) for match in numbers if (found := _DIGITS.search(match[0]))]
    return not counted or counted == list(range(1, len(numbers) + 1))


def _find_end(line: str, begin: int) -> int:
    end = _ENDS.search(line, begin)
    return len(line) if end is None else end.start()


def _is_task(said: str) -> bool:
    return len(said) <= _LONGEST_TASK and _PHRASES["begins_task"].search(said) is not None


def _state(task: str, when: re.Match[str] | None, *, chinese: bool) -> str:
    day = "" if when is None else when[0]
    if chinese:
        return f"我{day}得{task}"
    return f"I have to {task} {day}".strip()
