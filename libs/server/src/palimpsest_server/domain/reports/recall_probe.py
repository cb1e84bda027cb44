"""Choose the memories that a report searches for, and the words of its questions."""

from collections.abc import Iterable
from datetime import date

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Memory, Status

PROBED = 20


def select_probe_memories(memories: Iterable[Memory], day: date) -> list[Memory]:
    """Return at most 20 active memories; the choice differs each day and is the same all day."""
    active = [memory for memory in memories if memory.status is Status.ACTIVE]
    active.sort(key=lambda memory: derive_id("probe", day.isoformat(), memory.id))
    return active[:PROBED]


def build_probe_question(memory: Memory) -> str:
    """Return subject and attribute if there are both, else the first half of the content."""
    if memory.subject and memory.attribute:
        return f"{memory.subject} {memory.attribute.replace('_', ' ')}"
    if has_chinese(memory.content):
        characters = memory.content.strip()
        return characters[: (len(characters) + 1) // 2]
    words = memory.content.split()
    return " ".join(words[: (len(words) + 1) // 2])
