"""Events that chat services publish on `conversations`.

Additions keep the major version; see `Event`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from palimpsest.events.embeddable_event import EmbeddableEvent, build_summary_text
from palimpsest.events.envelope import Event
from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.content_limits import Content, FreeData, validate_captioned_content
from palimpsest.model.identifiers import derive_id
from palimpsest.model.kinds import Kind, KindByName
from palimpsest.model.memory import MemorySource, embedded_text, keyed_candidate_id
from palimpsest.model.session_summary import CHAT_SERVICE, LIFE, SessionSummary, summary_id
from palimpsest.model.turn import ImageReference, Role, TextSpan
from palimpsest.model.value_types import (
    Identifier,
    Importance,
    Instant,
    Integer,
    UtcOffsetMinutes,
    parse_utc_offset,
)
from palimpsest.model.vectors import EmbeddableText

ASSISTANT = "assistant"
"""The name of an agent's role in chat completions."""


def add_utc_offset(fields: Any) -> Any:
    """Add the UTC offset in which a message's time is written, before it is normalised."""
    if not isinstance(fields, Mapping) or fields.get("utc_offset_minutes") is not None:
        return fields
    offset = parse_utc_offset(fields.get("occurred_at"))
    return fields if offset is None else {**fields, "utc_offset_minutes": offset}


def _agent_for_assistant(role: Any) -> Any:
    if role == ASSISTANT:
        return Role.AGENT
    if not isinstance(role, str) or role not in set(Role):
        # Pydantic's own error would not name `assistant`, which is accepted beside the roles.
        raise PydanticCustomError("enum", "Input should be 'user', 'agent', 'assistant' or 'tool'")
    return role


SpokenRole = Annotated[
    Role,
    BeforeValidator(_agent_for_assistant, json_schema_input_type=Role | Literal["assistant"]),
]
"""The role of a speaker: `user`, `agent` or `tool`. `assistant` is accepted and stored as `agent`.
"""


class SessionStarted(Event):
    type: Literal["SessionStarted"] = "SessionStarted"
    session_id: Identifier
    topic: str | None = None
    participants: tuple[str, ...] = ()
    """Participants: agents by id, and people by name."""


class MessageAdded(Event):
    type: Literal["MessageAdded"] = "MessageAdded"
    session_id: Identifier
    message_id: Identifier
    role: SpokenRole
    speaker: str | None = None
    """The name of the speaker, which distinguishes people of the same role."""
    images: tuple[ImageReference, ...] = ()
    """Pictures and videos of the message."""
    text: str
    """The text, at most 64 KiB of UTF-8 with all captions; it may be blank beside pictures."""
    incognito: bool = False
    understood: bool = False
    """True if its memories are imported beside it: it is kept and recalled, and nothing is extracted
    from it."""
    injected: tuple[TextSpan, ...] = ()
    """Stretches of the text that came from memory and are not remembered again."""
    reply_to: Identifier | None = None
    """The message of the same session that this one answers; requests in that message are meant for
    this agent."""
    utc_offset_minutes: UtcOffsetMinutes | None = None
    """The speaker's offset in minutes east of UTC, -840 to 840; left out, that of `occurred_at`."""

    @model_validator(mode="before")
    @classmethod
    def _said_where(cls, fields: Any) -> Any:
        return add_utc_offset(fields)

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str, fields: ValidationInfo) -> str:
        return validate_captioned_content(fields.data.get("images", ()), text)


class SessionEnded(Event):
    type: Literal["SessionEnded"] = "SessionEnded"
    session_id: Identifier


class RememberRequested(EmbeddableEvent):
    """A request to remember something. The memory is active at once, because its author states it."""

    type: Literal["RememberRequested"] = "RememberRequested"
    message_id: Identifier | None = None
    content: Content
    summary: str | None = None
    kind: KindByName = Kind.FACT
    source: MemorySource = MemorySource.USER_INPUT
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    ended: bool = False
    """True if the value no longer holds, from `occurred_at` on."""
    importance: Importance | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    data: FreeData = Field(default_factory=dict)
    due_at: Instant | None = None
    """When a todo is due; null for the time in its words."""
    remind_at: Instant | None = None
    """When to send a reminder of a todo; null derives it from the due time."""
    expires_at: Instant | None = None
    """The moment at which the memory is forgotten; null for no such moment."""
    record_key: Identifier | None = None
    """A key of the caller's own, for a memory that stands alone: it is never merged with another
    one, superseded or compressed, and a later request under the same key rewrites it. Keys are
    stored unencrypted.
    """
    incognito: bool = False

    @property
    def candidate_id(self) -> str:
        """The id of the candidate: of one key in one scope, always the same."""
        if self.record_key is None:
            return derive_id("candidate", self.event_id, "0")
        return keyed_candidate_id(self.scope, self.record_key, self.epoch or 0)

    def texts(self) -> tuple[EmbeddableText, ...]:
        text = embedded_text(self.summary, self.content) if self.summary else self.content
        return (EmbeddableText(dense=text, sparse=text),)


class SummaryPublished(EmbeddableEvent):
    """A chat service's own summary of a session, from its own context management."""

    type: Literal["SummaryPublished"] = "SummaryPublished"
    session_id: Identifier
    text: Content
    topics: tuple[str, ...] = ()
    user_intent: str | None = None
    emotional_tone: str | None = None
    key_facts: tuple[str, ...] = ()
    unresolved: str | None = None
    message_count: Integer = 0
    """The number of messages that it sums up; 0 if unknown."""
    incognito: bool = False

    def texts(self) -> tuple[EmbeddableText, ...]:
        return (build_summary_text(self.summary()),)

    def summary(self) -> SessionSummary:
        received_at = self.received_at or self.occurred_at
        return SessionSummary(
            id=summary_id(self.user_id, self.session_id),
            scope=self.scope,
            session_id=self.session_id,
            text=self.text,
            topics=self.topics,
            user_intent=self.user_intent,
            emotional_tone=self.emotional_tone,
            key_facts=self.key_facts,
            unresolved=self.unresolved,
            language=detect_language(self.text),
            made_by=CHAT_SERVICE,
            message_count=self.message_count,
            through=0,
            started_at=self.occurred_at,
            ended_at=self.occurred_at,
            made_at=received_at,
            expires_at=received_at + LIFE,
            epoch=self.epoch or 0,
        )
