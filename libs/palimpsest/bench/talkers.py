"""Golden dialogues as people who talk: each file is a user, its dialogues their conversations in time."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from palimpsest.bench.extraction_dialogues import Dialogue, read_dialogues
from palimpsest.client import Message


@dataclass(frozen=True)
class Talk:
    """One conversation."""

    session_id: str
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class Talker:
    """A user and their conversations, the earliest first."""

    user_id: str
    talks: tuple[Talk, ...]


def talkers_of(files: Sequence[Path], limit: int | None = None) -> list[Talker]:
    """Each file of golden dialogues as one user; of each only the first `limit`."""
    return [
        Talker(path.stem, tuple(_talk(each) for each in _in_time(read_dialogues(path)[:limit])))
        for path in files
    ]


def _in_time(dialogues: Sequence[Dialogue]) -> list[Dialogue]:
    return sorted(dialogues, key=lambda each: each.messages[0].at)


def _talk(dialogue: Dialogue) -> Talk:
    return Talk(
        dialogue.id,
        tuple(
            Message(
                message_id=each.message_id,
                role=each.role,
                speaker=each.speaker,
                text=each.text,
                occurred_at=each.at,
            )
            for each in dialogue.messages
        ),
    )
