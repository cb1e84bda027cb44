"""A situation: conversations, commands of their user, and what has to hold in the end."""

import re
from collections.abc import Sequence
from datetime import date, timedelta, timezone
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, ValidationError, model_validator

from palimpsest.events.conversations import SpokenRole, add_utc_offset
from palimpsest.model.context_format import FormatName
from palimpsest.model.ranking_policy import PolicyName
from palimpsest.model.user import Language
from palimpsest.model.value_types import Identifier, Instant, UtcOffsetMinutes, Value
from palimpsest_lab.datasets.locomo import UnreadableData


def _compile(pattern: str) -> str:
    re.compile(pattern)
    return pattern


Pattern = Annotated[str, AfterValidator(_compile)]
"""A regular expression that is searched for in a text, without regard to case."""


class SituationMessage(Value):
    role: SpokenRole
    speaker: str | None = None
    text: str
    occurred_at: Instant
    utc_offset_minutes: UtcOffsetMinutes | None = None
    """East of Greenwich; left out, it is the offset of `occurred_at`."""

    @model_validator(mode="before")
    @classmethod
    def _said_where(cls, fields: Any) -> Any:
        return add_utc_offset(fields)


class SituationSession(Value):
    session_id: Identifier
    agent_id: Identifier | None = None
    project_id: Identifier | None = None
    messages: tuple[SituationMessage, ...]


class SituationCommand(Value):
    """One command of the user, given once all sessions were understood."""

    forget_topic: str | None = None
    reject_matching: Pattern | None = None
    """Reject every pending memory whose content matches, and call an active one wrong."""
    forget_matching: Pattern | None = None
    """Forget every active memory whose content matches."""


class SituationCheck(Value):
    """One statement about memories, an answer, a block or todos; every field that is set counts."""

    agent_id: Identifier | None = None
    project_id: Identifier | None = None
    active: Pattern | None = None
    no_active: Pattern | None = None
    todo: Pattern | None = None
    due: date | None = None
    """The day on which the todo that matches is due, by the clock of the last message."""
    no_todo: Pattern | None = None
    recall: str | None = None
    policy: PolicyName = PolicyName.DEFAULT
    first: Pattern | None = None
    first_not: Pattern | None = None
    any: Pattern | None = None
    none: Pattern | None = None
    empty: bool | None = None
    context: str | None = None
    format: FormatName = FormatName.DEFAULT
    has: Pattern | None = None
    has_not: Pattern | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        told = self.active, self.no_active, self.todo, self.no_todo, self.recall, self.context
        if not any(told):
            raise ValueError("a check says what it looks at")
        return self


class Situation(Value):
    id: Identifier
    language: Language
    kind: str
    title: str
    sessions: tuple[SituationSession, ...]
    commands: tuple[SituationCommand, ...] = ()
    checks: tuple[SituationCheck, ...]

    @property
    def time_zone(self) -> timezone:
        """The zone of the last message; days of todos are read by its clock."""
        minutes = [
            message.utc_offset_minutes for session in self.sessions for message in session.messages
        ]
        return timezone(timedelta(minutes=(minutes[-1] if minutes else None) or 0))


def read_situations(path: Path) -> Sequence[Situation]:
    """Read situations from JSON Lines.

    Raises:
        UnreadableData: there is no such file, or a line is no situation; with its number.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UnreadableData(f"{path.name} cannot be read: {type(error).__name__}") from error
    return [_read(line, number, path) for number, line in enumerate(lines, start=1) if line]


def _read(line: str, number: int, path: Path) -> Situation:
    try:
        return Situation.model_validate_json(line)
    except (ValidationError, re.error) as error:
        raise UnreadableData(f"line {number} of {path.name} is no situation: {error}") from error
