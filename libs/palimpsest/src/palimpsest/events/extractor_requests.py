"""Requests to the extractor on `extractions`; each is made once and answered once."""

from abc import ABC, abstractmethod
from datetime import datetime
from typing import Literal, Self

from pydantic import Field

from palimpsest.events.embeddable_event import MemoryText
from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.model.distillate import Distillate
from palimpsest.model.identifiers import derive_id
from palimpsest.model.kinds import Kind
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Turn
from palimpsest.model.user import Language, TimeZoneName, UserSettings
from palimpsest.model.value_types import Identifier, Instant, Value
from palimpsest.model.window import WindowTrigger


class ExtractorRequest(Event, ABC):
    """A request for the extractor's ledger. It is made once and answered once."""

    @property
    @abstractmethod
    def request_id(self) -> str: ...


class ExtractionRequested(ExtractorRequest):
    """A window of a session: fresh turns to extract from, and context seen before."""

    type: Literal["ExtractionRequested"] = "ExtractionRequested"
    session_id: Identifier
    window_id: str
    trigger: WindowTrigger
    fresh: tuple[Turn, ...]
    context: tuple[Turn, ...] = ()
    participants: tuple[str, ...] = ()
    topic: str | None = None
    """The topic of the session, as the chat service told it."""
    settings: UserSettings

    @property
    def request_id(self) -> str:
        return self.window_id


class SummaryRequested(ExtractorRequest):
    """A request to summarise a session up to a message number. The extractor makes it itself."""

    type: Literal["SummaryRequested"] = "SummaryRequested"
    session_id: Identifier
    question_id: str
    through: int
    attempt: int = 0
    """The number of earlier attempts that were given up."""
    anew: str | None = None
    """The reason to sum up the same messages once more; part of the request's id."""
    settings: UserSettings

    @property
    def request_id(self) -> str:
        return self.question_id

    @classmethod
    def about(
        cls,
        scope: Scope,
        session_id: str,
        *,
        through: int,
        epoch: int | None,
        settings: UserSettings,
        now: datetime,
        attempt: int = 0,
        anew: str | None = None,
    ) -> Self:
        """Build the request. The same messages make the same one, unless `attempt` or `anew` differs."""
        places = (scope.user_id, session_id, str(through), str(attempt))
        question_id = derive_id("summary_request", *places, *(() if anew is None else (anew,)))
        return cls(
            event_id=derive_event_id("SummaryRequested", scope.user_id, question_id),
            occurred_at=now,
            received_at=now,
            epoch=epoch,
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            project_id=scope.project_id,
            session_id=session_id,
            question_id=question_id,
            through=through,
            attempt=attempt,
            anew=anew,
            settings=settings,
        )


class ProfileFact(Value):
    """A memory that a profile may use."""

    kind: Kind
    content: str


class ReplacedStatement(Value):
    """A statement and its replacement."""

    before: str
    after: str


class ProfileRequested(ExtractorRequest):
    """A request for a profile: what is known of this user in one layer, in a few paragraphs?"""

    type: Literal["ProfileRequested"] = "ProfileRequested"
    question_id: str
    isolated: bool = False
    """True if all of it is of one layer: the agent's own, or the user layer without an agent."""
    version: int
    """The version of the current profile, 0 if there is none; the answer has the next one."""
    revision: int
    """The user's revision that the answer takes account of."""
    narrative: str
    """The current text of the profile; empty if there is none."""
    basic_info: dict[str, str]
    summaries: tuple[SessionSummary, ...]
    """Summaries made since the current profile, oldest session first."""
    facts: tuple[ProfileFact, ...]
    """The facts that hold, most important first."""
    changes: tuple[ReplacedStatement, ...] = ()
    open_todos: tuple[str, ...] = ()
    done_todos: tuple[str, ...] = ()
    known_names: tuple[str, ...] = ()
    """Names in memories; the profile may keep each of them that it mentions."""
    unchecked: bool = False
    """True if a topic was forgotten: the profile is written from what remains, and may drop names.
    """
    last_summary_id: str | None = None
    summaries_through: Instant
    language: Language

    @property
    def request_id(self) -> str:
        return self.question_id


class JudgementRequested(ExtractorRequest):
    """A request to judge a new memory against those that resemble it.

    All are kept until it is answered.
    """

    type: Literal["JudgementRequested"] = "JudgementRequested"
    question_id: str
    new: MemoryText
    standing: tuple[MemoryText, ...] = Field(min_length=1)

    @property
    def request_id(self) -> str:
        return self.question_id


class ReflectionMemory(MemoryText):
    """A memory with the details that show its relation to others."""

    kind: Kind
    occurred_at: Instant


class ReflectionRequested(ExtractorRequest):
    """A request to find what these memories of one scope show together and none shows alone."""

    type: Literal["ReflectionRequested"] = "ReflectionRequested"
    question_id: str
    memories: tuple[ReflectionMemory, ...] = Field(min_length=1)
    """The memories in the order of time."""
    standing: tuple[MemoryText, ...] = ()
    """Known reflections, which are not to be found again."""
    through: Instant
    """When the newest of the memories was recorded."""
    distillate: Distillate | None = None
    """The memory that is to take the place of all of these; it is to be worded anew. None: what they
    show is asked."""
    language: Language
    time_zone: TimeZoneName

    @property
    def request_id(self) -> str:
        return self.question_id
