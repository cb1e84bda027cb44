"""The golden dialogues: what was said, and by hand what a reader would remember of it.

The format and how the set was written stand in tests/golden/extraction/README.md.
"""

import re
from collections import Counter
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, ConfigDict, Field, ValidationError, model_validator

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest.model.value_types import Instant, Value


class UnreadableDialogue(ValueError):
    """A line of a file of dialogues is not one; the message names the file and the line."""


class ExpectedPolarity(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"
    ENDED = "ended"
    """It held once, and no longer does."""


_CALENDAR = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")


def _stated(text: str) -> str:
    if not _CALENDAR.fullmatch(text):
        if datetime.fromisoformat(text).tzinfo is None:
            raise ValueError("a moment needs its offset from UTC")
    elif len(text) == len("2026-03-06"):
        datetime.fromisoformat(text)
    return text


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"no time zone is called {name!r}") from None
    return name


NonEmptyText = Annotated[str, Field(min_length=1)]

StatedDate = Annotated[str, AfterValidator(_stated)]
"""As exact as it was said: `2026`, `2026-03`, `2026-03-06` (all local), or a moment with offset."""

Detail = NonEmptyText | tuple[NonEmptyText, ...]
"""What must not be lost; where there are several ways to say it, any of them."""


class _Part(Value):
    model_config = ConfigDict(populate_by_name=True)


class GoldenMessage(_Part):
    message_id: NonEmptyText
    role: Role
    speaker: str | None = None
    agent_id: str | None = None
    text: NonEmptyText
    at: Instant


class GoldenMemory(_Part):
    kinds: tuple[Kind, ...] = Field(min_length=1)
    """The best first."""
    subject: tuple[NonEmptyText, ...]
    """Empty: whatever it is said to be about."""
    attribute: tuple[NonEmptyText, ...] | None = None
    value: tuple[NonEmptyText, ...] = Field(min_length=1)
    polarity: ExpectedPolarity = ExpectedPolarity.POSITIVE
    details: tuple[Detail, ...] = ()
    layer: Literal["user", "agent", "project"]
    agent: str | None = None
    date: StatedDate | None = None
    stated_in: tuple[NonEmptyText, ...] = Field(alias="from", min_length=1)
    optional: bool = False
    """A reader may keep it or leave it: neither missed nor wrong."""


class GoldenTodo(_Part):
    content: tuple[NonEmptyText, ...] = Field(min_length=1)
    due: StatedDate | None = None
    remind_at: StatedDate | None = None
    completed: bool = False
    stated_in: tuple[NonEmptyText, ...] = Field(alias="from", min_length=1)
    optional: bool = False


class ForbiddenMemory(_Part):
    words: tuple[NonEmptyText, ...] = Field(min_length=1)
    """No memory may contain all of them."""
    why: NonEmptyText


class ExpectedFindings(_Part):
    memories: tuple[GoldenMemory, ...] = ()
    todos: tuple[GoldenTodo, ...] = ()
    must_not: tuple[ForbiddenMemory, ...] = ()


class GoldenDialogue(_Part):
    id: NonEmptyText
    language: Literal["zh", "en"]
    domain: Literal["layered", "blended", "gated", "companion", "profile"]
    time_zone: Annotated[str, AfterValidator(_known_zone)]
    sharing_policy: Literal["layered", "user_level"]
    project_id: str | None = None
    participants: tuple[NonEmptyText, ...] = ()
    messages: tuple[GoldenMessage, ...] = Field(min_length=3, max_length=14)
    expected: ExpectedFindings

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        ids = [message.message_id for message in self.messages]
        if len(set(ids)) != len(ids):
            raise ValueError("two messages have one id")
        moments = [message.at for message in self.messages]
        if moments != sorted(moments):
            raise ValueError("the messages are not in the order of time")
        cited = [memory.stated_in for memory in self.expected.memories]
        cited += [todo.stated_in for todo in self.expected.todos]
        for messages in cited:
            if strangers := set(messages) - set(ids):
                raise ValueError(f"no message {', '.join(sorted(strangers))}")
        for memory in self.expected.memories:
            if memory.agent is not None and memory.agent not in self.participants:
                raise ValueError(f"{memory.agent} takes no part")
            if memory.layer == "project" and self.project_id is None:
                raise ValueError("a memory of the project layer, and no project")
        return self


def read_golden_dialogues(path: Path) -> list[GoldenDialogue]:
    """The dialogues of a file of JSON lines, in its order.

    Raises:
        DialogueUnreadable: a line is no dialogue, or an id occurs twice.
    """
    dialogues: list[GoldenDialogue] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            dialogues.append(GoldenDialogue.model_validate_json(line))
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(str(part) for part in fault['loc']) or 'dialogue'}: {fault['msg']}"
                for fault in error.errors()
            )
            raise UnreadableDialogue(f"{path.name}, line {number}: {faults}") from None
    counted = Counter(dialogue.id for dialogue in dialogues)
    if twice := [name for name, times in counted.items() if times > 1]:
        raise UnreadableDialogue(f"{path.name}: {', '.join(twice)} occurs more than once")
    return dialogues
