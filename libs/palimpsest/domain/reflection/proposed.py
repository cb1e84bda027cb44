"""What a model has found in several memories, and what becomes of it."""

from datetime import datetime

from palimpsest.domain.compression.accepting import Accepted, accepted
from palimpsest.domain.compression.distillate import distillate
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.kinds import KINDS
from palimpsest.domain.memory import Memory, Source, Status
from palimpsest.domain.reflection.reflecting import CONFIDENCE_SHARE, MADE_OF_OTHERS
from palimpsest.domain.scope import Scope
from palimpsest.model.distillate import Distillate
from palimpsest.model.proposed_reflection import LEAST_BASES, ProposedReflection


def taken_up(
    known: Overlay, found: ProposedReflection, *, scope: Scope, received_at: datetime, epoch: int
) -> Accepted:
    """Put it into `known`, if all that it rests on is active still, first-hand and of this scope.

    `known` must hold all of these, and the memory itself where it is there already.
    """
    named = {basis.memory_id: known.get(basis.memory_id) for basis in found.rests_on}
    bases = [memory for memory in named.values() if memory is not None and _bears(memory, scope)]
    if len(bases) < max(len(named), LEAST_BASES):
        return Accepted.OUTDATED
    return accepted(known, _distilled(found, bases, scope), received_at=received_at, epoch=epoch)


def _bears(memory: Memory, scope: Scope) -> bool:
    return (
        memory.status is Status.ACTIVE
        and memory.scope == scope
        and memory.source not in MADE_OF_OTHERS
    )


def _distilled(found: ProposedReflection, bases: list[Memory], scope: Scope) -> Distillate:
    defaults = KINDS[found.kind]
    return distillate(
        bases,
        id=found.candidate_id,
        content=found.content,
        kind=found.kind,
        scope=scope,
        source=Source.REFLECTION,
        importance=defaults.importance,
        # A model is no surer than the least of what it was shown.
        confidence=min(memory.confidence for memory in bases) * CONFIDENCE_SHARE,
        lifetime=defaults.lifetime,
        replaces=False,
    )
