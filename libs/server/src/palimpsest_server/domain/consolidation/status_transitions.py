"""From one status to another, by the table of allowed moves."""

from palimpsest.model.memory import ALLOWED_TRANSITIONS, Memory, Status


def is_transition_allowed(memory: Memory, status: Status) -> bool:
    return status in ALLOWED_TRANSITIONS[memory.status]


def change_status(memory: Memory, status: Status, *, reason: str) -> Memory:
    """The memory in its new status.

    Raises:
        ValueError: the table does not allow this move.
    """
    if not is_transition_allowed(memory, status):
        raise ValueError(f"a memory that is {memory.status} cannot become {status}")
    return memory.model_copy(update={"status": status, "status_reason": reason})


def reactivate_memory(memory: Memory) -> Memory:
    """What had ended, as it is where nothing has ended it."""
    return memory.model_copy(
        update={
            "status": Status.ACTIVE,
            "status_reason": None,
            "valid_until": None,
            "superseded_by": None,
        }
    )
