"""Split a batch into rounds.

Events decided together, and events that must see earlier ones applied.
"""

from collections.abc import Iterable

from palimpsest.events.commands import (
    CloseProject,
    DeleteProject,
    SetSettings,
    SetTier,
    UndoChange,
)
from palimpsest.events.envelope import Event

STORED_STATE_COMMANDS = (CloseProject, DeleteProject, UndoChange)
"""What these are about is looked up where it is stored, so what comes before must be there."""

SETTINGS_COMMANDS = (SetSettings, SetTier, UndoChange)
"""Where things go and how many may stay is read before events are decided: not before these."""


def split_into_rounds(events: Iterable[Event]) -> list[list[Event]]:
    """The same events in the same order, cut where one of a user needs an earlier one done.

    Most batches are one round. What settles something may follow another such thing: neither
    reads what the other changes, but for what was undone.
    """
    found: list[list[Event]] = []
    seen: set[str] = set()
    settled: set[str] = set()
    for event in events:
        user_id = event.user_id
        waits = user_id in seen and isinstance(event, STORED_STATE_COMMANDS)
        waits = waits or (user_id in settled and not isinstance(event, SetSettings | SetTier))
        if waits or not found:
            found.append([])
            seen, settled = set(), set()
        found[-1].append(event)
        seen.add(user_id)
        if isinstance(event, SETTINGS_COMMANDS):
            settled.add(user_id)
    return found
