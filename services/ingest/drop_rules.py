"""Rules by which events are neither stored nor sent on."""

from collections.abc import Mapping, Sequence

from palimpsest.model.user import UserState
from services.ingest.receive_events import ConversationEvent


def find_drop_reason(
    event: ConversationEvent, user: UserState, kept_epoch: int | None = None
) -> str | None:
    """Return the reason to drop an event; None if it is stored and sent on.

    An event that was stored before was accepted by the settings of that time, so only its epoch is
    checked. The epoch counts for an event that a replay brings, too.
    """
    if getattr(event, "incognito", False):
        return "incognito"
    if kept_epoch is None and not user.settings.memory_enabled:
        return "memory_off"
    epoch = event.epoch if kept_epoch is None else kept_epoch
    if epoch is not None and epoch < user.epoch:
        return "older_epoch"
    return None


def select_possibly_stored(
    events: Sequence[ConversationEvent], users: Mapping[str, UserState]
) -> list[ConversationEvent]:
    """Return events that may be stored already: those that came over HTTP, and those to be dropped."""
    return [
        event
        for event in events
        if event.received_at is not None
        or find_drop_reason(event, users[event.user_id]) is not None
    ]
