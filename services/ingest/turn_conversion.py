"""Converts a message to the turn that is stored for it, and back."""

from palimpsest.events.conversations import MessageAdded
from palimpsest.model.turn import Turn, turn_id
from palimpsest.model.value_types import Instant


def build_turn(event: MessageAdded, *, received_at: Instant, epoch: int) -> Turn:
    return Turn(
        id=turn_id(event.user_id, event.session_id, event.message_id),
        event_id=event.event_id,
        user_id=event.user_id,
        agent_id=event.agent_id,
        project_id=event.project_id,
        session_id=event.session_id,
        message_id=event.message_id,
        role=event.role,
        speaker=event.speaker,
        text=event.text,
        images=event.images,
        understood=event.understood,
        reply_to=event.reply_to,
        injected=event.injected,
        occurred_at=event.occurred_at,
        utc_offset_minutes=event.utc_offset_minutes,
        received_at=received_at,
        epoch=epoch,
        trace=event.trace,
    )


def rebuild_message(turn: Turn) -> MessageAdded:
    """Rebuild the event of a stored turn, stamps included."""
    return MessageAdded(
        event_id=turn.event_id,
        user_id=turn.user_id,
        agent_id=turn.agent_id,
        project_id=turn.project_id,
        session_id=turn.session_id,
        message_id=turn.message_id,
        role=turn.role,
        speaker=turn.speaker,
        text=turn.text,
        images=turn.images,
        understood=turn.understood,
        reply_to=turn.reply_to,
        injected=turn.injected,
        occurred_at=turn.occurred_at,
        utc_offset_minutes=turn.utc_offset_minutes,
        received_at=turn.received_at,
        epoch=turn.epoch,
        trace=turn.trace,
    )
