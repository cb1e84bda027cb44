"""What held at a moment, by what is known now."""

from datetime import datetime

from palimpsest.model.memory import HELD_STATUSES, Memory


def is_held_at(memory: Memory, moment: datetime) -> bool:
    """Whether it held then: valid_from ≤ moment < valid_until, and it had not expired."""
    if memory.status not in HELD_STATUSES or not memory.valid_at(moment):
        return False
    return memory.expires_at is None or moment < memory.expires_at


def is_held_between(memory: Memory, since: datetime | None, until: datetime | None) -> bool:
    """Whether it held at some moment from `since` until before `until`; None is open."""
    if memory.status not in HELD_STATUSES:
        return False
    ends = [end for end in (memory.valid_until, memory.expires_at) if end is not None]
    return (until is None or memory.valid_from < until) and (
        since is None or all(end > since for end in ends)
    )
