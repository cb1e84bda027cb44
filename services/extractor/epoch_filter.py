"""Separates events of an older epoch: their content was erased since and must not come back."""

from collections.abc import Sequence
from typing import TypeVar

from palimpsest.events.envelope import Event
from palimpsest_server.stores.user_states import UserStates

OLDER_EPOCH_REASON = "older_epoch"

EventT = TypeVar("EventT", bound=Event)


async def split_by_epoch(
    events: Sequence[EventT], states: UserStates
) -> tuple[list[EventT], list[EventT]]:
    """Return the current events, and those whose user erased everything since they came in."""
    users = await states.of({event.user_id for event in events})
    standing: list[EventT] = []
    erased: list[EventT] = []
    for event in events:
        is_older = (event.epoch or 0) < users[event.user_id].epoch
        (erased if is_older else standing).append(event)
    return standing, erased
