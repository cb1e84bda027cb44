"""Which turns, requests and sessions a batch speaks of: what is to be read before it is planned."""

from collections.abc import Sequence

from palimpsest.events.conversations import MessageAdded, SessionEnded
from palimpsest.events.skills import SkillSucceeded
from palimpsest.model.turn import turn_id
from palimpsest_server.stores.accepted_requests import ConsolidatorRequest, request_id
from palimpsest_server.stores.sessions import SessionKey
from services.ingest.prepare_events import ConversationEvent


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
    """Return those of which all that was said so far is to be looked at now."""
    ended = [SessionKey.of(event) for event in events if isinstance(event, SessionEnded)]
    worked = [key for key in map(find_successful_skill_session, events) if key is not None]
    return list(dict.fromkeys([*ended, *worked]))


def collect_session_keys(events: Sequence[ConversationEvent]) -> list[SessionKey]:
    return list(
        {
            SessionKey(event.user_id, event.session_id): None
            for event in events
            if event.session_id is not None
            and (
                not isinstance(event, ConsolidatorRequest)
                or find_successful_skill_session(event) is not None
            )
        }
    )


def find_successful_skill_session(event: ConversationEvent) -> SessionKey | None:
    """The session in which a skill was carried out with success."""
    if not isinstance(event, SkillSucceeded) or event.session_id is None:
        return None
    return SessionKey(event.user_id, event.session_id)
