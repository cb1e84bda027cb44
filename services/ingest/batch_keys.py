"""Keys of the turns, requests and sessions of a batch, read before the batch is planned."""

from collections.abc import Iterable, Sequence

from palimpsest.events.conversations import MessageAdded, SessionEnded
from palimpsest.model.turn import turn_id
from palimpsest_server.stores.accepted_requests import ConsolidatorRequest, request_id
from palimpsest_server.stores.sessions import SessionKey
from services.ingest.extraction_triggers import find_trigger
from services.ingest.receive_events import ConversationEvent


def collect_turn_ids(events: Sequence[ConversationEvent]) -> list[str]:
    return [
        turn_id(event.user_id, event.session_id, event.message_id)
        for event in events
        if isinstance(event, MessageAdded)
    ]


def collect_request_ids(events: Sequence[ConversationEvent]) -> list[str]:
    return [
        request_id(event.user_id, event.event_id)
        for event in events
        if not isinstance(event, MessageAdded)
    ]


def collect_closed_sessions(events: Sequence[ConversationEvent]) -> list[SessionKey]:
    """Return the sessions whose open window these events close."""
    return _session_keys(
        event
        for event in events
        if isinstance(event, SessionEnded) or find_trigger(event) is not None
    )


def collect_session_keys(events: Sequence[ConversationEvent]) -> list[SessionKey]:
    """Return the sessions whose state these events need or change."""
    return _session_keys(
        event
        for event in events
        if not isinstance(event, ConsolidatorRequest) or find_trigger(event) is not None
    )


def _session_keys(events: Iterable[ConversationEvent]) -> list[SessionKey]:
    keys = (
        SessionKey(event.user_id, event.session_id)
        for event in events
        if event.session_id is not None
    )
    return list(dict.fromkeys(keys))
