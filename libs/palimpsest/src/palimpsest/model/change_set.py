"""One decision of the consolidator, stored before anything is changed."""

from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Literal, Self

from pydantic import Field

from palimpsest.model.entity import Entity
from palimpsest.model.erasure import Erasure
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Memory
from palimpsest.model.profile import Profile
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import Todo
from palimpsest.model.user import UserSettings
from palimpsest.model.value_types import Identifier, Instant, Value


class ChangeSetProgress(StrEnum):
    """Progress of a change set; each step is idempotent and they come in this order."""

    DECIDED = "decided"
    APPLIED = "applied"
    PROJECTED = "projected"
    ANNOUNCED = "announced"


class Cause(Value):
    """The event that made the consolidator decide."""

    event_id: str
    type: str
    occurred_at: Instant
    received_at: Instant
    session_id: Identifier | None = None
    """The conversation in which the cause was said; null for commands from outside of one."""
    trace: str | None = None


class MemoryChange(Value):
    record: Literal["memory"] = "memory"
    before: Memory | None = None
    after: Memory

    @property
    def expected_version(self) -> int:
        """The version that must be current for the change to apply; 0 if there must be none."""
        return 0 if self.before is None else self.before.version

    @property
    def reworded(self) -> bool:
        """True if the embedded text has changed."""
        return self.before is not None and self.before.embedded_text != self.after.embedded_text


class SettingsChange(Value):
    record: Literal["settings"] = "settings"
    before: UserSettings
    after: UserSettings


class TodoChange(Value):
    record: Literal["todo"] = "todo"
    before: Todo | None = None
    after: Todo


class SummaryChange(Value):
    record: Literal["summary"] = "summary"
    before: SessionSummary | None = None
    after: SessionSummary


class EntityChange(Value):
    record: Literal["entity"] = "entity"
    before: Entity | None = None
    after: Entity


class ProfileChange(Value):
    record: Literal["profile"] = "profile"
    before: Profile | None = None
    after: Profile


Change = Annotated[
    MemoryChange
    | SettingsChange
    | TodoChange
    | SummaryChange
    | EntityChange
    | ProfileChange
    | Erasure,
    Field(discriminator="record"),
]


class ChangeRefusal(Value):
    """The reason why a command changed nothing."""

    reason: str
    """The reason as a constant word."""
    message: str
    """The reason in words for people, without any content of a memory."""
    change_set_id: str | None = None
    """The later change set that prevents the command; null if none does."""
    revision: int | None = None


class ChangeSet(Value):
    """The changes that one event caused, each before and after. There may be none.

    `revision` rises by one with each change set of a user and is unique for the user. If two
    writers decide from the same state, the slower one is refused.
    """

    id: str
    user_id: str
    revision: int
    epoch: int
    cause: Cause
    actor: str
    reason: str
    decided_at: Instant
    changes: tuple[Change, ...]
    refusal: ChangeRefusal | None = None
    """The refusal of the command; a refused command makes no changes."""
    unread_characters: int = 0
    """Characters of the messages that were left unread, because reading them took too long."""
    progress: ChangeSetProgress = ChangeSetProgress.DECIDED

    def at(self, progress: ChangeSetProgress) -> Self:
        return self.model_copy(update={"progress": progress})

    @property
    def has_points(self) -> bool:
        """True if any of its changes is projected."""
        return bool(self.memory_changes or self.summary_changes)

    @property
    def profile_changes(self) -> tuple[ProfileChange, ...]:
        return tuple(change for change in self.changes if isinstance(change, ProfileChange))

    @property
    def summary_changes(self) -> tuple[SummaryChange, ...]:
        return tuple(change for change in self.changes if isinstance(change, SummaryChange))

    @property
    def memory_changes(self) -> tuple[MemoryChange, ...]:
        return tuple(change for change in self.changes if isinstance(change, MemoryChange))

    @property
    def erasures(self) -> tuple[Erasure, ...]:
        return tuple(change for change in self.changes if isinstance(change, Erasure))

    @property
    def reworded(self) -> tuple[str, ...]:
        """The ids of memories whose earlier vectors no longer fit."""
        return tuple(change.after.id for change in self.memory_changes if change.reworded)


@lru_cache(maxsize=4_096)
def change_set_id(user_id: str, event_id: str) -> str:
    return derive_id("change_set", user_id, event_id)
