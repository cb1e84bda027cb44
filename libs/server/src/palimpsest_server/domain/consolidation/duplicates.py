"""Reinforce a memory with a repeated statement, instead of adding a second memory."""

from datetime import datetime

from palimpsest.model.memory import Memory
from palimpsest_server.domain.consolidation.unite_memories import unite_fields


def reinforce_memory(memory: Memory, statement: Memory) -> Memory:
    """Return the memory with the additions of the statement; an equal memory if there are none."""
    if has_timeline(memory) and statement.valid_from < memory.valid_from:
        # A timeline distinguishes earlier values; the same words alone do not tell of them.
        statement = _since(statement, memory.valid_from)
    together = unite_fields([memory, statement])
    if together["evidence"] == memory.evidence:
        return memory
    return memory.model_copy(update=together)


def has_timeline(memory: Memory) -> bool:
    """Return whether the memory states a value that holds until something ends it."""
    return memory.attribute is not None and memory.value is not None and memory.valid_until is None


def _since(statement: Memory, moment: datetime) -> Memory:
    return statement.model_copy(
        update={
            "valid_from": moment,
            "evidence": tuple(
                piece.model_copy(update={"valid_from": moment}) for piece in statement.evidence
            ),
        }
    )
