"""Every event that travels on a topic. Additions keep the major; see `Event`."""

from abc import ABC, abstractmethod
from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from palimpsest.contracts import content
from palimpsest.contracts.content import Content, FreeData, content_beside
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.vectors import TextVectors
from palimpsest.domain.change_set import ChangeSet
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Candidate, Source, embedded_text
from palimpsest.domain.model import Identifier, Instant, UnitInterval, Value
from palimpsest.domain.todos.completing import Completion
from palimpsest.domain.turn import ImageReference, Role, Span, Turn
from palimpsest.domain.user import UserSettings
from palimpsest.domain.vectors import EmbeddableText

MAXIMUM_CONTENT_BYTES = content.MAXIMUM_CONTENT_BYTES

# --- conversations: what chat services say -------------------------------------------------


class SessionStarted(Event):
    type: Literal["SessionStarted"] = "SessionStarted"
    session_id: Identifier
    topic: str | None = None
    participants: tuple[str, ...] = ()
    """The agents (by agent id) and people (by name) who take part."""


class MessageAdded(Event):
    type: Literal["MessageAdded"] = "MessageAdded"
    session_id: Identifier
    message_id: Identifier
    role: Role
    speaker: str | None = None
    """The name of whoever speaks; tells people of one role apart."""
    images: tuple[ImageReference, ...] = ()
    text: str
    """May be blank where a picture has a caption; with all captions at most 64 KiB of UTF-8."""
    incognito: bool = False
    injected: tuple[Span, ...] = ()
    """Stretches of the text that came out of memory."""

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str, fields: ValidationInfo) -> str:
        images: tuple[ImageReference, ...] = fields.data.get("images", ())
        return content_beside([image.caption for image in images if image.caption], text)


class SessionEnded(Event):
    type: Literal["SessionEnded"] = "SessionEnded"
    session_id: Identifier


class TextCarrier(Event, ABC):
    """An event with text to embed. The embedder fills `vectors`, one for each text."""

    vectors: tuple[TextVectors, ...] = ()

    @abstractmethod
    def texts(self) -> tuple[EmbeddableText, ...]: ...


class RememberRequested(TextCarrier):
    """Somebody said: remember this. Active at once, for its author has confirmed it."""

    type: Literal["RememberRequested"] = "RememberRequested"
    message_id: Identifier | None = None
    content: Content
    summary: str | None = None
    kind: Kind = Kind.FACT
    source: Source = Source.USER_INPUT
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    ended: bool = False
    """This value no longer holds, from `occurred_at` on."""
    importance: UnitInterval | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    data: FreeData = Field(default_factory=dict)
    incognito: bool = False

    def texts(self) -> tuple[EmbeddableText, ...]:
        text = embedded_text(self.summary, self.content) if self.summary else self.content
        return (EmbeddableText(dense=text, sparse=text),)


# --- extractions: windows for the extractor ------------------------------------------------


class ExtractionRequested(Event):
    """A window of a session: fresh turns to extract from, and context seen before."""

    type: Literal["ExtractionRequested"] = "ExtractionRequested"
    session_id: Identifier
    window_id: str
    trigger: Literal["rounds", "session_end", "idle", "requested"]
    fresh: tuple[Turn, ...]
    context: tuple[Turn, ...] = ()
    participants: tuple[str, ...] = ()
    settings: UserSettings


# --- candidates and writes: towards the one writer -----------------------------------------


class TurnStored(TextCarrier):
    """A raw turn that is to become searchable."""

    type: Literal["TurnStored"] = "TurnStored"
    turn: Turn

    def texts(self) -> tuple[EmbeddableText, ...]:
        turn = self.turn
        spoken = f"{turn.speaker}: {turn.full_text}" if turn.speaker else turn.full_text
        dated = f"{spoken}\n{turn.occurred_at:%d %B %Y} {turn.occurred_at:%Y年%m月%d日}"
        return (EmbeddableText(dense=turn.full_text, sparse=dated),)


class CandidatesProposed(TextCarrier):
    """What the extractor found in one window. It may be nothing, and that is an answer."""

    type: Literal["CandidatesProposed"] = "CandidatesProposed"
    window_id: str
    provider: str
    candidates: tuple[Candidate, ...]
    completions: tuple[Completion, ...] = ()
    """What somebody said is done, of what was to be done."""

    def texts(self) -> tuple[EmbeddableText, ...]:
        return tuple(
            EmbeddableText(dense=candidate.embedded_text, sparse=candidate.embedded_text)
            for candidate in self.candidates
        )


class MemoryText(Value):
    """The text of one memory at one version."""

    memory_id: str
    version: int
    text: str


class ReprojectionRequested(TextCarrier):
    """Make the vectors of these memories again, at the versions named."""

    type: Literal["ReprojectionRequested"] = "ReprojectionRequested"
    memories: tuple[MemoryText, ...]

    def texts(self) -> tuple[EmbeddableText, ...]:
        return tuple(
            EmbeddableText(dense=memory.text, sparse=memory.text) for memory in self.memories
        )


class TodoDue(Event):
    """The consolidator to itself: it is time to remind somebody of this."""

    type: Literal["TodoDue"] = "TodoDue"
    todo_id: str
    remind_at: Instant
    """A reminder for another time than the todo's is out of date."""


class MemoriesAccessed(Event):
    """One recall, and the memories it returned. Counted once for each recall id."""

    type: Literal["MemoriesAccessed"] = "MemoriesAccessed"
    recall_id: str
    memory_ids: tuple[str, ...]


# --- notifications: what somebody wants to be told of ----------------------------------------


class ReminderDue(Event):
    """It is time to remind a user. Once for each todo and time; `event_id` tells repeats."""

    type: Literal["ReminderDue"] = "ReminderDue"
    todo_id: str
    content: str
    due_at: Instant | None = None
    all_day: bool = False


# --- changes and dead letters: what is announced -------------------------------------------


class ChangeSetAnnounced(Event):
    """A change set has been applied and projected: whoever caches, shows or waits may act."""

    type: Literal["ChangeSetAnnounced"] = "ChangeSetAnnounced"
    change_set: ChangeSet


class DeadLetterAnnounced(Event):
    """Something was set aside. Without content: that is in MongoDB."""

    type: Literal["DeadLetterAnnounced"] = "DeadLetterAnnounced"
    dead_letter_id: str
    stage: str
    reason: str
    event_type: str | None = None
