"""What becomes of a distillate that comes back with its vectors."""

from datetime import datetime
from enum import StrEnum

from palimpsest.domain.compression.compressing import COMPRESSED
from palimpsest.domain.evolution.deciding import statement
from palimpsest.domain.evolution.moves import moved
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.memory import Memory, Relation, RelationType, Status
from palimpsest.model.distillate import Distillate


class Accepted(StrEnum):
    COMPRESSED = "compressed"
    REFLECTED = "reflected"
    KNOWN = "known already"
    OUTDATED = "what it rests on has changed"


def accepted(known: Overlay, made: Distillate, *, received_at: datetime, epoch: int) -> Accepted:
    """Put it into `known`, unless something has happened since it was made.

    What is to be archived for it must stand at the version that was looked at;
    what it only rests on must be active still. `known` must hold all of these,
    and the memory itself where it is there already.
    """
    if known.get(made.memory_id) is not None:
        return Accepted.KNOWN
    bases = [known.get(basis.memory_id) for basis in made.rests_on]
    standing = [
        memory
        for memory, basis in zip(bases, made.rests_on, strict=True)
        if memory is not None
        and memory.status is Status.ACTIVE
        and not (made.replaces and (memory.pinned or memory.version != basis.version))
    ]
    if len(standing) < len(made.rests_on):
        return Accepted.OUTDATED
    known.put(_resting(statement(made.candidate, received_at=received_at, epoch=epoch), made))
    if not made.replaces:
        return Accepted.REFLECTED
    for memory in standing:
        known.put(moved(memory, Status.ARCHIVED, reason=COMPRESSED))
    return Accepted.COMPRESSED


def _resting(memory: Memory, made: Distillate) -> Memory:
    relations = tuple(
        Relation(type=RelationType.DERIVED_FROM, memory_id=basis.memory_id)
        for basis in made.rests_on
    )
    return memory.model_copy(
        update={"relations": relations, "confidence": made.candidate.confidence}
    )
