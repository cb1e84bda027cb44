"""Which turns, requests and sessions a batch speaks of: what is to be read before it is planned."""

from collections.abc import Sequence

from palimpsest.contracts.conversations import MessageAdded, SessionEnded
from palimpsest.contracts.skills import SkillSucceeded
from palimpsest.domain.turn import turn_id
from palimpsest.stores.requests import ForTheWriter, request_id
from palimpsest.stores.sessions import SessionKey
from services.ingest.preparing import ConversationEvent


def turn_ids(events: Sequence[ConversationEvent]) -> list[str]:
    return [
        turn_id(event.user_id, event.session_id, event.message_id)
        for event in events
        if isinstance(event, MessageAdded)
    ]


def request_ids(events: Sequence[ConversationEvent]) -> list[str]:
    return [
        request_id(event.user_id, event.event_id)
        for event in events
        if not isinstance(event, MessageAdded)
    ]


def closed_sessions(events: Sequence[ConversationEvent]) -> list[SessionKey]:
    """Those of which all that was said so far is to be looked at now."""
    ended = [SessionKey.of(event) for event in events if isinstance(event, SessionEnded)]
    worked = [key for key in map(worked_in, events) if key is not None]
    return list(dict.fromkeys([*ended, *worked]))


def session_keys(events: Sequence[ConversationEvent]) -> list[SessionKey]:
    return list(
        {
            SessionKey(event.user_id, event.session_id): None
            for event in events
            if event.session_id is not None
            and (not isinstance(event, ForTheWriter) or worked_in(event) is not None)
        }
    )


def worked_in(event: ConversationEvent) -> SessionKey | None:
    """The session in which a skill was carried out with success."""
    if not isinstance(event, SkillSucceeded) or event.session_id is None:
        return None
    return SessionKey(event.user_id, event.session_id)
