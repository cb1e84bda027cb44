"""Golden dialogues as people who talk: each file is a user, its dialogues their conversations in time."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from palimpsest.client import Message
from palimpsest_lab.extraction.golden_dialogues import GoldenDialogue, read_golden_dialogues


@dataclass(frozen=True)
class UserConversation:
    """One conversation of one user."""

    session_id: str
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class ConversationUser:
    """A user and their conversations, the earliest first."""

    user_id: str
    talks: tuple[UserConversation, ...]


def read_conversation_users(
    files: Sequence[Path], limit: int | None = None
) -> list[ConversationUser]:
    """Each file of golden dialogues as one user; of each only the first `limit`."""
    return [
        ConversationUser(
            path.stem,
            tuple(
                _talk(golden_dialogue)
                for golden_dialogue in _in_time(read_golden_dialogues(path)[:limit])
            ),
        )
        for path in files
    ]


def _in_time(dialogues: Sequence[GoldenDialogue]) -> list[GoldenDialogue]:
    return sorted(dialogues, key=lambda dialogue: dialogue.messages[0].at)


def _talk(dialogue: GoldenDialogue) -> UserConversation:
    return UserConversation(
        dialogue.id,
        tuple(
            Message(
                message_id=message.message_id,
                role=message.role,
                speaker=message.speaker,
                text=message.text,
                occurred_at=message.at,
            )
            for message in dialogue.messages
        ),
    )
