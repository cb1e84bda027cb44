"""Split a batch into rounds: no event of a round needs the effects of another one in it."""

from collections.abc import Iterable

from palimpsest.events.commands import CommandEvent
from palimpsest.events.envelope import Event


def split_into_rounds(events: Iterable[Event]) -> list[list[Event]]:
    """Split events, in their order, before each that needs an earlier event of its user applied.

    Most batches are one round. Changes of settings may follow each other in one round, because
    neither reads what the other changes. An undo reads stored state, so it waits.
    """
    found: list[list[Event]] = []
    seen: set[str] = set()
    users_with_new_settings: set[str] = set()
    for event in events:
        user_id = event.user_id
        reads_store, sets = _reads_stored_state(event), _changes_settings(event)
        waits = user_id in seen and reads_store
        # The sharing policy and the quota are read before events are decided.
        waits = waits or (user_id in users_with_new_settings and not (sets and not reads_store))
        if waits or not found:
            found.append([])
            seen, users_with_new_settings = set(), set()
        found[-1].append(event)
        seen.add(user_id)
        if sets:
            users_with_new_settings.add(user_id)
    return found


def _reads_stored_state(event: Event) -> bool:
    return isinstance(event, CommandEvent) and event.PROPERTIES.reads_stored_state


def _changes_settings(event: Event) -> bool:
    return isinstance(event, CommandEvent) and event.PROPERTIES.changes_settings
