"""The `profile` policy: summaries of the latest conversations, or of the one in question."""

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
from services.recall.intents import EarlierConversationIntent
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
        """Answer with summaries: the latest, or those nearest to the earlier conversation in question.

        Raises:
            TransientError: the projection or the documents are not available.
        """
        if question.request.kinds is not None or question.request.memory_ids is not None:
            # Only memories have a kind, and are named.
            return RecallAnswer([])
        match question.intent:
            case EarlierConversationIntent():
                return await self._default_ranking.recall(_ask_for_summaries(question), gate)
        return await self._read_latest(question)

    async def _read_latest(self, question: Question) -> RecallAnswer:
        limit, budget = question.request.limit, question.request.token_budget
        wanted = count_latest_summaries(budget) if limit is None else limit
        with self._metrics.timed("read"):
            summaries = await self._reader.read_latest_summaries(question.visibility, wanted)
        if limit is None:
            count = await asyncio.to_thread(self._counter)
            summaries = list(
                select_latest_summaries(
                    summaries, token_budget=budget, tokens_of=lambda summary: count(summary.text)
                )
            )
        return RecallAnswer([present_summary(summary, 0.0, None) for summary in summaries])


def _ask_for_summaries(question: Question) -> Question:
    limit = question.request.limit or SUMMARIES_ON_REQUEST
    request = question.request.model_copy(update={"policy": PolicyName.DEFAULT, "limit": limit})
    return replace(question, request=request, records=_SUMMARIES)
