"""`profile`: what was talked about last, or, where an earlier conversation is asked about, then."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from palimpsest.api.recall import RecordType
from palimpsest.model.ranking_policy import PolicyName
from palimpsest_server.domain.ranking.policies.summary_selection import (
    SUMMARIES_ON_REQUEST,
    count_latest_summaries,
    select_latest_summaries,
)
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.models.token_counter import TokenCounter, get_token_counter
from services.recall.answer import RecallAnswer
from services.recall.default_ranking import DefaultRanking
from services.recall.metrics import RecallMetrics
from services.recall.present import present_summary
from services.recall.question import Question
from services.recall.read import DocumentReader

_SUMMARIES = frozenset({RecordType.SUMMARY})


class ProfileRanking:
    def __init__(
        self,
        default_ranking: DefaultRanking,
        reader: DocumentReader,
        metrics: RecallMetrics,
        counter: Callable[[], TokenCounter] = get_token_counter,
    ) -> None:
        self._default_ranking = default_ranking
        self._reader = reader
        self._metrics = metrics
        self._counter = counter

    async def recall(self, question: Question, gate: Gate) -> RecallAnswer:
        """Summaries: the newest, whatever is asked, or the nearest to an earlier conversation.

        Raises:
            TransientError: the projection or the documents are not to be had.
        """
        if question.request.kinds is not None:
            # Only memories have a kind.
            return RecallAnswer([])
        if question.last_time:
            return await self._default_ranking.recall(_on_request(question), gate)
        return await self._newest(question)

    async def _newest(self, question: Question) -> RecallAnswer:
        request = question.request
        budget = request.token_budget
        # So many as were asked for, else as many as the source takes.
        wanted = count_latest_summaries(budget) if request.limit is None else request.limit
        with self._metrics.timed("read"):
            found = await self._reader.latest_summaries(question.sight, wanted)
        if request.limit is None:
            count = await asyncio.to_thread(self._counter)
            found = list(
                select_latest_summaries(
                    found, token_budget=budget, tokens_of=lambda one: count(one.text)
                )
            )
        return RecallAnswer([present_summary(one, 0.0, None) for one in found])


def _on_request(question: Question) -> Question:
    limit = question.request.limit or SUMMARIES_ON_REQUEST
    request = question.request.model_copy(update={"policy": PolicyName.DEFAULT, "limit": limit})
    return replace(question, request=request, records=_SUMMARIES)
