"""Which memories a report asks for, and by which words."""

from collections.abc import Iterable
from datetime import date

from palimpsest.domain.identifiers import derive
from palimpsest.domain.memory import Memory, Status
from palimpsest.domain.writing import has_chinese

PROBED = 20


def probed(memories: Iterable[Memory], day: date) -> list[Memory]:
    """At most 20 active ones, others on each day, the same whoever chooses on that day."""
    active = [memory for memory in memories if memory.status is Status.ACTIVE]
    active.sort(key=lambda memory: derive("probe", day.isoformat(), memory.id))
    return active[:PROBED]


def question_for(memory: Memory) -> str:
    """Its subject and attribute where it has both, else the first half of its words."""
    if memory.subject and memory.attribute:
        return f"{memory.subject} {memory.attribute.replace('_', ' ')}"
    if has_chinese(memory.content):
        characters = memory.content.strip()
        return characters[: (len(characters) + 1) // 2]
    words = memory.content.split()
    return " ".join(words[: (len(words) + 1) // 2])
