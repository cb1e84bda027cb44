"""Merge memories that say the same: the fullest stays, the others are archived.

The fullest text is kept unchanged, and no model writes a new one. So no word is lost or
invented, and a rerun finds nothing more to do.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from palimpsest.model.memory import Memory, Relation, RelationType, Status
from palimpsest_language.attributes.attribute_names import is_same_value
from palimpsest_language.paraphrases import is_possible_paraphrase
from palimpsest_language.wording.normalization import extract_gist
from palimpsest_server.domain.consolidation.duplicates import reinforce_memory
from palimpsest_server.domain.consolidation.memory_keys import attribute_key
from palimpsest_server.domain.consolidation.model_judgements import are_told_apart
from palimpsest_server.domain.consolidation.status_transitions import change_status
from palimpsest_server.domain.consolidation.unite_memories import unite_field
from palimpsest_server.domain.memory_dates import mean_other_times

MERGED = "merged"

PairCosines = Mapping[tuple[str, str], float]
"""Cosines by pair of memory ids, the lesser id first; a missing pair is not similar."""


@dataclass(frozen=True)
class MemoryMerge:
    survivor: Memory
    """The surviving memory with the details that the others add."""
    archived: tuple[Memory, ...]

    @property
    def memories(self) -> tuple[Memory, ...]:
        return (self.survivor, *self.archived)


def find_merges(
    memories: Iterable[Memory], cosines: PairCosines, *, threshold: float
) -> list[MemoryMerge]:
    """Return groups of active memories that say the same, each as one merge.

    A group is one memory and the memories similar to it: similarity is not passed on from one
    to the next. Pinned memories are never archived.
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
            if other in left and not left[other].pinned and is_mergeable_pair(survivor, left[other])
        ]
        if alike:
            for other in alike:
                del left[other.id]
            found.append(_merged(survivor, alike))
    return found


def is_mergeable_pair(memory: Memory, other: Memory) -> bool:
    """Return whether two memories could be merged if their vectors are similar enough."""
    return (
        memory.status is other.status is Status.ACTIVE
        and not (memory.standalone or other.standalone)
        and memory.scope == other.scope
        and memory.kind is other.kind
        and memory.valid_until == other.valid_until
        and memory.data == other.data
        and not are_told_apart(memory, other)
        and _speak_of_the_same(memory, other)
        and not mean_other_times(memory, other)
        and is_possible_paraphrase(memory.content, other.content)
    )


def _speak_of_the_same(memory: Memory, other: Memory) -> bool:
    """Return whether two memories with subject, attribute and value agree in all three."""
    return attribute_key(memory) == attribute_key(other) and is_same_value(
        memory.value, other.value
    )


def _merged(survivor: Memory, others: Sequence[Memory]) -> MemoryMerge:
    whole = survivor
    for other in others:
        whole = reinforce_memory(whole, other)
    merged_ids = {relation.memory_id for relation in whole.relations}
    relations = [
        Relation(type=RelationType.DERIVED_FROM, memory_id=other.id)
        for other in others
        if other.id not in merged_ids
    ]
    return MemoryMerge(
        survivor=whole.model_copy(
            update={
                "importance": unite_field("importance", (survivor, *others)),
                "tags": unite_field("tags", (survivor, *others)),
                "relations": (*whole.relations, *relations),
            }
        ),
        archived=tuple(change_status(other, Status.ARCHIVED, reason=MERGED) for other in others),
    )


def _neighbours(cosines: PairCosines, threshold: float) -> dict[str, set[str]]:
    near: dict[str, set[str]] = {}
    for (one, other), cosine in cosines.items():
        if cosine >= threshold:
            near.setdefault(one, set()).add(other)
            near.setdefault(other, set()).add(one)
    return near


def _fullest_first(memory: Memory) -> tuple[object, ...]:
    return (
        not memory.pinned,
        -len(extract_gist(memory.content)),
        -memory.importance,
        memory.recorded_at,
        memory.id,
    )
