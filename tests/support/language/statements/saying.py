"""What the local rules make of a few messages, for tables of cases."""

from datetime import UTC, datetime, timedelta
from typing import Any

from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.proposals import ExtractionAnswer, Proposal

BEGAN = datetime(2026, 3, 4, 2, 0, tzinfo=UTC)
"""A Wednesday, ten in the morning in Shanghai."""


def asked(
    *texts: str,
    participants: tuple[str, ...] = ("scribe",),
    people: tuple[str, ...] = (),
    fresh_from: int = 1,
) -> ExtractionRequest:
    """One window. `agent: ...` is the agent's, `Name: ...` one of the people's, all else the user's."""
    messages = []
    for number, text in enumerate(texts, start=1):
        before, colon, after = text.partition(": ")
        speaker = before if colon and before in people else None
        role = Role.AGENT if colon and before in {"agent", *participants} else Role.USER
        messages.append(
            DialogueMessage(
                number=number,
                role=role,
                speaker=speaker,
                text=after if speaker or role is Role.AGENT else text,
                fresh=number >= fresh_from,
                occurred_at=BEGAN + timedelta(minutes=number),
            )
        )
    return ExtractionRequest(
        user_id="u",
        messages=tuple(messages),
        participants=participants,
        language=None,
        time_zone="Asia/Shanghai",
    )


def say(*texts: str) -> tuple[DialogueMessage, ...]:
    """The messages of a conversation; `agent: ...` is the agent's, all else the user's."""
    return asked(*texts).messages


async def answered(*texts: str, **conversation: Any) -> ExtractionAnswer:
    return await LocalExtractor().extract(asked(*texts, **conversation))


async def proposed(*texts: str, **conversation: Any) -> list[Proposal]:
    return list((await answered(*texts, **conversation)).proposals)
