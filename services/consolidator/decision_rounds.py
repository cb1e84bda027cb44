"""Split a batch into rounds.

Events decided together, and events that must see earlier ones applied.
"""

from collections.abc import Iterable

from palimpsest.events.commands import CommandEvent
from palimpsest.events.envelope import Event


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
        reads_store, sets = _reads_stored_state(event), _changes_settings(event)
        waits = user_id in seen and reads_store
        # Where things go and how many may stay is read before events are decided.
        waits = waits or (user_id in settled and not (sets and not reads_store))
        if waits or not found:
            found.append([])
            seen, settled = set(), set()
        found[-1].append(event)
        seen.add(user_id)
        if sets:
            settled.add(user_id)
    return found


def _reads_stored_state(event: Event) -> bool:
    return isinstance(event, CommandEvent) and event.PROPERTIES.reads_stored_state


def _changes_settings(event: Event) -> bool:
    return isinstance(event, CommandEvent) and event.PROPERTIES.changes_settings
