"""Who answers which question: windows, sessions, profiles, likeness, and what memories show."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from palimpsest.contracts.answers import QuestionAnswered
from palimpsest.contracts.questions import (
    ExtractionRequested,
    JudgementRequested,
    ProfileRequested,
    Question,
    ReflectionRequested,
    SummaryRequested,
)
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import InvalidEvent
from palimpsest.domain.summaries.worth import is_worth_a_summary
from palimpsest.providers.extraction.dialogue import ExtractionRequest, numbered
from palimpsest.providers.extraction.grounding import Flaw
from palimpsest.providers.extraction.judging import Judge
from palimpsest.providers.extraction.messages import request_of
from palimpsest.providers.extraction.profiles.profiler import Profiler
from palimpsest.providers.extraction.profiles.proposing import profile_proposed
from palimpsest.providers.extraction.proposing import propose
from palimpsest.providers.extraction.provider import ExtractionProvider
from palimpsest.providers.extraction.reflecting import Reflector
from palimpsest.providers.extraction.summaries.proposing import placeholder, propose_summary
from palimpsest.providers.extraction.summaries.summariser import Summariser, SummaryAsked
from services.extractor.sessions import SessionsRead


@dataclass(frozen=True)
class Answered:
    event: QuestionAnswered
    dropped: Counter[Flaw] = field(default_factory=Counter)
    """How many proposals had no sound evidence, by flaw."""


class Answerer(Protocol):
    @property
    def name(self) -> str: ...

    async def answer(self, question: Question, *, marked: str) -> Answered:
        """What follows from the question, marked as this provider's.

        Raises:
            TransientError: it may succeed later, not before `retry_after_seconds`.
            PermanentError: it will fail every time.
        """
        ...

    async def instead(self, question: Question) -> QuestionAnswered | None:
        """What stands in its place once it is given up; None: nothing, and it is set aside."""
        ...


@dataclass(frozen=True)
class Way:
    """How questions of one type are answered."""

    first: Answerer
    fallback: Answerer | None = None


Ways = Mapping[type[Question], Way]


def way_of(ways: Ways, question: Question) -> Way:
    """Raises InvalidEvent where nobody here answers such a question."""
    try:
        return ways[type(question)]
    except KeyError:
        raise InvalidEvent(f"nobody answers {question.type}") from None


class Extracting:
    def __init__(self, provider: ExtractionProvider) -> None:
        self._provider = provider

    @property
    def name(self) -> str:
        return self._provider.name

    async def answer(self, question: Question, *, marked: str) -> Answered:
        if not isinstance(question, ExtractionRequested):
            raise TypeError(f"{question.type} is no window")
        answer = await self._provider.extract(request_of(question))
        proposed = propose(question, answer, provider=marked)
        return Answered(proposed.event, proposed.dropped)

    async def instead(self, question: Question) -> None:  # noqa: ARG002 - nothing stands in
        return None


class Profiling:
    def __init__(self, profiler: Profiler, clock: Clock) -> None:
        self._profiler = profiler
        self._clock = clock

    @property
    def name(self) -> str:
        return self._profiler.name

    async def answer(self, question: Question, *, marked: str) -> Answered:
        if not isinstance(question, ProfileRequested):
            raise TypeError(f"{question.type} asks for no profile")
        answer = await self._profiler.describe(question)
        return Answered(profile_proposed(question, answer, provider=marked, now=self._clock()))

    async def instead(self, question: Question) -> None:  # noqa: ARG002 - the old one stands
        return None


class Judging:
    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        return self._judge.name

    async def answer(self, question: Question, *, marked: str) -> Answered:
        if not isinstance(question, JudgementRequested):
            raise TypeError(f"{question.type} asks for no judgement")
        return Answered(await self._judge.judge(question, provider=marked))

    async def instead(self, question: Question) -> None:  # noqa: ARG002 - both are kept
        return None


class Reflecting:
    def __init__(self, reflector: Reflector) -> None:
        self._reflector = reflector

    @property
    def name(self) -> str:
        return self._reflector.name

    async def answer(self, question: Question, *, marked: str) -> Answered:
        if not isinstance(question, ReflectionRequested):
            raise TypeError(f"{question.type} asks for no reflection")
        reflected = await self._reflector.reflect(question, provider=marked)
        return Answered(reflected.event, reflected.dropped)

    async def instead(self, question: Question) -> None:  # noqa: ARG002 - the rules go on
        return None


class Summarising:
    def __init__(self, summariser: Summariser, sessions: SessionsRead, clock: Clock) -> None:
        self._summariser = summariser
        self._sessions = sessions
        self._clock = clock

    @property
    def name(self) -> str:
        return self._summariser.name

    async def answer(self, question: Question, *, marked: str) -> Answered:
        asked = _summary_requested(question)
        read = await self._sessions.read(asked)
        answer = None
        if is_worth_a_summary(read.turns):
            answer = await self._summariser.summarise(
                SummaryAsked(
                    conversation=ExtractionRequest(
                        user_id=asked.user_id,
                        messages=numbered(read.turns),
                        participants=(),
                        language=asked.settings.language,
                        time_zone=asked.settings.time_zone,
                    ),
                    published=read.published,
                )
            )
        proposed = propose_summary(asked, read, answer, provider=marked, now=self._clock())
        return Answered(proposed.event, proposed.dropped)

    async def instead(self, question: Question) -> QuestionAnswered | None:
        asked = _summary_requested(question)
        read = await self._sessions.read(asked)
        if not read.turns:
            return None
        return placeholder(asked, read, provider=self.name, now=self._clock())


def _summary_requested(question: Question) -> SummaryRequested:
    if not isinstance(question, SummaryRequested):
        raise TypeError(f"{question.type} asks for no summary")
    return question
