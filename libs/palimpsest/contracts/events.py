"""Every event that travels on a topic. Additions keep the major; see `Event`."""

from abc import ABC, abstractmethod
from typing import Literal

from pydantic import Field, NonNegativeInt, ValidationInfo, field_validator

from palimpsest.contracts import content
from palimpsest.contracts.content import Content, FreeData, content_beside
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.vectors import TextVectors
from palimpsest.domain.change_set import ChangeSet
from palimpsest.domain.evolution.judging import Judgement, MemoryAt
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Candidate, Source, embedded_text
from palimpsest.domain.model import Identifier, Instant, UnitInterval, Value
from palimpsest.domain.profiles.profile import Profile
from palimpsest.domain.reflection.proposed import ProposedReflection
from palimpsest.domain.summaries.summary import (
    CHAT_SERVICE,
    LIFE,
    SessionSummary,
    summary_id,
)
from palimpsest.domain.todos.completing import Completion
from palimpsest.domain.turn import ImageReference, Role, Span, Turn
from palimpsest.domain.user import Language, TimeZoneName, UserSettings
from palimpsest.domain.vectors import EmbeddableText
from palimpsest.domain.writing import language_of, summarised

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
    """Pictures and videos that belong to it."""
    text: str
    """May be blank beside pictures; with all that is said of them at most 64 KiB of UTF-8."""
    incognito: bool = False
    injected: tuple[Span, ...] = ()
    """Stretches of the text that came out of memory."""
    reply_to: Identifier | None = None
    """The message of the same session that this one answers: what is wished there is wished of its agent."""

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str, fields: ValidationInfo) -> str:
        return content_beside(fields.data.get("images", ()), text)


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


class MemoryText(Value):
    """The text of one memory at one version."""

    memory_id: str
    version: int
    text: str

    @property
    def at(self) -> MemoryAt:
        return MemoryAt(memory_id=self.memory_id, version=self.version)


class Question(Event, ABC):
    """Something for the extractor's ledger. Asked once, answered once."""

    @property
    @abstractmethod
    def request_id(self) -> str: ...


class ExtractionRequested(Question):
    """A window of a session: fresh turns to extract from, and context seen before."""

    type: Literal["ExtractionRequested"] = "ExtractionRequested"
    session_id: Identifier
    window_id: str
    trigger: Literal["rounds", "session_end", "idle", "requested", "skill"]
    fresh: tuple[Turn, ...]
    context: tuple[Turn, ...] = ()
    participants: tuple[str, ...] = ()
    settings: UserSettings

    @property
    def request_id(self) -> str:
        return self.window_id


class SummaryRequested(Question):
    """Say what a session is about, up to a number. The extractor asks this of itself."""

    type: Literal["SummaryRequested"] = "SummaryRequested"
    session_id: Identifier
    question_id: str
    through: int
    attempt: int = 0
    """How often it was given up before."""
    settings: UserSettings

    @property
    def request_id(self) -> str:
        return self.question_id


class ProfileFact(Value):
    """What a memory says that a profile may take up."""

    kind: Kind
    content: str


class Changed(Value):
    """A value of the user that took the place of another."""

    before: str
    after: str


class ProfileRequested(Question):
    """The consolidator asks: what is known of this user, in a few paragraphs?"""

    type: Literal["ProfileRequested"] = "ProfileRequested"
    question_id: str
    version: int
    """Of the account as it stands; 0 where there is none. The answer is the next one."""
    revision: int
    """Of the user: what the answer takes account of."""
    narrative: str
    """As it stands; empty where there is none."""
    basic_info: dict[str, str]
    summaries: tuple[SessionSummary, ...]
    """Made since, the oldest session first."""
    facts: tuple[ProfileFact, ...]
    """What holds, the weightiest first."""
    changes: tuple[Changed, ...] = ()
    open_todos: tuple[str, ...] = ()
    done_todos: tuple[str, ...] = ()
    known_names: tuple[str, ...] = ()
    """Of whom and what memories speak of; all of them that the account names are to stay in it."""
    unchecked: bool = False
    """A topic was forgotten: it is to be written from what remains, and names may go."""
    last_summary_id: str | None = None
    summaries_through: Instant
    language: Language

    @property
    def request_id(self) -> str:
        return self.question_id


class JudgementRequested(Question):
    """What is this new memory to those that resemble it? All are kept until that is known."""

    type: Literal["JudgementRequested"] = "JudgementRequested"
    question_id: str
    new: MemoryText
    standing: tuple[MemoryText, ...] = Field(min_length=1)

    @property
    def request_id(self) -> str:
        return self.question_id


class MemoryShown(MemoryText):
    """With what tells how it stands among others."""

    kind: Kind
    occurred_at: Instant


class ReflectionRequested(Question):
    """What do these memories of one scope show together that none of them says?"""

    type: Literal["ReflectionRequested"] = "ReflectionRequested"
    question_id: str
    memories: tuple[MemoryShown, ...] = Field(min_length=1)
    """In the order of time."""
    standing: tuple[MemoryText, ...] = ()
    """What was found before, and is not to be found again."""
    through: Instant
    """When the newest of the memories was recorded."""
    language: Language
    time_zone: TimeZoneName

    @property
    def request_id(self) -> str:
        return self.question_id


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


class QuestionAnswered(TextCarrier, ABC):
    """What follows from a question in the ledger."""

    provider: str
    candidates: tuple[Candidate, ...] = ()

    @property
    @abstractmethod
    def request_id(self) -> str: ...


class CandidatesProposed(QuestionAnswered):
    """What the extractor found in one window. It may be nothing, and that is an answer."""

    type: Literal["CandidatesProposed"] = "CandidatesProposed"
    window_id: str
    candidates: tuple[Candidate, ...]
    completions: tuple[Completion, ...] = ()
    """What somebody said is done, of what was to be done."""

    def texts(self) -> tuple[EmbeddableText, ...]:
        return tuple(
            EmbeddableText(dense=candidate.embedded_text, sparse=candidate.embedded_text)
            for candidate in self.candidates
        )

    @property
    def request_id(self) -> str:
        return self.window_id


class SummaryProposed(QuestionAnswered):
    """What a session was about. It may be nothing, and that is an answer."""

    type: Literal["SummaryProposed"] = "SummaryProposed"
    session_id: Identifier
    question_id: str
    summary: SessionSummary | None = None
    candidates: tuple[Candidate, ...] = ()
    """Its key facts, with what they rest on."""

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        """Of the summary first, where there is one that counts; then of the candidates."""
        summary = () if self.summary is None or self.summary.failed else (self.summary,)
        return (
            *(summary_text(each) for each in summary),
            *(
                EmbeddableText(dense=candidate.embedded_text, sparse=candidate.embedded_text)
                for candidate in self.candidates
            ),
        )


class ProfileProposed(QuestionAnswered):
    """A user's profile as it is to be. It carries no vectors: nobody searches for it."""

    type: Literal["ProfileProposed"] = "ProfileProposed"
    question_id: str
    profile: Profile

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        return ()


class JudgementProposed(QuestionAnswered):
    """What a new memory is to one that stood. Applied only where both stand as they were asked about."""

    type: Literal["JudgementProposed"] = "JudgementProposed"
    question_id: str
    judgement: Judgement

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        """Of a merge, what is to be said by the memory that stays."""
        if self.judgement.content is None:
            return ()
        text = embedded_text(summarised(self.judgement.content), self.judgement.content)
        return (EmbeddableText(dense=text, sparse=text),)


class ReflectionsProposed(QuestionAnswered):
    """What several memories show together. It may be nothing, and that is an answer."""

    type: Literal["ReflectionsProposed"] = "ReflectionsProposed"
    question_id: str
    reflections: tuple[ProposedReflection, ...]

    @property
    def request_id(self) -> str:
        return self.question_id

    def texts(self) -> tuple[EmbeddableText, ...]:
        return tuple(
            EmbeddableText(dense=one.embedded_text, sparse=one.embedded_text)
            for one in self.reflections
        )


class SummaryPublished(TextCarrier):
    """A chat service says itself what a session is about, from its own context management."""

    type: Literal["SummaryPublished"] = "SummaryPublished"
    session_id: Identifier
    text: Content
    topics: tuple[str, ...] = ()
    user_intent: str | None = None
    emotional_tone: str | None = None
    key_facts: tuple[str, ...] = ()
    unresolved: str | None = None
    message_count: int = 0
    """How many messages it is about; 0 where that is not known."""
    incognito: bool = False

    def texts(self) -> tuple[EmbeddableText, ...]:
        return (summary_text(self.summary()),)

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
            language=language_of(self.text),
            made_by=CHAT_SERVICE,
            message_count=self.message_count,
            through=0,
            started_at=self.occurred_at,
            ended_at=self.occurred_at,
            made_at=received_at,
            expires_at=received_at + LIFE,
            epoch=self.epoch or 0,
        )


class SummaryReprojectionRequested(TextCarrier):
    """Make the vectors of this summary again, at the version named."""

    type: Literal["SummaryReprojectionRequested"] = "SummaryReprojectionRequested"
    session_id: Identifier
    version: int
    text: EmbeddableText

    def texts(self) -> tuple[EmbeddableText, ...]:
        return (self.text,)


def summary_text(summary: SessionSummary) -> EmbeddableText:
    """With its day, like a turn's: people ask what was said on one."""
    day = summary.ended_at
    dated = f"{summary.embedded_text}\n{day:%d %B %Y} {day:%Y年%m月%d日}"
    return EmbeddableText(dense=summary.embedded_text, sparse=dated)


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


class Returned(Value):
    """A result of a recall, as it was ranked."""

    id: str
    signs: tuple[float, ...]
    """What its score was made of, in the order of `domain.ranking.tuning.SIGNS`, unweighed."""


class MemoriesAccessed(Event):
    """One recall, and the memories it returned. Counted once for each recall id."""

    type: Literal["MemoriesAccessed"] = "MemoriesAccessed"
    recall_id: str
    memory_ids: tuple[str, ...]
    returned: tuple[Returned, ...] = ()
    """All results of the default ranking, turns too: the trace that `tune` reads."""


# --- notifications: what somebody wants to be told of ----------------------------------------


class ReminderDue(Event):
    """It is time to remind a user. Once for each todo and time; `event_id` tells repeats."""

    type: Literal["ReminderDue"] = "ReminderDue"
    todo_id: str
    content: str
    due_at: Instant | None = None
    all_day: bool = False


class UsageRecorded(Event):
    """A language model took tokens for a user. Once for each call; `event_id` tells repeats.

    `occurred_at` is when the call began. What is asked for by `GET /v1/usage`
    is the account, this is the news of it: whoever adds it up counts each
    `event_id` once.
    """

    type: Literal["UsageRecorded"] = "UsageRecorded"
    request_id: str | None = None
    """What it was asked for: a window, a summary, a profile. Several calls may be."""
    task: str
    """extraction, summary, profile, judgement, reflection, or another of the settings' tasks."""
    model: str
    """Vendor and name, such as `openai/…`."""
    input_tokens: NonNegativeInt
    """All that went in, what was cached included."""
    cached_input_tokens: NonNegativeInt = 0
    output_tokens: NonNegativeInt
    cost_millionths: NonNegativeInt = 0
    """Millionths of the currency that the prices of the settings are in."""
    failed: bool = False
    """It brought no usable answer; the vendor charges for it all the same."""
    failure: str | None = None
    estimated: bool = False
    """The tokens are not the vendor's count: it was cut off, or the server keeps none."""


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
