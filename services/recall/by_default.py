"""The default ranking: memories and turns together, by all that is known of them.

All that was found is ranked by what is projected with it, and only what is to
be returned is read.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from palimpsest.contracts.recall import Include, Recalled, Record
from palimpsest.domain.ranking.fusion import Contender, Ranked, rank
from palimpsest.domain.ranking.gate import Gate
from palimpsest.domain.ranking.lapsed import settled
from palimpsest.domain.ranking.merging import distinct
from palimpsest.domain.ranking.policies.profile import ON_REQUEST
from palimpsest.domain.ranking.policy import RankingPolicy
from palimpsest.domain.ranking.pool import Match, Pool
from palimpsest.domain.ranking.signs import NO_SIGNS, Signs, signs_of_memory
from palimpsest.domain.ranking.tuning import signs_of
from palimpsest.stores.vectors import VectorHit, VectorStore
from services.recall.answer import Answer, gated
from services.recall.asking import Question
from services.recall.falling_out import fell_out_of, record_of
from services.recall.gating import admitted
from services.recall.metrics import RecallMetrics
from services.recall.presenting import recalled_memory, recalled_summary, recalled_turn, score_parts
from services.recall.reading import Read, Reader

_SUMMARIES = frozenset({Record.SUMMARY})


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
        breadth: Breadth | None = None,
    ) -> None:
        self._vectors = vectors
        self._reader = reader
        self._policy = policy
        self._metrics = metrics
        self._breadth = breadth or Breadth()

    async def __call__(self, question: Question, gate: Gate) -> Answer:
        """The answer.

        Raises:
            TransientError: the projection or the documents are not to be had.
        """
        hits = await self._search(question)
        passed = await admitted(question, gate, hits, self._vectors)
        matches = passed.matches
        answer = await self._answer(question, hits, matches) if matches else gated(hits)
        if question.last_time and not _tells_a_talk(answer):
            answer = await self._with_latest(question, answer)
        if Include.EXPLANATION not in question.request.include:
            return answer
        return replace(answer, gate_margin=passed.margin)

    async def _search(self, question: Question) -> Sequence[VectorHit]:
        limit = self._breadth.search(question.request.wanted)
        queries = [question.query(limit=limit)]
        queries += [
            question.query(limit=self._breadth.of_a_time, time=span) for span in question.times
        ]
        if question.last_time:
            queries.append(question.query(limit=ON_REQUEST, records=_SUMMARIES))
        with self._metrics.timed("search"):
            found = await self._vectors.search_many(queries)
        return found[0] if len(found) == 1 else _united(found)

    async def _with_latest(self, question: Question, answer: Answer) -> Answer:
        """The talks before, where none is near: the last one, and more where nothing else is."""
        with self._metrics.timed("read"):
            found = await self._reader.latest_summaries(question.sight, ON_REQUEST)
        if not found:
            return answer
        talks = [recalled_summary(one, 0.0, None) for one in found]
        if not answer.gated:
            return replace(answer, results=[talks[0], *answer.results][: question.request.wanted])
        return replace(answer, results=talks[: question.request.wanted], gated=False)

    async def _answer(
        self, question: Question, hits: Sequence[VectorHit], matches: Sequence[Match]
    ) -> Answer:
        pool, limit = Pool(matches, self._policy), question.request.wanted
        finds = {hit.id: hit for hit in hits}
        best = pool.best(self._breadth.ranked(limit))
        summaries = [match for match in matches if finds[match.id].record is Record.SUMMARY]
        standing = [
            Contender(match.id, finds[match.id].signs, match.place)
            for match in {match.id: match for match in (*best, *summaries)}.values()
            if _holds(finds[match.id], question)
        ]
        lapsed = [
            Contender(match.id, finds[match.id].signs)
            for match in best
            if not _holds(finds[match.id], question)
        ]
        successors = {one.id: one.signs.successor for one in lapsed if one.signs.successor}
        standing += _heirs(successors, standing, lapsed)
        beside = pool.unseen_beside(best[: self._breadth.beside])
        sight, read, hidden = question.sight.above(_quoted(standing)), Read(), set[str]()
        while True:
            with self._metrics.timed("rank"):
                ranked = settled(
                    self._ranked(question, standing, pool),
                    self._ranked(question, [*lapsed, *_corrections(standing)], pool),
                    successors,
                )
                if question.last_time:
                    ranked = _summaries_first(ranked, finds)
                chosen = distinct(ranked, limit)
            unread = {
                one.contender.id: record_of(one.contender.id, finds)
                for one in chosen
                if one.contender.id not in read
            }
            if not unread:
                break
            with self._metrics.timed("read"):
                more = await self._reader.read(unread, beside, sight)
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
        explained = Include.EXPLANATION in question.request.include
        return Answer(
            results=[_shown(one, read, pool, explained=explained) for one in chosen],
            memories=read.memories,
            signs={one.contender.id: signs_of(one.parts, self._policy) for one in chosen},
            fell_out=fell_out_of(ranked, chosen, lapsed, read, hits, pool) if explained else (),
        )

    def _ranked(
        self, question: Question, contenders: Sequence[Contender], pool: Pool
    ) -> list[Ranked]:
        if not contenders:
            return []
        query = question.request.query
        return rank(query, contenders, pool, self._policy, times=question.times)


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


def _summaries_first(ranked: Sequence[Ranked], finds: Mapping[str, VectorHit]) -> list[Ranked]:
    """The three best summaries, then everything else as it stood."""
    first = [
        one
        for one in ranked
        if one.contender.id in finds and finds[one.contender.id].record is Record.SUMMARY
    ][:ON_REQUEST]
    return [*first, *(one for one in ranked if one not in first)]


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


def _united(answers: Iterable[Sequence[VectorHit]]) -> list[VectorHit]:
    """Each find once, with the scores that any of the searches gave it: they agree."""
    found: dict[str, VectorHit] = {}
    for hit in (hit for hits in answers for hit in hits):
        known = found.get(hit.id)
        found[hit.id] = (
            hit
            if known is None
            else known._replace(
                cosine=hit.cosine if known.cosine is None else known.cosine,
                lexical=hit.lexical if known.lexical is None else known.lexical,
            )
        )
    return list(found.values())


def _shown(ranked: Ranked, read: Read, pool: Pool, *, explained: bool) -> Recalled:
    identity = ranked.contender.id
    parts = score_parts(ranked, pool.cosine(identity)) if explained else None
    memory = read.memories.get(identity)
    if memory is not None:
        return recalled_memory(memory, ranked.score, parts)
    summary = read.summaries.get(identity)
    if summary is not None:
        return recalled_summary(summary, ranked.score, parts)
    return recalled_turn(read.turns[identity], ranked.score, parts)
