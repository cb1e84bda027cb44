"""Select memories to purge, which were forgotten too long ago to be restored."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from palimpsest.model.memory import Memory, Status

RESTORABLE_FOR = timedelta(days=365)

LONG_FORGOTTEN = "forgotten a year ago"


def select_purgeable(
    memories: Iterable[Memory], last_changed: Mapping[str, datetime], *, now: datetime
) -> list[Memory]:
    """Return memories that have been forgotten and unchanged for 365 days.

    `last_changed` is given by memory id; memories missing in it are left out.
    """
    return [
        memory
        for memory in memories
        if memory.status is Status.FORGOTTEN
        and (changed := last_changed.get(memory.id)) is not None
        and changed <= now - RESTORABLE_FOR
    ]
