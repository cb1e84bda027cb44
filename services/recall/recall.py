"""Recall: analyzes a request, answers it by the named policy, and counts the results."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from time import perf_counter
from uuid import uuid4

from palimpsest.api.recall import (
    Excluded,
    QuestionIntent,
    RecallDetail,
    RecallRequest,
    RecallResponse,
    RecallResult,
    RecordType,
)
from palimpsest.model.ranking_policy import PolicyName
from palimpsest_language.question_intents.fillers import is_filler
from palimpsest_language.question_intents.has_content_words import has_content_words
from palimpsest_server.domain.ranking.policies.policy_table import MEMORY_POLICIES
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.models.token_counter import TokenCounter, get_token_counter
from services.recall.access_log import AccessLog
from services.recall.analyze import QuestionAnalyzer
from services.recall.answer import RecallAnswer
from services.recall.default_ranking import DefaultRanking
from services.recall.enrichment import ResultEnricher
from services.recall.metrics import RecallMetrics
from services.recall.policy_ranking import PolicyRanking
from services.recall.profile_ranking import ProfileRanking
from services.recall.question import Question
from services.recall.revisions import Revisions

CROWD = 4
"""Concurrent recalls from which embedding in another process is faster for all."""

_ENRICHED_DETAILS = frozenset({RecallDetail.HISTORY, RecallDetail.GRAPH, RecallDetail.ACCESSES})


@dataclass(frozen=True)
class _Outcome:
    name: str
    """The label of the outcome in metrics."""
    answer: RecallAnswer
    stale: bool = False
    intent: QuestionIntent | None = None


class RecallHandler:
    """Answers recalls over HTTP and Kafka."""

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        analyzer: QuestionAnalyzer,
        default_ranking: DefaultRanking,
        policy_ranking: PolicyRanking,
        profile_ranking: ProfileRanking,
        enricher: ResultEnricher,
        revisions: Revisions,
        gate: Callable[[], Awaitable[Gate]],
        accesses: AccessLog,
        metrics: RecallMetrics,
    ) -> None:
        self._analyzer = analyzer
        self._default_ranking = default_ranking
        self._policy_ranking = policy_ranking
        self._profile_ranking = profile_ranking
        self._enricher = enricher
        self._revisions = revisions
        self._gate = gate
        self._accesses = accesses
        self._metrics = metrics
        self._underway = 0

    async def recall(self, request: RecallRequest) -> RecallResponse:
        """Return what matters to the question, best first; repetitions come last.

        Raises:
            TransientError: the embedder, the projection or a store is not available.
        """
        started = perf_counter()
        recall_id = str(uuid4())
        try:
            with self._metrics.timed("whole"):
                outcome = await self._recall(request, recall_id)
        except BaseException:
            self._metrics.failed()
            raise
        answer = outcome.answer
        self._metrics.answered(outcome.name, len(answer.results))
        explained = RecallDetail.EXPLANATION in request.include
        return RecallResponse(
            recall_id=recall_id,
            results=tuple(answer.results),
            gated=answer.gated,
            memory_enabled=outcome.name != "memory_off",
            stale=outcome.stale,
            gate_margin=answer.gate_margin,
            intent=outcome.intent if explained else None,
            fell_out=answer.excluded if explained else (),
            took_ms=round((perf_counter() - started) * 1000, 3),
        )

    async def _recall(self, request: RecallRequest, recall_id: str) -> _Outcome:
        if request.incognito:
            return _Outcome("incognito", RecallAnswer([]))
        stale = await self._is_stale(request)
        self._underway += 1
        try:
            question = await self._analyzer.analyze(request, crowded=self._underway >= CROWD)
            state = question.visibility.state
            if not state.settings.memory_enabled:
                return _Outcome("memory_off", RecallAnswer([]))
            answer = await self._answer(question)
        finally:
            self._underway -= 1
        if not request.preview:
            self._accesses.note(request.scope, state.epoch, recall_id, answer, asked=request.query)
            self._metrics.returned(
                sum(result.record is RecordType.MEMORY for result in answer.results)
            )
        name = "gated" if answer.gated else "answered" if answer.results else "empty"
        return _Outcome(name, answer, stale, question.intent.name)

    async def _is_stale(self, request: RecallRequest) -> bool:
        if request.min_revision is None:
            return False
        return not await self._revisions.reached(request.user_id, request.min_revision)

    async def _answer(self, question: Question) -> RecallAnswer:
        request = question.request
        nobody = request.memory_ids is not None and not request.memory_ids
        if not question.visibility.scopes or not question.records or nobody:
            return RecallAnswer([])
        says_something = any(map(_says_something, (request.query, *request.context)))
        if not says_something and request.policy is not PolicyName.PROFILE:
            return RecallAnswer([], gated=True)
        answer = await self._answer_by_policy(question)
        if request.token_budget is not None:
            count = await asyncio.to_thread(get_token_counter)
            answer = _fit_to_budget(answer, request.token_budget, count)
        if request.include & _ENRICHED_DETAILS and answer.results:
            results = await self._enricher.enrich(
                answer, request.include, question.visibility, links_names=True
            )
            answer = replace(answer, results=results)
        return answer

    async def _answer_by_policy(self, question: Question) -> RecallAnswer:
        gate, policy = await self._gate(), question.request.policy
        if policy in MEMORY_POLICIES:
            return await self._policy_ranking.recall(question, MEMORY_POLICIES[policy], gate)
        if policy is PolicyName.PROFILE:
            return await self._profile_ranking.recall(question, gate)
        return await self._default_ranking.recall(question, gate)


def _says_something(text: str) -> bool:
    """Return False for mere particles, greetings and thanks: they are near to any kind words."""
    return has_content_words(text) and not is_filler(text)


def _fit_to_budget(answer: RecallAnswer, budget: int, count: TokenCounter) -> RecallAnswer:
    """Keep results, best first, while their contents fit; a short one may follow a long one left out."""
    kept: list[RecallResult] = []
    excluded: list[Excluded] = []
    room = budget
    for result in answer.results:
        tokens = count(result.content)
        if tokens <= room:
            room -= tokens
            kept.append(result)
        else:
            excluded.append(
                Excluded(id=result.id, record=result.record, why="over_budget", score=result.score)
            )
    return replace(answer, results=kept, excluded=(*excluded, *answer.excluded))
