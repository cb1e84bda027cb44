"""Fields that calls take by name beside their own parameters, so that editors know them.

Each class repeats the fields of a request; a test compares the names.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NotRequired, Required, TypedDict

from palimpsest.api.context import Persona
from palimpsest.model.context_format import FormatName
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import MemorySource
from palimpsest.model.ranking_policy import PolicyName
from palimpsest.model.user import (
    CompressionPolicy,
    ForgettingPolicy,
    Language,
    QuietHours,
    ReviewPolicy,
    SensitiveTopic,
    SharingPolicy,
)


class ScopeFields(TypedDict):
    """Fields of the scope from which memories are seen."""

    user_id: Required[str]
    agent_id: NotRequired[str | None]
    project_id: NotRequired[str | None]


class ContextFields(TypedDict, total=False):
    """Fields of `ContextRequest`."""

    agent_id: str | None
    project_id: str | None
    session_id: str | None
    context: Sequence[str]
    format: FormatName | str
    policy: PolicyName | str | None
    limit: int | None
    token_budget: int
    language: Language | str | None
    persona: Persona | Mapping[str, str]
    system_prompt: str
    last_messages: int | None
    citations: bool | None
    min_revision: int | None
    incognito: bool


class AddFields(TypedDict, total=False):
    """Fields of `AddRequest`."""

    summary: str | None
    kind: Kind | str
    source: MemorySource | str
    subject: str | None
    attribute: str | None
    value: str | None
    importance: float | str | None
    tags: Sequence[str]
    entities: Sequence[str]
    data: Mapping[str, Any]
    occurred_at: datetime | None
    due_at: datetime | None
    remind_at: datetime | None
    expires_at: datetime | None
    record_key: str | None


class AddTodoFields(TypedDict, total=False):
    """Fields of `AddTodoRequest`."""

    summary: str | None
    importance: float | str | None
    tags: Sequence[str]
    entities: Sequence[str]
    data: Mapping[str, Any]
    due_at: datetime | None
    remind_at: datetime | None
    recurrence: str | None


class EditFields(TypedDict, total=False):
    """Fields of `EditRequest`."""

    content: str | None
    summary: str | None
    kind: Kind | str | None
    subject: str | None
    attribute: str | None
    value: str | None
    importance: float | str | None
    tags: Sequence[str] | None
    entities: Sequence[str] | None
    data: Mapping[str, Any] | None
    valid_from: datetime | None
    valid_until: datetime | None
    expires_at: datetime | None
    version: int | None


class SettingsFields(TypedDict, total=False):
    """Fields of `SettingsUpdate`."""

    memory_enabled: bool | None
    automatic_extraction: bool | None
    review: ReviewPolicy | str | None
    sensitive_topics: Collection[SensitiveTopic | str] | None
    withheld_topics: Collection[SensitiveTopic | str] | None
    time_zone: str | None
    language: Language | str | None
    sharing_policy: SharingPolicy | str | None
    forgetting_policy: ForgettingPolicy | str | None
    compression: CompressionPolicy | str | None
    citations: bool | None
    quiet_hours: QuietHours | Mapping[str, str] | None


class EventFields(TypedDict, total=False):
    """Fields of the envelope of any event."""

    event_id: str
    occurred_at: datetime
    trace: str | None


class RememberFields(EventFields, total=False):
    """Fields of `RememberRequested`."""

    session_id: str | None
    message_id: str | None
    summary: str | None
    kind: Kind | str
    source: MemorySource | str
    subject: str | None
    attribute: str | None
    value: str | None
    ended: bool
    importance: float | str | None
    tags: Sequence[str]
    entities: Sequence[str]
    data: Mapping[str, Any]
    due_at: datetime | None
    remind_at: datetime | None
    expires_at: datetime | None
    record_key: str | None
    incognito: bool


class RecallReferenceFields(EventFields, total=False):
    """Fields of `RecallUsed` that say where the recall took place."""

    agent_id: str | None
    project_id: str | None
    session_id: str | None


class FeedbackFields(RecallReferenceFields, total=False):
    """Fields of `FeedbackGiven`."""

    actor: Literal["user", "agent"]
