"""The default ranking: memories and turns together, by all that is known of them.

All that was found is ranked by what is projected with it, and only what is to
be returned is read.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from palimpsest.api.recall import RecallDetail, RecordType
from palimpsest.model.memory import Memory
from palimpsest_server.domain.consolidation.withheld_evidence import evidence_turn_ids
from palimpsest_server.domain.ranking.deduplicate import take_distinct
from palimpsest_server.domain.ranking.exclusion_reasons import THE_QUESTION
from palimpsest_server.domain.ranking.lapsed_memories import put_then_valid_first
from palimpsest_server.domain.ranking.match_pool import SearchMatch
from palimpsest_server.domain.ranking.policies.summary_selection import SUMMARIES_ON_REQUEST
from palimpsest_server.domain.ranking.ranking_policy import RankingPolicy
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.domain.ranking.score import RankedCandidate
from palimpsest_server.domain.ranking.visibility import Visibility
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments
from palimpsest_server.domain.ranking.weight_fitting import extract_score_features
from palimpsest_server.stores.todos import TodoReader
from palimpsest_server.stores.vectors import VectorHit, VectorStore
from services.recall.answer import RecallAnswer, gated
from services.recall.exclusions import fell_out_of
from services.recall.gate import Admitted, admitted
from services.recall.hits import united, with_read
from services.recall.last_turns import find_last_words
from services.recall.metrics import RecallMetrics
from services.recall.open_todos import list_open_todos
from services.recall.present import build_score_parts, present_candidate, present_summary
from services.recall.question import Question
from services.recall.rank import Ranking, ranked_at_most
from services.recall.read import DocumentReader
from services.recall.repetitions import giving_way
from services.recall.topic_hits import with_bounding

FOUND = 80
"""Finds of each arm of the search; below that, what stands beside a find goes unseen."""

OF_A_TIME = 20
"""Finds of each arm within a time that the question speaks of, besides all the others."""


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
        self._reader = reader
        self._policy = policy
        self._metrics = metrics

    async def recall(self, question: Question, gate: Gate) -> RecallAnswer:
        """The answer.

        Raises:
            TransientError: the projection or the documents are not to be had.
        """
        if question.just_said_by is not None:
            answer = await find_last_words(question, self._vectors, self._reader)
            if answer.results:
                return answer
        if question.to_do and not question.over:
            answer = await list_open_todos(question, self._todos, self._reader)
            if answer.results:
                return answer
        passed, answer = await self._passed(question, gate)
        if question.of_its_times and not answer.results:
            # Nothing was said then; what is told of that time may be: “closing is December 18th”.
            passed, answer = await self._passed(replace(question, of_its_times=False), gate)
        elif question.last_time and question.over and answer.gated:
            # Of what was talked about then nothing is near: what lies in that time is.
            then = replace(question, of_its_times=True)
            passed, answer = await self._passed(then, gate)
        if question.last_time and not question.of_its_times and not _tells_a_talk(answer):
            answer = await self._with_latest(question, answer)
        if RecallDetail.EXPLANATION not in question.request.include:
            return answer
        return replace(answer, gate_margin=passed.margin)

    async def _passed(self, question: Question, gate: Gate) -> tuple[Admitted, RecallAnswer]:
        """What passed the gate, and the answer from that, without turns that repeat the question."""
        (found, bounding), asked = await asyncio.gather(
            self._search(question), self._reader.asked(question.asked, question.sight)
        )
        hits = with_read(found, asked)
        while True:
            passed = await admitted(question, gate, hits, self._vectors, asked, bounding)
            if not passed.matches:
                return passed, gated(hits)
            finds = with_bounding(hits, bounding)
            answer = await self._answer(question, finds, passed.matches, asked)
            left = [hit for hit in hits if hit.id not in answer.echoes]
            if len(left) == len(hits):
                return passed, answer
            hits = left  # it is nearer than anything: the gate is not to be opened by it

    async def _search(self, question: Question) -> tuple[Sequence[VectorHit], Sequence[VectorHit]]:
        """What is near to the question, and the memories of its themes."""
        limit = max(FOUND, ranked_at_most(question.request.wanted))
        queries = question.queries(limit=limit, of_a_time=OF_A_TIME)
        bounding = question.bounding()
        with self._metrics.timed("search"):
            found = await self._vectors.search_many([*queries, *bounding])
        near = found[: len(queries)]
        of_themes = found[-1] if bounding else ()
        return near[0] if len(near) == 1 else united(near), of_themes

    async def _with_latest(self, question: Question, answer: RecallAnswer) -> RecallAnswer:
        """The talks before, where none is near: the last one, and more where nothing else is."""
        if question.over and not answer.gated:
            return answer  # there is none of that time, and others are not asked for
        with self._metrics.timed("read"):
            found = await self._reader.latest_summaries(question.sight, SUMMARIES_ON_REQUEST)
        if not found:
            return answer
        talks = [present_summary(one, 0.0, None) for one in found]
        if not answer.gated:
            return replace(answer, results=[talks[0], *answer.results][: question.request.wanted])
        return replace(answer, results=talks[: question.request.wanted], gated=False)

    async def _answer(
        self,
        question: Question,
        hits: Sequence[VectorHit],
        matches: Sequence[SearchMatch],
        asked: Mapping[str, Memory],
    ) -> RecallAnswer:
        ranking = Ranking(question, self._policy, hits, matches, asked)
        ranked, read = await self._ranked_and_read(question, ranking, asked)
        limit, include = question.request.wanted, question.request.include
        repeats = giving_way(ranked, read, question.request.query)
        chosen = take_distinct([one for one in ranked if one.contender.id in read], limit, repeats)
        if question.over:
            held = {one.id for one in read.memories.values() if question.sight.held_then(one)}
            chosen = put_then_valid_first(chosen, held)
        if RecallDetail.HISTORY in include and ranking.contenders.lapsed and len(chosen) < limit:
            more, was = await self._what_was(question, ranking)
            read, chosen = read | more, [*chosen, *was][:limit]
        explained = RecallDetail.EXPLANATION in include
        return RecallAnswer(
            results=[
                present_candidate(
                    one, read, build_score_parts(one, ranking.pool) if explained else None
                )
                for one in chosen
            ],
            memories=read.memories,
            signs={
                one.contender.id: extract_score_features(one.parts, self._policy) for one in chosen
            },
            fell_out=fell_out_of(ranked, chosen, read, ranking) if explained else (),
            echoes=frozenset(one for one, why in read.hidden.items() if why == THE_QUESTION),
        )

    async def _ranked_and_read(
        self, question: Question, ranking: Ranking, asked: Mapping[str, Memory]
    ) -> tuple[list[RankedCandidate], VisibleDocuments]:
        """The ranking once all that may be returned was read, and nothing read changes it."""
        sight = await self._sight(question, ranking)
        finds, read, beside = ranking.finds, VisibleDocuments(), ranking.beside
        while True:
            with self._metrics.timed("rank"):
                ranked = ranking.best_first()
                unread = ranking.unread(ranked, read)
            if not unread:
                return ranked, read
            with self._metrics.timed("read"):
                versions = {one: finds[one].version for one in unread if one in finds}
                more = await self._reader.read(
                    unread, beside, sight, versions=versions, at_hand=asked
                )
            read, beside = read | more, []
            if not ranking.contenders.learn(unread, more):
                return ranked, read

    async def _sight(self, question: Question, ranking: Ranking) -> Visibility:
        """With the withheld turns on which something rests that holds, as its document says.

        Projected as holding is also what was forgotten a moment ago.
        """
        quoting = ranking.contenders.quoting(question.state.withheld)
        if not quoting:
            return question.sight
        found = dict.fromkeys(quoting, RecordType.MEMORY)
        with self._metrics.timed("read"):
            read = await self._reader.read(found, [], question.sight)
        return question.sight.above(
            frozenset(turn for one in read.memories.values() for turn in evidence_turn_ids(one))
        )

    async def _what_was(
        self, question: Question, ranking: Ranking
    ) -> tuple[VisibleDocuments, list[RankedCandidate]]:
        """What was superseded, best first: for the room that is left by all that stands."""
        lapsed = ranking.contenders.lapsed
        found = {one.id: RecordType.MEMORY for one in lapsed}
        with self._metrics.timed("read"):
            read = await self._reader.read(found, [], replace(question.sight, past=True))
        return read, [one for one in ranking.of(lapsed) if one.contender.id in read]


def _tells_a_talk(answer: RecallAnswer) -> bool:
    return any(one.record is RecordType.SUMMARY for one in answer.results)
