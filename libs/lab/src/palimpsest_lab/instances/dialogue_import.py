"""Dialogues of data sets as conversations to import."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby
from pathlib import Path

from pydantic import ValidationError

from palimpsest.api.problems import build_validation_problem
from palimpsest.events.conversations import MessageAdded, SessionEnded
from palimpsest.events.envelope import Event
from palimpsest.model.turn import Role
from palimpsest_lab.datasets.locomo import DialogueTurn, LocomoDialogue, read_locomo_dialogues
from palimpsest_lab.instances.measured_instance import MeasuredInstance
from palimpsest_lab.reporting.report import show_progress
from services.host.imports.json_stream import UnreadableImport
from services.host.imports.publish_conversations import (
    ConversationImport,
    ImportedConversation,
    import_conversations,
)
from services.host.imports.split_messages import split_long_message


def read_locomo_conversations(
    path: Path, limit: int | None = None
) -> Sequence[ImportedConversation]:
    """Return the first `limit` conversations of a file, each as a user of its own.

    A turn may have `blip_caption` and `img_url` too; `qa` is left alone.

    Raises:
        UnreadableData: the file is not JSON of this format.
    """
    return [_conversation(dialogue) for dialogue in read_locomo_dialogues(path, limit)]


async def import_dialogues(
    subject: MeasuredInstance, dialogues: Sequence[LocomoDialogue]
) -> ConversationImport:
    """Import dialogues into a measured instance, and show how far it is.

    Raises:
        ClientError: the services are not there, or do not let us in; then nothing was published.
    """
    turns = sum(len(dialogue.turns) for dialogue in dialogues)
    with show_progress("importing", turns) as progress:
        conversations = [_conversation(dialogue) for dialogue in dialogues]
        return await import_conversations(subject, conversations, progress=progress)


def _conversation(dialogue: LocomoDialogue) -> ImportedConversation:
    events = build_dialogue_events(dialogue)
    messages = sum(isinstance(event, MessageAdded) for event in events)
    return ImportedConversation(
        user_id=dialogue.id, events=events, parts=messages - len(dialogue.turns)
    )


def build_dialogue_events(dialogue: LocomoDialogue) -> list[Event]:
    """Build the events of each turn, and the end of each session after its last turn.

    A turn is one event, or some where it is longer than a message may be.

    Raises:
        UnreadableImport: names the turn that is no message.
    """
    events: list[Event] = []
    for session_id, turns in groupby(dialogue.turns, key=lambda turn: turn.session_id):
        said = [event for turn in turns for event in build_message_events(dialogue.id, turn)]
        ended = SessionEnded(
            occurred_at=said[-1].occurred_at + timedelta(seconds=1),
            user_id=dialogue.id,
            session_id=session_id,
        )
        events += [*said, ended]
    return events


def build_message_events(user_id: str, turn: DialogueTurn) -> list[MessageAdded]:
    """Build the events that a chat service would publish of one turn."""
    url = turn.image_url or f"image:{turn.id}"
    fields = {
        "type": "MessageAdded",
        "occurred_at": turn.occurred_at,
        "user_id": user_id,
        "session_id": turn.session_id,
        "message_id": turn.id,
        "role": Role.USER,
        "speaker": turn.speaker,
        "text": turn.text,
        "images": [{"url": url, "caption": turn.caption}] if turn.caption or turn.image_url else [],
    }
    try:
        return [MessageAdded.model_validate(part) for part in split_long_message(fields)]
    except ValidationError as error:
        raise UnreadableImport(
            f"the turn {turn.id} is no message: {build_validation_problem(error.errors()).message}"
        ) from None
