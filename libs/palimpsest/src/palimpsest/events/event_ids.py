"""Ids for events that have none, so that sending an event again keeps its id."""

from collections.abc import Sequence
from typing import TypeVar

from palimpsest.events.commands import CommandEvent
from palimpsest.events.conversations import MessageAdded, RememberRequested, SummaryPublished
from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.events.skills import SkillRun

EventT = TypeVar("EventT", bound=Event)

_ARRIVAL = {"event_id", "received_at", "epoch", "trace"}
"""Fields that describe how an event arrived; they are no part of its content."""


def assign_event_id(event: EventT) -> EventT:
    """Return the event with an id: its own, or one derived from its content."""
    if event.event_id:
        return event
    derived = derive_event_id(event.type, event.user_id, *_parts(event))
    return event.model_copy(update={"event_id": derived})


def _parts(event: Event) -> Sequence[str | None]:  # noqa: PLR0911 - one for each kind of event
    moment = event.occurred_at.isoformat()
    match event:
        case MessageAdded():
            return (event.session_id, event.message_id)
        case RememberRequested(message_id=str()):
            return (event.session_id, event.message_id)
        case RememberRequested():
            return (event.agent_id, event.project_id, event.session_id, moment, event.content)
        case SummaryPublished():
            return (event.session_id, moment, event.text)
        case FeedbackGiven(recall_id=str()):
            return (event.recall_id, event.verdict, *event.memory_ids)
        case FeedbackGiven():
            return (None, event.verdict, moment, *event.memory_ids)
        case RecallUsed():
            return (event.recall_id, *event.result_ids)
        case CommandEvent():
            return (moment, event.model_dump_json(exclude=_ARRIVAL))
        case SkillRun():
            told = event.run_id or moment
            return (event.agent_id, event.session_id, event.skill_name, told)
        case _:
            return (event.session_id, moment)
