"""Recall: a question, found, gated, ranked by the policy asked for, and answered with evidence."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from time import perf_counter
from uuid import uuid4

from palimpsest.api.recall import Excluded, RecallDetail, RecallRequest, RecallResponse
from palimpsest.model.ranking_policy import PolicyName
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
"""Recalls at a time from which on it is faster for all to have questions embedded elsewhere."""

_TOLD_BESIDES = frozenset({RecallDetail.HISTORY, RecallDetail.GRAPH})


@dataclass(frozen=True)
class _Outcome:
    name: str
    """As metrics count it."""
    answer: RecallAnswer
    stale: bool = False


class RecallHandler:
    """The one handler behind HTTP and Kafka."""

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
        """What matters to the question, best first; what repeats better results behind all others.

        Raises:
            TransientError: the embedder, the projection or a cache is not to be had.
        """
        started = perf_counter()
        recall_id = str(uuid4())
        try:
            with self._metrics.timed("whole"):
                outcome = await self._outcome(request, recall_id)
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
            fell_out=answer.fell_out if explained else (),
            took_ms=round((perf_counter() - started) * 1000, 3),
        )

    async def _outcome(self, request: RecallRequest, recall_id: str) -> _Outcome:
        if request.incognito:
            return _Outcome("incognito", RecallAnswer([]))
        stale = await self._stale(request)
        self._underway += 1
        try:
            return await self._found(request, recall_id, stale=stale)
        finally:
            self._underway -= 1

    async def _found(self, request: RecallRequest, recall_id: str, *, stale: bool) -> _Outcome:
        question = await self._analyzer.analyze(request, crowded=self._underway >= CROWD)
        if not question.state.settings.memory_enabled:
            return _Outcome("memory_off", RecallAnswer([]))
        if not question.scopes or not question.records:
            return _Outcome("empty", RecallAnswer([]), stale)
        asks = any(map(has_content_words, (request.query, *request.context)))
        if not (asks or question.to_do) and request.policy is not PolicyName.PROFILE:
            return _Outcome("gated", RecallAnswer([], gated=True), stale)
        answer = await self._answer(question)
        if answer.gated:
            return _Outcome("gated", answer, stale)
        if not request.preview:
            epoch = question.state.epoch
            self._accesses.note(request.scope, epoch, recall_id, answer, asked=request.query)
        return _Outcome("answered" if answer.results else "empty", answer, stale)

    async def _stale(self, request: RecallRequest) -> bool:
        if request.min_revision is None:
            return False
        return not await self._revisions.reached(request.user_id, request.min_revision)

    async def _answer(self, question: Question) -> RecallAnswer:
        request, gate = question.request, await self._gate()
        policy = MEMORY_POLICIES.get(request.policy)
        if request.policy is PolicyName.PROFILE:
            answer = await self._profile_ranking.recall(question, gate)
        elif policy is None:
            answer = await self._default_ranking.recall(question, gate)
        else:
            answer = await self._policy_ranking.recall(question, policy, gate)
        if request.token_budget is not None:
            counted = await asyncio.to_thread(get_token_counter)
            answer = _within(answer, request.token_budget, counted)
        if request.include & _TOLD_BESIDES and answer.results:
            results = await self._enricher.enrich(answer, request.include, question.sight)
            answer = replace(answer, results=results)
        return answer


def _within(answer: RecallAnswer, budget: int, count: TokenCounter) -> RecallAnswer:
    """The results whose contents fit together, best first; shorter ones may follow a long one."""
    kept: set[str] = set()
    over: list[Excluded] = []
    left = budget
    for result in answer.results:
        tokens = count(result.content)
        if tokens <= left:
            left -= tokens
            kept.add(result.id)
        else:
            over.append(
                Excluded(id=result.id, record=result.record, why="over_budget", score=result.score)
            )
    results = [one for one in answer.results if one.id in kept]
    return replace(answer, results=results, fell_out=(*over, *answer.fell_out))
