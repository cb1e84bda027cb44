"""The default ranking: ranks memories and turns together by all their features.

All hits are ranked by the features in the projection, and only documents that may be returned are
read. Reading may change the ranking, so both repeat until it is stable.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from palimpsest.api.recall import RecallDetail, RecordType
from palimpsest.model.memory import Memory
from palimpsest_server.domain.consolidation.withheld_evidence import evidence_turn_ids
from palimpsest_server.domain.ranking.exclusion_reasons import THE_QUESTION
from palimpsest_server.domain.ranking.lapsed_memories import put_then_valid_first
from palimpsest_server.domain.ranking.newer_statements import put_changes_first
from palimpsest_server.domain.ranking.policies.summary_selection import SUMMARIES_ON_REQUEST
from palimpsest_server.domain.ranking.ranking_policy import RankingPolicy
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.domain.ranking.repetitions import find_redundant, take_distinct
from palimpsest_server.domain.ranking.score import RankedCandidate
from palimpsest_server.domain.ranking.visibility import Visibility
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments
from palimpsest_server.domain.ranking.weight_fitting import extract_score_features
from palimpsest_server.stores.todos import TodoReader
from palimpsest_server.stores.vectors import VectorHit, VectorStore
from services.recall.answer import RecallAnswer, build_gated_answer
from services.recall.gate import AdmittedHits, admit_hits
from services.recall.intents import (
    EarlierConversationIntent,
    GeneralIntent,
    Intent,
    LastWordsIntent,
    TimeIntent,
    TodoIntent,
)
from services.recall.last_turns import find_last_words
from services.recall.metrics import RecallMetrics
from services.recall.open_todos import list_open_todos
from services.recall.present import (
    build_score_parts,
    explain_exclusions,
    present_candidate,
    present_summary,
)
from services.recall.question import Question
from services.recall.rank import Ranking, count_ranked
from services.recall.read import DocumentReader
from services.recall.search import CandidateSearch, add_memories, add_topical


class DefaultRanking:
    def __init__(
        self,
        vectors: VectorStore,
        reader: DocumentReader,
        policy: RankingPolicy,
        metrics: RecallMetrics,
        todos: TodoReader,
    ) -> None:
        self._todos = todos
        self._vectors = vectors
        self._search = CandidateSearch(vectors, metrics)
        self._reader = reader
        self._policy = policy
        self._metrics = metrics

    async def recall(self, question: Question, gate: Gate) -> RecallAnswer:
        """Answer the question according to its intent.

        Raises:
            TransientError: the projection or the documents are not available.
        """
        match question.intent:
            case LastWordsIntent(speaker=speaker, otherwise=otherwise):
                answer = await find_last_words(question, speaker, self._vectors, self._reader)
            case TodoIntent(otherwise=otherwise):
                answer = await list_open_todos(question, self._todos, self._reader)
            case _:
                return await self._recall_by_search(question, gate)
        if answer.results:
            return answer
        return await self._recall_by_search(question.with_intent(otherwise), gate)

    async def _recall_by_search(self, question: Question, gate: Gate) -> RecallAnswer:
        admitted, answer = await self._search_and_rank(question, gate)
        second = _find_second_intent(question, answer)
        if second is not None:
            admitted, answer = await self._search_and_rank(question.with_intent(second), gate)
        match question.intent:
            case EarlierConversationIntent(within_times=False) if not _has_summary(answer):
                answer = await self._add_latest_summaries(question, answer)
        if RecallDetail.EXPLANATION not in question.request.include:
            return answer
        return replace(answer, gate_margin=admitted.margin)

    async def _search_and_rank(
        self, question: Question, gate: Gate
    ) -> tuple[AdmittedHits, RecallAnswer]:
        """Return the hits that passed the gate, and the answer without turns that repeat the question."""
        found, answering = await asyncio.gather(
            self._search.search(question, limit=count_ranked(question.request.wanted)),
            self._reader.read_attribute(question.attribute, question.visibility),
        )
        hits = add_memories(found.near, answering)
        while True:
            admitted = await admit_hits(
                question, gate, hits, self._vectors, answering=answering, topical=found.topical
            )
            if not admitted.matches:
                return admitted, build_gated_answer(hits)
            ranked_hits = add_topical(hits, found.topical)
            answer = await self._rank(question, ranked_hits, admitted, answering)
            others = [hit for hit in hits if hit.id not in answer.echoes]
            if len(others) == len(hits):
                return admitted, _sort_summaries(
                    question, answer.with_relevance(admitted.relevance)
                )
            # An echo of the question is nearer than anything else, and must not open the gate.
            hits = others

    async def _rank(
        self,
        question: Question,
        hits: Sequence[VectorHit],
        admitted: AdmittedHits,
        answering: Mapping[str, Memory],
    ) -> RecallAnswer:
        ranking = Ranking(question, self._policy, hits, admitted.matches, answering)
        ranked, documents = await self._rank_and_read(question, ranking, answering)
        limit, include = question.request.wanted, question.request.include
        redundant = find_redundant(ranked, documents, question.request.query)
        readable = [one for one in ranked if one.candidate.id in documents]
        chosen = take_distinct(readable, limit, redundant)
        if question.visibility.then:
            memories = documents.memories.values()
            held = {memory.id for memory in memories if question.visibility.held_then(memory)}
            chosen = put_then_valid_first(chosen, held)
        elif question.asks_about_present:
            chosen = put_changes_first(
                chosen,
                documents,
                admitted.relevance,
                question.request.query,
                answering=answering,
            )
        if RecallDetail.HISTORY in include and ranking.candidates.lapsed and len(chosen) < limit:
            more, lapsed = await self._read_lapsed(question, ranking)
            documents, chosen = documents | more, [*chosen, *lapsed][:limit]
        explained = RecallDetail.EXPLANATION in include
        return RecallAnswer(
            results=[
                present_candidate(
                    one, documents, build_score_parts(one, ranking.pool) if explained else None
                )
                for one in chosen
            ],
            memories=documents.memories,
            score_features={
                one.candidate.id: extract_score_features(one.parts, self._policy) for one in chosen
            },
            excluded=explain_exclusions(ranked, chosen, documents, ranking) if explained else (),
            echoes=frozenset(
                identity for identity, why in documents.hidden.items() if why == THE_QUESTION
            ),
        )

    async def _rank_and_read(
        self, question: Question, ranking: Ranking, answering: Mapping[str, Memory]
    ) -> tuple[list[RankedCandidate], VisibleDocuments]:
        """Rank and read until every returned candidate is read and the ranking is stable."""
        visibility = await self._lift_withholding(question, ranking)
        hits, documents, beside = ranking.hits, VisibleDocuments(), ranking.beside
        while True:
            with self._metrics.timed("rank"):
                ranked = ranking.rank()
                unread = ranking.find_unread(ranked, documents)
            if not unread:
                return ranked, documents
            with self._metrics.timed("read"):
                versions = {one: hits[one].version for one in unread if one in hits}
                more = await self._reader.read(
                    unread, beside, visibility, versions=versions, at_hand=answering
                )
            documents, beside = documents | more, []
            if not ranking.candidates.learn(unread, more):
                return ranked, documents

    async def _lift_withholding(self, question: Question, ranking: Ranking) -> Visibility:
        """Return the visibility, with withheld turns that a current memory rests on shown again.

        The documents of these memories are read, because the projection may lag behind a
        withdrawal.
        """
        visibility = question.visibility
        quoting = ranking.candidates.find_quoting(visibility.state.withheld)
        if not quoting:
            return visibility
        with self._metrics.timed("read"):
            documents = await self._reader.read(
                dict.fromkeys(quoting, RecordType.MEMORY), [], visibility
            )
        memories = documents.memories.values()
        return visibility.above(
            frozenset(turn for memory in memories for turn in evidence_turn_ids(memory))
        )

    async def _read_lapsed(
        self, question: Question, ranking: Ranking
    ) -> tuple[VisibleDocuments, list[RankedCandidate]]:
        """Read superseded memories, best first, for the room that current results leave."""
        lapsed = {one.id: RecordType.MEMORY for one in ranking.candidates.lapsed}
        with self._metrics.timed("read"):
            documents = await self._reader.read(lapsed, [], replace(question.visibility, past=True))
        return documents, [one for one in ranking.rank_lapsed() if one.candidate.id in documents]

    async def _add_latest_summaries(self, question: Question, answer: RecallAnswer) -> RecallAnswer:
        """Add the summary of the last conversation; several if the answer is empty."""
        if question.visibility.then and not answer.gated:
            return answer  # no summary is of that time, and others are not asked for
        with self._metrics.timed("read"):
            summaries = await self._reader.read_latest_summaries(
                question.visibility, SUMMARIES_ON_REQUEST
            )
        if not summaries:
            return answer
        latest = [present_summary(summary, 0.0, None) for summary in summaries]
        limit = question.request.wanted
        if not answer.gated:
            return replace(answer, results=[latest[0], *answer.results][:limit])
        return replace(answer, results=latest[:limit], gated=False)


def _find_second_intent(question: Question, answer: RecallAnswer) -> Intent | None:
    """Return the intent to try after an empty answer; None if the answer is final."""
    match question.intent:
        case TimeIntent() if not answer.results:
            # Nothing was said then, but something may be known of that time: "closing is December
            # 18th".
            return GeneralIntent()
        case EarlierConversationIntent(within_times=True, attribute=attribute):
            return None if answer.results else EarlierConversationIntent(attribute=attribute)
        case EarlierConversationIntent(attribute=attribute):
            # No conversation of that time is near to the question, so everything from that time is
            # listed.
            if question.visibility.then and answer.gated:
                return EarlierConversationIntent(within_times=True, attribute=attribute)
    return None


def _sort_summaries(question: Question, answer: RecallAnswer) -> RecallAnswer:
    """Put the most relevant summary first if the question is about an earlier conversation.

    The score has parts for length and time, which do not show the topic of a conversation.
    """
    if not isinstance(question.intent, EarlierConversationIntent):
        return answer
    summaries = [result for result in answer.results if result.record is RecordType.SUMMARY]
    ranked = iter(sorted(summaries, key=lambda result: -(result.relevance or 0.0)))
    results = [
        next(ranked) if result.record is RecordType.SUMMARY else result for result in answer.results
    ]
    return replace(answer, results=results)


def _has_summary(answer: RecallAnswer) -> bool:
    return any(result.record is RecordType.SUMMARY for result in answer.results)
