"""Memories that say the same become one: the fullest stays, the others are archived.

Source: 000 section 5.1, `consolidateMemories`. Where it has a model write a
new text, the fullest of the old ones is kept as it is: no word is lost that
way and none invented, and a rerun finds nothing more to do.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from palimpsest.domain.compression.likeness import may_be_the_same
from palimpsest.domain.evolution.attributes import same_value
from palimpsest.domain.evolution.duplicates import reinforced
from palimpsest.domain.evolution.keys import attribute_key
from palimpsest.domain.evolution.moves import moved
from palimpsest.domain.evolution.wording import gist
from palimpsest.domain.memory import Memory, Relation, RelationType, Status

MERGED = "merged"

Cosines = Mapping[tuple[str, str], float]
"""Of pairs of memory ids, the lesser id first; what is missing is not near."""


@dataclass(frozen=True)
class Merge:
    survivor: Memory
    """With what the others add to it."""
    archived: tuple[Memory, ...]

    @property
    def memories(self) -> tuple[Memory, ...]:
        return (self.survivor, *self.archived)


def merges(memories: Iterable[Memory], cosines: Cosines, *, threshold: float) -> list[Merge]:
    """Groups of active memories that say the same, each as one.

    A group is one memory and those that are like itself: likeness is not
    handed on from one to the next. Pinned ones are never archived.
    """
    left = {memory.id: memory for memory in sorted(memories, key=_fullest_first)}
    near = _neighbours(cosines, threshold)
    found = []
    for memory_id in list(left):
        survivor = left.pop(memory_id, None)
        if survivor is None:
            continue
        alike = [
            left[other]
            for other in sorted(near.get(memory_id, ()))
            if other in left and not left[other].pinned and are_alike(survivor, left[other])
        ]
        if alike:
            for other in alike:
                del left[other.id]
            found.append(_merged(survivor, alike))
    return found


def are_alike(one: Memory, other: Memory) -> bool:
    """Whether these could be one, were their vectors near enough."""
    return (
        one.status is other.status is Status.ACTIVE
        and one.scope == other.scope
        and one.kind is other.kind
        and one.valid_until == other.valid_until
        and one.data == other.data
        and _speak_of_the_same(one, other)
        and may_be_the_same(one.content, other.content)
    )


def _speak_of_the_same(one: Memory, other: Memory) -> bool:
    """With subject, attribute and value only what has the same of each is the same."""
    return attribute_key(one) == attribute_key(other) and same_value(one.value, other.value)


def _merged(survivor: Memory, others: Sequence[Memory]) -> Merge:
    whole = survivor
    for other in others:
        whole = reinforced(whole, other)
    merged_ids = {relation.memory_id for relation in whole.relations}
    relations = [
        Relation(type=RelationType.DERIVED_FROM, memory_id=other.id)
        for other in others
        if other.id not in merged_ids
    ]
    return Merge(
        survivor=whole.model_copy(
            update={
                "importance": max(one.importance for one in (survivor, *others)),
                "tags": _united(one.tags for one in (survivor, *others)),
                "relations": (*whole.relations, *relations),
            }
        ),
        archived=tuple(moved(other, Status.ARCHIVED, reason=MERGED) for other in others),
    )


def _united(tags: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({tag for own in tags for tag in own}))


def _neighbours(cosines: Cosines, threshold: float) -> dict[str, set[str]]:
    near: dict[str, set[str]] = {}
    for (one, other), cosine in cosines.items():
        if cosine >= threshold:
            near.setdefault(one, set()).add(other)
            near.setdefault(other, set()).add(one)
    return near


def _fullest_first(memory: Memory) -> tuple[object, ...]:
    return (
        not memory.pinned,
        -len(gist(memory.content)),
        -memory.importance,
        memory.recorded_at,
        memory.id,
    )
