"""`profile`: what was talked about last, or, where an earlier conversation is asked about, then."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from palimpsest.api.recall import RecordType
from palimpsest.model.ranking_policy import PolicyName
from palimpsest_server.domain.ranking.gate import Gate
from palimpsest_server.domain.ranking.policies.profile import ON_REQUEST, most_read, newest_within
from palimpsest_server.models.token_counter import TokenCounter, get_token_counter
from services.recall.answer import RecallAnswer
from services.recall.default_ranking import DefaultRanking
from services.recall.metrics import RecallMetrics
from services.recall.present import recalled_summary
from services.recall.question import Question
from services.recall.read import DocumentReader

_SUMMARIES = frozenset({RecordType.SUMMARY})


class ProfileRanking:
    def __init__(
        self,
        by_default: DefaultRanking,
        reader: DocumentReader,
        metrics: RecallMetrics,
        counter: Callable[[], TokenCounter] = get_token_counter,
    ) -> None:
        self._by_default = by_default
        self._reader = reader
        self._metrics = metrics
        self._counter = counter

    async def __call__(self, question: Question, gate: Gate) -> RecallAnswer:
        """Summaries: the newest, whatever is asked, or the nearest to an earlier conversation.

        Raises:
            TransientError: the projection or the documents are not to be had.
        """
        if question.request.kinds is not None:
            # Only memories have a kind.
            return RecallAnswer([])
        if question.last_time:
            return await self._by_default(_on_request(question), gate)
        return await self._newest(question)

    async def _newest(self, question: Question) -> RecallAnswer:
        request = question.request
        budget = request.token_budget
        # So many as were asked for, else as many as the source takes.
        wanted = most_read(budget) if request.limit is None else request.limit
        with self._metrics.timed("read"):
            found = await self._reader.latest_summaries(question.sight, wanted)
        if request.limit is None:
            count = await asyncio.to_thread(self._counter)
            found = list(
                newest_within(found, token_budget=budget, tokens_of=lambda one: count(one.text))
            )
        return RecallAnswer([recalled_summary(one, 0.0, None) for one in found])


def _on_request(question: Question) -> Question:
    limit = question.request.limit or ON_REQUEST
    request = question.request.model_copy(update={"policy": PolicyName.DEFAULT, "limit": limit})
    return replace(question, request=request, records=_SUMMARIES)
