"""The default ranking: memories and turns together, by all that is known of them.

All that was found is ranked by what is projected with it, and only what is to
be returned is read.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from palimpsest.contracts.recall import Include, Recalled, Record
from palimpsest.domain.ranking.fusion import Contender, Ranked, rank
from palimpsest.domain.ranking.gate import Gate
from palimpsest.domain.ranking.lapsed import settled, what_held_first, what_was_first
from palimpsest.domain.ranking.merging import distinct
from palimpsest.domain.ranking.policies.profile import ON_REQUEST
from palimpsest.domain.ranking.policy import RankingPolicy
from palimpsest.domain.ranking.pool import Match, Pool
from palimpsest.domain.ranking.said_again import repeating, says
from palimpsest.domain.ranking.signs import NO_SIGNS, NOTHING, Signs, signs_of_memory
from palimpsest.domain.ranking.tuning import signs_of
from palimpsest.stores.vectors import VectorHit, VectorStore
from services.recall.answer import Answer, gated
from services.recall.asking import Question
from services.recall.falling_out import fell_out_of, record_of
from services.recall.finds import memories_first, summaries_first, united, with_unfound
from services.recall.gating import Admitted, admitted
from services.recall.just_said import just_said
from services.recall.metrics import RecallMetrics
from services.recall.presenting import recalled_memory, recalled_summary, recalled_turn, score_parts
from services.recall.reading import Read, Reader
from services.recall.repeated import says_of


@dataclass(frozen=True, kw_only=True)
class Breadth:
    """How far each step looks beyond what is to be returned."""

    found: int = 80
    """Finds of each arm of the search; below that, what stands beside a find goes unseen."""
    ranked_at_least: int = 35
    """Ranked by all signs, of the most relevant: who speaks moves a turn up by many places, and
    further down it moves up what was hardly asked for. Of 20 to 50 this many found most of the
    evidence; with 50 a block of 500 tokens held 2 % less of it, with 150 12 % less."""
    beside: int = 3
    """The best finds whose neighbours are read even where they were not found themselves."""
    of_a_time: int = 20
    """Finds of each arm within a time that the question speaks of, besides all the others."""

    spare: int = 5
    """Read besides what is to be returned, for the places of those that say the same again."""

    def read(self, limit: int) -> int:
        return limit + min(self.spare, limit)

    def ranked(self, limit: int) -> int:
        return max(self.ranked_at_least, limit)

    def search(self, limit: int) -> int:
        return max(self.found, self.ranked(limit))


class ByDefault:
    def __init__(
        self,
        vectors: VectorStore,
        reader: Reader,
        policy: RankingPolicy,
        metrics: RecallMetrics,
    ) -> None:
        self._vectors = vectors
        self._reader = reader
        self._policy = policy
        self._metrics = metrics
        self._breadth = Breadth()

    async def __call__(self, question: Question, gate: Gate) -> Answer:
        """The answer.

        Raises:
            TransientError: the projection or the documents are not to be had.
        """
        if question.just_said_by is not None:
            answer = await just_said(question, self._vectors, self._reader)
            if answer.results:
                return answer
        passed, answer = await self._passed(question, gate)
        if question.last_time and question.over and answer.gated:
            # Of what was talked about then nothing is near: what lies in that time is.
            then = replace(question, of_its_times=True)
            passed, answer = await self._passed(then, gate)
        if question.last_time and not question.of_its_times and not _tells_a_talk(answer):
            answer = await self._with_latest(question, answer)
        if Include.EXPLANATION not in question.request.include:
            return answer
        return replace(answer, gate_margin=passed.margin)

    async def _passed(self, question: Question, gate: Gate) -> tuple[Admitted, Answer]:
        """What passed the gate, and the answer from that, without turns that repeat the question."""
        found, memories = await asyncio.gather(
            self._search(question), self._reader.asked(question.asked, question.sight)
        )
        asked = {memory.id for memory in memories}
        hits = with_unfound(found, memories)
        while True:
            passed = await admitted(question, gate, hits, self._vectors, asked)
            if not passed.matches:
                return passed, gated(hits)
            answer = await self._answer(question, hits, passed.matches, asked)
            left = [hit for hit in hits if hit.id not in answer.echoes]
            if len(left) == len(hits):
                return passed, answer
            hits = left  # it is nearer than anything: the gate is not to be opened by it

    async def _search(self, question: Question) -> Sequence[VectorHit]:
        limit = self._breadth.search(question.request.wanted)
        queries = question.queries(limit=limit, of_a_time=self._breadth.of_a_time)
        with self._metrics.timed("search"):
            found = await self._vectors.search_many(queries)
        return found[0] if len(found) == 1 else united(found)

    async def _with_latest(self, question: Question, answer: Answer) -> Answer:
        """The talks before, where none is near: the last one, and more where nothing else is."""
        if question.over and not answer.gated:
            return answer  # there is none of that time, and others are not asked for
        with self._metrics.timed("read"):
            found = await self._reader.latest_summaries(question.sight, ON_REQUEST)
        if not found:
            return answer
        talks = [recalled_summary(one, 0.0, None) for one in found]
        if not answer.gated:
            return replace(answer, results=[talks[0], *answer.results][: question.request.wanted])
        return replace(answer, results=talks[: question.request.wanted], gated=False)

    async def _answer(
        self,
        question: Question,
        hits: Sequence[VectorHit],
        matches: Sequence[Match],
        asked: Collection[str],
    ) -> Answer:
        pool, limit = Pool(matches, self._policy), question.request.wanted
        finds = {hit.id: hit for hit in hits}
        hollow = {hit.id for hit in hits if hit.signs.spoken == NOTHING}
        ranked_at_most = len(matches) if question.of_its_times else self._breadth.ranked(limit)
        best = pool.best(ranked_at_most, besides=hollow)
        always = [
            match
            for match in matches
            if match.id in asked or finds[match.id].record is Record.SUMMARY
        ]
        standing = [
            Contender(match.id, finds[match.id].signs, match.place)
            for match in {match.id: match for match in (*best, *always)}.values()
            if _holds(finds[match.id], question)
        ]
        lapsed = [
            Contender(match.id, finds[match.id].signs)
            for match in best
            if not _holds(finds[match.id], question)
        ]
        successors = {one.id: one.signs.successor for one in lapsed if one.signs.successor}
        standing += _heirs(successors, standing, lapsed)
        beside = [] if question.of_its_times else pool.unseen_beside(best[: self._breadth.beside])
        sight, read, hidden = question.sight.above(_quoted(standing)), Read(), set[str]()
        while True:
            with self._metrics.timed("rank"):
                ranked = settled(
                    self._ranked(question, standing, pool, asked),
                    self._ranked(question, [*lapsed, *_corrections([*standing, *lapsed])], pool),
                    successors,
                )
                if question.of_the_past:
                    ranked = what_was_first(ranked)
                if question.last_time:
                    ranked = summaries_first(ranked, finds)
                elif question.of_its_times:
                    ranked = memories_first(ranked, finds)
                wanted = distinct(ranked, self._breadth.read(limit))
            unread = {
                one.contender.id: record_of(one.contender.id, finds)
                for one in wanted
                if one.contender.id not in read
            }
            if not unread:
                break
            with self._metrics.timed("read"):
                versions = {one: finds[one].version for one in unread if one in finds}
                more = await self._reader.read(unread, beside, sight, versions=versions)
            read, beside = read | more, []
            # Only its document tells that a find is not to be shown: then what comes next is.
            gone = {one for one in unread if one not in more}
            lapsed += [one for one in standing if one.id in gone and one.id in more.successors]
            successors |= {old: new for old, new in more.successors.items() if old in gone}
            before = standing
            standing = [_as_read(one, more) for one in standing if one.id not in gone]
            standing += more.contenders_beside(unread)
            # Once is enough: an heir that is not to be shown would be asked for again for ever.
            hidden |= gone
            standing += [
                one for one in _heirs(successors, standing, lapsed) if one.id not in hidden
            ]
            if standing == before:
                # As a rule: the same would be ranked the same again.
                break
        asked_for = says(question.request.query).terms
        repeats = repeating(ranked, says_of(read), asked_for)
        chosen = distinct([one for one in ranked if one.contender.id in read], limit, repeats)
        if question.over:
            held = {one.id for one in read.memories.values() if sight.held_then(one)}
            chosen = what_held_first(chosen, held)
        explained = Include.EXPLANATION in question.request.include
        if Include.HISTORY in question.request.include and lapsed and len(chosen) < limit:
            more, was = await self._what_was(question, lapsed, pool)
            read, chosen = read | more, [*chosen, *was][:limit]
        return Answer(
            results=[_shown(one, read, pool, explained=explained) for one in chosen],
            memories=read.memories,
            repeats=repeats,
            signs={one.contender.id: signs_of(one.parts, self._policy) for one in chosen},
            fell_out=fell_out_of(ranked, chosen, lapsed, read, hits, pool) if explained else (),
            echoes=frozenset(one for one, why in read.hidden.items() if why == "the_question"),
        )

    async def _what_was(
        self, question: Question, lapsed: Sequence[Contender], pool: Pool
    ) -> tuple[Read, list[Ranked]]:
        """What was superseded, best first: for the room that is left by all that stands."""
        then = replace(question.sight, past=True)
        found = {one.id: Record.MEMORY for one in lapsed}
        with self._metrics.timed("read"):
            read = await self._reader.read(found, [], then)
        ranked = self._ranked(question, lapsed, pool)
        return read, [one for one in ranked if one.contender.id in read.memories]

    def _ranked(
        self,
        question: Question,
        contenders: Sequence[Contender],
        pool: Pool,
        asked: Collection[str] = (),
    ) -> list[Ranked]:
        if not contenders:
            return []
        query = question.request.query
        return rank(query, contenders, pool, self._policy, times=question.times, asked=asked)


def _holds(hit: VectorHit, question: Question) -> bool:
    return hit.status in question.sight.statuses


def _quoted(standing: Iterable[Contender]) -> frozenset[str]:
    """The turns on which something rests that holds."""
    return frozenset(turn for one in standing for turn in one.signs.quoted)


def _corrections(standing: Iterable[Contender]) -> list[Contender]:
    """What memories said before somebody set them right, which leads to what they say now."""
    return [
        Contender(one.id, Signs(quoted=one.signs.corrected))
        for one in standing
        if one.signs.corrected
    ]


def _tells_a_talk(answer: Answer) -> bool:
    return any(one.record is Record.SUMMARY for one in answer.results)


def _heirs(
    successors: Mapping[str, str], standing: Iterable[Contender], lapsed: Iterable[Contender]
) -> list[Contender]:
    """What took the place of something found, where it was not found itself."""
    known = {one.id for one in (*standing, *lapsed)}
    return [Contender(heir) for heir in dict.fromkeys(successors.values()) if heir not in known]


def _as_read(contender: Contender, read: Read) -> Contender:
    memory = read.memories.get(contender.id)
    if memory is None or contender.signs is not NO_SIGNS:
        return contender
    return contender._replace(signs=signs_of_memory(memory))


def _shown(ranked: Ranked, read: Read, pool: Pool, *, explained: bool) -> Recalled:
    identity = ranked.contender.id
    parts = score_parts(ranked, pool.cosine(identity)) if explained else None
    memory = read.memories.get(identity)
    if memory is not None:
        return recalled_memory(memory, ranked.score, parts)
    summary = read.summaries.get(identity)
    if summary is not None:
        return recalled_summary(summary, ranked.score, parts)
    said = recalled_turn(read.turns[identity], ranked.score, parts)
    return said.model_copy(update={"outdated": True}) if ranked.outdated else said
