"""Accept a distillate that comes back with its vectors."""

from datetime import datetime
from enum import StrEnum

from palimpsest.model.distillate import Distillate
from palimpsest.model.memory import Memory, Relation, RelationType, Status
from palimpsest_server.domain.compression.compress_memories import COMPRESSED
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import change_status


class DistillateOutcome(StrEnum):
    COMPRESSED = "compressed"
    REFLECTED = "reflected"
    KNOWN = "known already"
    OUTDATED = "what it rests on has changed"


def accept_distillate(
    known: Overlay, made: Distillate, *, received_at: datetime, epoch: int
) -> DistillateOutcome:
    """Put the distillate into `known`, unless its memories changed since it was made.

    Memories to be archived must have the version that the distillate was made from. Memories that it
    only rests on must still be active. `known` must hold all of these, and the distilled memory itself
    if it exists already.
    """
    if known.get(made.memory_id) is not None:
        return DistillateOutcome.KNOWN
    bases = [known.get(basis.memory_id) for basis in made.rests_on]
    standing = [
        memory
        for memory, basis in zip(bases, made.rests_on, strict=True)
        if memory is not None
        and memory.status is Status.ACTIVE
        and not (made.replaces and (memory.pinned or memory.version != basis.version))
    ]
    if len(standing) < len(made.rests_on):
        return DistillateOutcome.OUTDATED
    known.put(_resting(build_memory(made.candidate, received_at=received_at, epoch=epoch), made))
    if not made.replaces:
        return DistillateOutcome.REFLECTED
    for memory in standing:
        known.put(change_status(memory, Status.ARCHIVED, reason=COMPRESSED))
    return DistillateOutcome.COMPRESSED


def _resting(memory: Memory, made: Distillate) -> Memory:
    relations = tuple(
        Relation(type=RelationType.DERIVED_FROM, memory_id=basis.memory_id)
        for basis in made.rests_on
    )
    return memory.model_copy(
        update={"relations": relations, "confidence": made.candidate.confidence}
    )
