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

from palimpsest.domain.kinds import Kind
from palimpsest.domain.model import Instant, Value
from palimpsest.domain.turn import Role


class DialogueUnreadable(ValueError):
    """A line of a file of dialogues is not one; the message names the file and the line."""


class Polarity(StrEnum):
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


Text = Annotated[str, Field(min_length=1)]

StatedDate = Annotated[str, AfterValidator(_stated)]
"""As exact as it was said: `2026`, `2026-03`, `2026-03-06` (all local), or a moment with offset."""

Detail = Text | tuple[Text, ...]
"""What must not be lost; where there are several ways to say it, any of them."""


class _Part(Value):
    model_config = ConfigDict(populate_by_name=True)


class Message(_Part):
    message_id: Text
    role: Role
    speaker: str | None = None
    agent_id: str | None = None
    text: Text
    at: Instant


class ExpectedMemory(_Part):
    kinds: tuple[Kind, ...] = Field(min_length=1)
    """The best first."""
    subject: tuple[Text, ...]
    """Empty: whatever it is said to be about."""
    attribute: tuple[Text, ...] | None = None
    value: tuple[Text, ...] = Field(min_length=1)
    polarity: Polarity = Polarity.POSITIVE
    details: tuple[Detail, ...] = ()
    layer: Literal["user", "agent", "project"]
    agent: str | None = None
    date: StatedDate | None = None
    stated_in: tuple[Text, ...] = Field(alias="from", min_length=1)
    optional: bool = False
    """A reader may keep it or leave it: neither missed nor wrong."""


class ExpectedTodo(_Part):
    content: tuple[Text, ...] = Field(min_length=1)
    due: StatedDate | None = None
    remind_at: StatedDate | None = None
    completed: bool = False
    stated_in: tuple[Text, ...] = Field(alias="from", min_length=1)
    optional: bool = False


class MustNot(_Part):
    words: tuple[Text, ...] = Field(min_length=1)
    """No memory may contain all of them."""
    why: Text


class Expected(_Part):
    memories: tuple[ExpectedMemory, ...] = ()
    todos: tuple[ExpectedTodo, ...] = ()
    must_not: tuple[MustNot, ...] = ()


class Dialogue(_Part):
    id: Text
    language: Literal["zh", "en"]
    domain: Literal["layered", "blended", "gated", "companion", "profile"]
    time_zone: Annotated[str, AfterValidator(_known_zone)]
    sharing_policy: Literal["layered", "user_level"]
    project_id: str | None = None
    participants: tuple[Text, ...] = ()
    messages: tuple[Message, ...] = Field(min_length=3, max_length=14)
    expected: Expected

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
        cited = [one.stated_in for one in self.expected.memories]
        cited += [one.stated_in for one in self.expected.todos]
        for messages in cited:
            if strangers := set(messages) - set(ids):
                raise ValueError(f"no message {', '.join(sorted(strangers))}")
        for memory in self.expected.memories:
            if memory.agent is not None and memory.agent not in self.participants:
                raise ValueError(f"{memory.agent} takes no part")
            if memory.layer == "project" and self.project_id is None:
                raise ValueError("a memory of the project layer, and no project")
        return self


def read_dialogues(path: Path) -> list[Dialogue]:
    """The dialogues of a file of JSON lines, in its order.

    Raises:
        DialogueUnreadable: a line is no dialogue, or an id occurs twice.
    """
    dialogues: list[Dialogue] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            dialogues.append(Dialogue.model_validate_json(line))
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(str(part) for part in fault['loc']) or 'dialogue'}: {fault['msg']}"
                for fault in error.errors()
            )
            raise DialogueUnreadable(f"{path.name}, line {number}: {faults}") from None
    counted = Counter(dialogue.id for dialogue in dialogues)
    if twice := [name for name, times in counted.items() if times > 1]:
        raise DialogueUnreadable(f"{path.name}: {', '.join(twice)} occurs more than once")
    return dialogues
