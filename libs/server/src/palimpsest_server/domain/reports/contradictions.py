"""Find active memories that cannot both hold, and settle them by time.

Of two memories of one kind and about one thing, the later holds. The earlier ends where the later begins,
and stays readable. Decisions on new memories leave few contradictions; an undo, an import or an extended
table may add some.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from palimpsest.model.memory import Memory, RelationType, Status
from palimpsest_language.attributes.attribute_names import is_same_value, is_single_valued
from palimpsest_language.wording.negation import is_negated, strip_negation
from palimpsest_server.domain.consolidation.memory_keys import attribute_key
from palimpsest_server.domain.consolidation.status_transitions import change_status

CONTRADICTED = "a later statement holds"


class Contradiction(NamedTuple):
    earlier: Memory
    later: Memory


def find_contradictions(memories: Iterable[Memory]) -> list[Contradiction]:
    """Return pairs of contradicting active memories of one scope, the one that began earlier first."""
    standing = [
        memory
        for memory in memories
        if memory.status is Status.ACTIVE and memory.valid_until is None
    ]
    by_topic: dict[tuple[object, ...], list[Memory]] = {}
    for memory in standing:
        for topic in _topics(memory):
            by_topic.setdefault(topic, []).append(memory)
    found = {
        (earlier.id, later.id): Contradiction(earlier, later)
        for together in by_topic.values()
        for earlier, later in combinations(sorted(together, key=_by_time), 2)
        if _contradict(earlier, later)
    }
    return list(found.values())


def count_marked_contradictions(active: Sequence[Memory]) -> int:
    """Count the active pairs that are marked as contradicting each other."""
    ids = {memory.id for memory in active}
    return len(
        {
            frozenset((memory.id, relation.memory_id))
            for memory in active
            for relation in memory.relations
            if relation.type is RelationType.CONTRADICTS and relation.memory_id in ids
        }
    )


def settle_contradiction(contradiction: Contradiction) -> tuple[Memory, Memory]:
    """Return both memories, the earlier one ended by the later."""
    earlier, later = contradiction
    ended = change_status(earlier, Status.SUPERSEDED, reason=CONTRADICTED).model_copy(
        update={"valid_until": later.valid_from, "superseded_by": later.id}
    )
    known = later.supersedes
    linked = known if earlier.id in known else (*known, earlier.id)
    return ended, later.model_copy(update={"supersedes": linked})


def _topics(memory: Memory) -> list[tuple[object, ...]]:
    own: list[tuple[object, ...]] = [
        ("words", memory.scope, memory.kind, strip_negation(memory.content))
    ]
    if memory.attribute is not None and is_single_valued(memory.attribute):
        own.append(("attribute", attribute_key(memory)))
    return own


def _contradict(memory: Memory, other: Memory) -> bool:
    key = attribute_key(memory)
    if key is not None and key == attribute_key(other):
        single = memory.attribute is not None and is_single_valued(memory.attribute)
        return single and not is_same_value(memory.value, other.value)
    if key is not None or attribute_key(other) is not None:
        return False
    return is_negated(memory.content) != is_negated(other.content) and strip_negation(
        memory.content
    ) == strip_negation(other.content)


def _by_time(memory: Memory) -> tuple[object, ...]:
    return (memory.valid_from, memory.recorded_at, memory.id)
