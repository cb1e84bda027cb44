"""The difference between two texts, word by word, or character by character in Chinese."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

_PARTS = re.compile(r"[A-Za-z0-9_'-]+|\s+|.", re.DOTALL)


class TextPart(NamedTuple):
    """A stretch of text that both have, or that one of them has."""

    change: Literal["same", "added", "removed"]
    text: str


def compare_words(before: str, after: str) -> list[TextPart]:
    """Return the parts of both texts, in their order."""
    return list(_compare(_PARTS.findall(before), _PARTS.findall(after)))


def _compare(before: list[str], after: list[str]) -> Iterator[TextPart]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for operation, begin, end, new_begin, new_end in matcher.get_opcodes():
        if operation == "equal":
            yield TextPart("same", "".join(before[begin:end]))
            continue
        if begin < end:
            yield TextPart("removed", "".join(before[begin:end]))
        if new_begin < new_end:
            yield TextPart("added", "".join(after[new_begin:new_end]))
