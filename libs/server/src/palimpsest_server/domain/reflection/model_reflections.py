"""Accept a model's finding about several memories."""

from datetime import datetime

from palimpsest.model.distillate import LEAST_BASES, Distillate, ProposedReflection
from palimpsest.model.kinds import KINDS
from palimpsest.model.memory import Memory, MemorySource, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.compression.acceptance import DistillateOutcome, accept_distillate
from palimpsest_server.domain.compression.distillation import build_distillate
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.reflection.rule_reflections import CONFIDENCE_SHARE, MADE_OF_OTHERS


def accept_reflection(
    known: Overlay, found: ProposedReflection, *, scope: Scope, received_at: datetime, epoch: int
) -> DistillateOutcome:
    """Put a finding into `known` if all memories that it rests on are active, first-hand and of this scope.

    `known` must hold all of these, and the finding's memory itself if it exists already.
    """
    named = {basis.memory_id: known.get(basis.memory_id) for basis in found.rests_on}
    bases = [memory for memory in named.values() if memory is not None and _bears(memory, scope)]
    if len(bases) < max(len(named), LEAST_BASES):
        return DistillateOutcome.OUTDATED
    return accept_distillate(
        known, _distilled(found, bases, scope), received_at=received_at, epoch=epoch
    )


def _bears(memory: Memory, scope: Scope) -> bool:
    return (
        memory.status is Status.ACTIVE
        and memory.scope == scope
        and memory.source not in MADE_OF_OTHERS
    )


def _distilled(found: ProposedReflection, bases: list[Memory], scope: Scope) -> Distillate:
    defaults = KINDS[found.kind]
    return build_distillate(
        bases,
        id=found.candidate_id,
        content=found.content,
        kind=found.kind,
        scope=scope,
        source=MemorySource.REFLECTION,
        importance=defaults.importance,
        # A model is no more certain than the least certain memory it was shown.
        confidence=min(memory.confidence for memory in bases) * CONFIDENCE_SHARE,
        lifetime=defaults.lifetime,
        replaces=False,
    )
