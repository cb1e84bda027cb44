"""Answers by type of question: windows, sessions, profiles, duplicates, reflections."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from palimpsest.events.extractor_answers import ExtractorAnswer
from palimpsest.events.extractor_requests import (
    ExtractionRequested,
    ExtractorRequest,
    JudgementRequested,
    ProfileRequested,
    ReflectionRequested,
    SummaryRequested,
)
from palimpsest.model.clock import Clock
from palimpsest.model.errors import InvalidEvent
from palimpsest_language.dialogue import ExtractionRequest, number_messages
from palimpsest_server.domain.summaries.eligibility import is_worth_a_summary
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from palimpsest_server.extraction.grounding import ProposalFlaw
from palimpsest_server.extraction.memory_judge import MemoryJudge
from palimpsest_server.extraction.profiles.profile_event import propose_profile
from palimpsest_server.extraction.profiles.profiler import Profiler
from palimpsest_server.extraction.provider import ExtractionProvider
from palimpsest_server.extraction.reflector import Reflector
from palimpsest_server.extraction.summaries.summariser import Summariser, SummaryInput
from palimpsest_server.extraction.summaries.summary_event import (
    build_failed_summary,
    propose_summary,
)
from services.extractor.session_transcript import TranscriptReader


@dataclass(frozen=True)
class DraftAnswer:
    event: ExtractorAnswer
    dropped: Counter[ProposalFlaw] = field(default_factory=Counter)
    """Numbers of proposals without sound evidence, by flaw."""


class QuestionAnswerer(Protocol):
    @property
    def name(self) -> str: ...

    async def answer(self, question: ExtractorRequest, *, marked: str) -> DraftAnswer:
        """Answer the question; `marked` is stored as the provider of the answer.

        Raises:
            TransientError: a later attempt may succeed, not before `retry_after_seconds`.
            PermanentError: every attempt will fail.
        """
        ...

    async def instead(self, question: ExtractorRequest) -> ExtractorAnswer | None:
        """Return a substitute for an abandoned question; None if the question is to be dead-lettered."""
        ...


@dataclass(frozen=True)
class AnswerRoute:
    """The answerers for questions of one type."""

    first: QuestionAnswerer
    fallback: QuestionAnswerer | None = None


AnswerRoutes = Mapping[type[ExtractorRequest], AnswerRoute]


def find_answer_route(ways: AnswerRoutes, question: ExtractorRequest) -> AnswerRoute:
    """Return the route of a question.

    Raises:
        InvalidEvent: nothing answers questions of this type.
    """
    try:
        return ways[type(question)]
    except KeyError:
        raise InvalidEvent(f"nobody answers {question.type}") from None


class WindowAnswerer:
    def __init__(self, provider: ExtractionProvider) -> None:
        self._provider = provider

    @property
    def name(self) -> str:
        return self._provider.name

    async def answer(self, question: ExtractorRequest, *, marked: str) -> DraftAnswer:
        if not isinstance(question, ExtractionRequested):
            raise TypeError(f"{question.type} is no window")
        answer = await self._provider.extract(build_extraction_request(question))
        # It takes 10 ms for a usual window and a second for a long one, and recalls wait for the loop.
        proposed = await asyncio.to_thread(propose_candidates, question, answer, provider=marked)
        return DraftAnswer(proposed.event, proposed.dropped)

    async def instead(self, question: ExtractorRequest) -> None:  # noqa: ARG002 - nothing stands in
        return None


class ProfileAnswerer:
    def __init__(self, profiler: Profiler, clock: Clock) -> None:
        self._profiler = profiler
        self._clock = clock

    @property
    def name(self) -> str:
        return self._profiler.name

    async def answer(self, question: ExtractorRequest, *, marked: str) -> DraftAnswer:
        if not isinstance(question, ProfileRequested):
            raise TypeError(f"{question.type} asks for no profile")
        answer = await self._profiler.describe(question)
        return DraftAnswer(propose_profile(question, answer, provider=marked, now=self._clock()))

    async def instead(self, question: ExtractorRequest) -> None:  # noqa: ARG002 - the old one stands
        return None


class JudgementAnswerer:
    def __init__(self, judge: MemoryJudge) -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        return self._judge.name

    async def answer(self, question: ExtractorRequest, *, marked: str) -> DraftAnswer:
        if not isinstance(question, JudgementRequested):
            raise TypeError(f"{question.type} asks for no judgement")
        return DraftAnswer(await self._judge.judge(question, provider=marked))

    async def instead(self, question: ExtractorRequest) -> None:  # noqa: ARG002 - both are kept
        return None


class ReflectionAnswerer:
    def __init__(self, reflector: Reflector) -> None:
        self._reflector = reflector

    @property
    def name(self) -> str:
        return self._reflector.name

    async def answer(self, question: ExtractorRequest, *, marked: str) -> DraftAnswer:
        if not isinstance(question, ReflectionRequested):
            raise TypeError(f"{question.type} asks for no reflection")
        reflected = await self._reflector.reflect(question, provider=marked)
        return DraftAnswer(reflected.event, reflected.dropped)

    async def instead(self, question: ExtractorRequest) -> None:  # noqa: ARG002 - the rules go on
        return None


class SummaryAnswerer:
    def __init__(self, summariser: Summariser, sessions: TranscriptReader, clock: Clock) -> None:
        self._summariser = summariser
        self._sessions = sessions
        self._clock = clock

    @property
    def name(self) -> str:
        return self._summariser.name

    async def answer(self, question: ExtractorRequest, *, marked: str) -> DraftAnswer:
        asked = _summary_requested(question)
        read = await self._sessions.read(asked)
        answer = None
        if is_worth_a_summary(read.turns):
            answer = await self._summariser.summarise(
                SummaryInput(
                    conversation=ExtractionRequest(
                        user_id=asked.user_id,
                        messages=number_messages(read.turns),
                        participants=(),
                        topic=read.topic,
                        language=asked.settings.language,
                        time_zone=asked.settings.time_zone,
                    ),
                    published=read.published,
                )
            )
        proposed = propose_summary(asked, read, answer, provider=marked, now=self._clock())
        return DraftAnswer(proposed.event, proposed.dropped)

    async def instead(self, question: ExtractorRequest) -> ExtractorAnswer | None:
        asked = _summary_requested(question)
        read = await self._sessions.read(asked)
        if not read.turns:
            return None
        return build_failed_summary(asked, read, provider=self.name, now=self._clock())


def _summary_requested(question: ExtractorRequest) -> SummaryRequested:
    if not isinstance(question, SummaryRequested):
        raise TypeError(f"{question.type} asks for no summary")
    return question
