"""Change the status of a memory, by the table of allowed transitions."""

from palimpsest.model.memory import Memory, Status

ALLOWED_TRANSITIONS: dict[Status, frozenset[Status]] = {
    Status.PENDING: frozenset(
        {
            Status.ACTIVE,
            Status.SUPERSEDED,
            Status.ARCHIVED,
            Status.REJECTED,
            Status.FORGOTTEN,
            Status.PURGED,
        }
    ),
    Status.ACTIVE: frozenset(
        {
            Status.PENDING,
            Status.SUPERSEDED,
            Status.ARCHIVED,
            Status.FORGOTTEN,
            Status.REJECTED,
            Status.PURGED,
        }
    ),
    Status.SUPERSEDED: frozenset(
        {
            Status.PENDING,
            Status.ACTIVE,
            Status.ARCHIVED,
            Status.FORGOTTEN,
            Status.REJECTED,
            Status.PURGED,
        }
    ),
    Status.ARCHIVED: frozenset(
        {Status.PENDING, Status.ACTIVE, Status.SUPERSEDED, Status.FORGOTTEN, Status.PURGED}
    ),
    Status.FORGOTTEN: frozenset(
        {Status.PENDING, Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED, Status.PURGED}
    ),
    Status.REJECTED: frozenset({Status.PENDING, Status.ACTIVE, Status.SUPERSEDED, Status.PURGED}),
    Status.PURGED: frozenset(),
}
"""Every transition except to PURGED has its way back, or it could not be undone.

A pending or rejected memory may be outdated when it is confirmed or restored. It is then superseded at
once, and undoing that makes it pending or rejected again."""


def is_transition_allowed(memory: Memory, status: Status) -> bool:
    """Return whether the table allows the memory to take this status."""
    return status in ALLOWED_TRANSITIONS[memory.status]


def change_status(memory: Memory, status: Status, *, reason: str) -> Memory:
    """Return the memory in its new status.

    Raises:
        ValueError: the table does not allow this transition.
    """
    if not is_transition_allowed(memory, status):
        raise ValueError(f"a memory that is {memory.status} cannot become {status}")
    return memory.model_copy(update={"status": status, "status_reason": reason})


def reactivate_memory(memory: Memory) -> Memory:
    """Return an ended memory as active, without its end."""
    return memory.model_copy(
        update={
            "status": Status.ACTIVE,
            "status_reason": None,
            "valid_until": None,
            "superseded_by": None,
        }
    )
