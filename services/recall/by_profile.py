"""`profile`: what was talked about last, or, where an earlier conversation is asked about, then."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from palimpsest.contracts.recall import Record
from palimpsest.domain.ranking.gate import Gate
from palimpsest.domain.ranking.policies.profile import ON_REQUEST, most_read, newest_within
from palimpsest.model.ranking_policy import PolicyName
from palimpsest.providers.tokens import TokenCounter, token_counter
from services.recall.answer import Answer
from services.recall.by_default import ByDefault
from services.recall.metrics import RecallMetrics
from services.recall.presenting import recalled_summary
from services.recall.question import Question
from services.recall.reading import Reader

_SUMMARIES = frozenset({Record.SUMMARY})


class ByProfile:
    def __init__(
        self,
        by_default: ByDefault,
        reader: Reader,
        metrics: RecallMetrics,
        counter: Callable[[], TokenCounter] = token_counter,
    ) -> None:
        self._by_default = by_default
        self._reader = reader
        self._metrics = metrics
        self._counter = counter

    async def __call__(self, question: Question, gate: Gate) -> Answer:
        """Summaries: the newest, whatever is asked, or the nearest to an earlier conversation.

        Raises:
            TransientError: the projection or the documents are not to be had.
        """
        if question.request.kinds is not None:
            # Only memories have a kind.
            return Answer([])
        if question.last_time:
            return await self._by_default(_on_request(question), gate)
        return await self._newest(question)

    async def _newest(self, question: Question) -> Answer:
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
        return Answer([recalled_summary(one, 0.0, None) for one in found])


def _on_request(question: Question) -> Question:
    limit = question.request.limit or ON_REQUEST
    request = question.request.model_copy(update={"policy": PolicyName.DEFAULT, "limit": limit})
    return replace(question, request=request, records=_SUMMARIES)
