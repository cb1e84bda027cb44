"""The same statement again: it adds evidence to what is known, and no second memory."""

from palimpsest.domain.evolution import evidence
from palimpsest.domain.memory import Memory


def reinforced(memory: Memory, statement: Memory) -> Memory:
    """The memory with what the statement adds to it; equal to it where that is nothing."""
    together = evidence.united([*evidence.stamped(memory), *evidence.stamped(statement)])
    if together == memory.evidence:
        return memory
    return memory.model_copy(
        update={
            "evidence": together,
            "confidence": evidence.confidence(together),
            "importance": max(memory.importance, statement.importance),
            "tags": _either(memory.tags, statement.tags),
            "entities": _either(memory.entities, statement.entities),
            "valid_from": min(memory.valid_from, statement.valid_from),
            "occurred_at": min(memory.occurred_at, statement.occurred_at),
            "recorded_at": min(memory.recorded_at, statement.recorded_at),
        }
    )


def _either(known: tuple[str, ...], added: tuple[str, ...]) -> tuple[str, ...]:
    return known if set(added) <= set(known) else tuple(sorted({*known, *added}))
