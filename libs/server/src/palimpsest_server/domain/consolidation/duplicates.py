"""The same statement again: it adds evidence to what is known, and no second memory."""

from datetime import datetime

from palimpsest.model.memory import Memory
from palimpsest_server.domain.consolidation import evidence


def reinforce_memory(memory: Memory, statement: Memory) -> Memory:
    """The memory with what the statement adds to it; equal to it where that is nothing."""
    if has_timeline(memory) and statement.valid_from < memory.valid_from:
        # What held before is for the line to say, which words alone do not speak of.
        statement = _since(statement, memory.valid_from)
    together = evidence.merge_evidence(
        [*evidence.stamp_evidence(memory), *evidence.stamp_evidence(statement)]
    )
    if together == memory.evidence:
        return memory
    return memory.model_copy(
        update={
            "evidence": together,
            "confidence": evidence.combine_confidence(together),
            "importance": max(memory.importance, statement.importance),
            "tags": _either(memory.tags, statement.tags),
            "entities": _either(memory.entities, statement.entities),
            "valid_from": min(memory.valid_from, statement.valid_from),
            "occurred_at": min(memory.occurred_at, statement.occurred_at),
            "recorded_at": min(memory.recorded_at, statement.recorded_at),
        }
    )


def has_timeline(memory: Memory) -> bool:
    """Whether it is a value of an attribute, which holds until something ends it."""
    return memory.attribute is not None and memory.value is not None and memory.valid_until is None


def _since(statement: Memory, moment: datetime) -> Memory:
    return statement.model_copy(
        update={
            "valid_from": moment,
            "evidence": tuple(
                one.model_copy(update={"valid_from": moment}) for one in statement.evidence
            ),
        }
    )


def _either(known: tuple[str, ...], added: tuple[str, ...]) -> tuple[str, ...]:
    return known if set(added) <= set(known) else tuple(sorted({*known, *added}))
