"""Recall: what a question finds, checked, ranked, and answered with its evidence."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from uuid import uuid4

from palimpsest.contracts.recall import Recalled, RecallRequest, RecallResponse, Record
from palimpsest.domain.clock import Clock
from palimpsest.domain.evolution.validity import HELD
from palimpsest.domain.memory import Status
from palimpsest.domain.ranking.fusion import Contender, Ranked, rank
from palimpsest.domain.ranking.gate import Gate, says_something
from palimpsest.domain.ranking.merging import distinct
from palimpsest.domain.ranking.policy import RankingPolicy
from palimpsest.domain.ranking.pool import Match, Place, Pool
from palimpsest.domain.scope import Scope
from palimpsest.domain.user import UserState
from palimpsest.providers.embedding import Embedder, QueryVectors
from palimpsest.stores.users import UserStates
from palimpsest.stores.vectors import VectorHit, VectorQuery, VectorStore
from services.recall.accesses import AccessLog
from services.recall.metrics import RecallMetrics
from services.recall.presenting import recalled_memory, recalled_summary, recalled_turn, score_parts
from services.recall.reading import Read, Reader, Sight


@dataclass(frozen=True, kw_only=True)
class Breadth:
    """How far each step looks beyond what is to be returned."""

    found: int = 80
    """Finds of each arm of the search; below that, what stands beside a find goes unseen."""
    ranked_for_each_result: float = 2.5
    ranked_at_least: int = 20
    """Ranked by all signs, of the most relevant: who speaks moves a turn up by many places, and
    further down it moves up what was hardly asked for."""
    beside: int = 3
    """The best finds whose neighbours are read even where they were not found themselves."""

    def ranked(self, limit: int) -> int:
        return max(self.ranked_at_least, round(self.ranked_for_each_result * limit))

    def search(self, limit: int) -> int:
        return max(self.found, self.ranked(limit))


class Recalling:
    """The one handler behind HTTP and Kafka."""

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        states: UserStates,
        embedder: Embedder,
        vectors: VectorStore,
        reader: Reader,
        gate: Callable[[], Awaitable[Gate]],
        policy: RankingPolicy,
        accesses: AccessLog,
        metrics: RecallMetrics,
        clock: Clock,
        breadth: Breadth | None = None,
    ) -> None:
        self._states = states
        self._embedder = embedder
        self._vectors = vectors
        self._reader = reader
        self._gate = gate
        self._policy = policy
        self._accesses = accesses
        self._metrics = metrics
        self._clock = clock
        self._breadth = breadth or Breadth()

    async def recall(self, request: RecallRequest) -> RecallResponse:
        """What matters to the question, best first.

        Raises:
            TransientError: the embedder, the projection or a cache is not to be had.
        """
        started = perf_counter()
        recall_id = str(uuid4())
        try:
            with self._metrics.timed("whole"):
                results, outcome = await self._results(request, recall_id)
        except BaseException:
            self._metrics.failed()
            raise
        self._metrics.answered(outcome, len(results))
        return RecallResponse(
            recall_id=recall_id,
            results=tuple(results),
            gated=outcome == "gated",
            memory_enabled=outcome != "memory_off",
            took_ms=round((perf_counter() - started) * 1000, 3),
        )

    async def _results(self, request: RecallRequest, recall_id: str) -> tuple[list[Recalled], str]:
        scopes = request.scope.visible(request.layers)
        records = request.records & {Record.MEMORY} if request.kinds else request.records
        if request.incognito:
            return [], "incognito"
        # Started together: the state is read, if it must be, while the question is embedded.
        state, question = await asyncio.gather(
            self._state(request.user_id), self._embed(request.query)
        )
        if not state.settings.memory_enabled:
            return [], "memory_off"
        if not scopes or not records:
            return [], "empty"
        if not says_something(request.query):
            return [], "gated"
        hits = await self._search(request, question, scopes, records)
        matches = (await self._gate()).admit([_match(hit) for hit in hits])
        if not matches:
            return [], "gated"
        results = await self._answer(request, scopes, state, hits, matches)
        if not request.preview:
            self._accesses.note(request.scope, state.epoch, recall_id, results)
        return results, "answered" if results else "empty"

    async def _state(self, user_id: str) -> UserState:
        with self._metrics.timed("state"):
            return (await self._states.of([user_id]))[user_id]

    async def _embed(self, question: str) -> QueryVectors:
        with self._metrics.timed("embed"):
            return await self._embedder.embed_query(question)

    async def _search(
        self,
        request: RecallRequest,
        question: QueryVectors,
        scopes: tuple[Scope, ...],
        records: frozenset[Record],
    ) -> Sequence[VectorHit]:
        with self._metrics.timed("search"):
            return await self._vectors.search(
                VectorQuery(
                    scopes=scopes,
                    records=records,
                    kinds=request.kinds,
                    statuses=frozenset({Status.ACTIVE}) if request.as_of is None else HELD,
                    dense=question.dense,
                    sparse=question.sparse,
                    limit=self._breadth.search(request.limit),
                )
            )

    async def _answer(
        self,
        request: RecallRequest,
        scopes: tuple[Scope, ...],
        state: UserState,
        hits: Sequence[VectorHit],
        matches: Sequence[Match],
    ) -> list[Recalled]:
        pool = Pool(matches, self._policy)
        best = pool.best(self._breadth.ranked(request.limit))
        finds = {hit.id: hit for hit in hits}
        standing = [Contender(match.id, finds[match.id].signs, match.place) for match in best]
        beside = pool.unseen_beside(best[: self._breadth.beside])
        sight = Sight(
            scopes=scopes,
            kinds=request.kinds,
            epoch=state.epoch,
            now=self._clock(),
            as_of=request.as_of,
        )
        read = Read()
        while True:
            with self._metrics.timed("rank"):
                ranked = rank(request.query, standing, pool, self._policy)
                chosen = distinct(ranked, request.limit)
            unread = {
                one.contender.id: finds[one.contender.id].record
                for one in chosen
                if one.contender.id not in read
            }
            if not unread:
                return [_shown(one, read, pool, explain=request.explain) for one in chosen]
            with self._metrics.timed("read"):
                more = await self._reader.read(unread, beside, sight)
            # Only its document tells that a find is not to be shown: then what comes next is.
            standing = [
                one for one in standing if one.id not in unread or one.id in more
            ] + more.contenders_beside(unread)
            read, beside = read | more, []


def _match(hit: VectorHit) -> Match:
    stands = hit.session_id is not None and hit.sequence is not None
    place = Place(hit.session_id, hit.sequence) if stands else None  # type: ignore[arg-type]
    return Match(hit.id, hit.cosine, hit.lexical, place)


def _shown(ranked: Ranked, read: Read, pool: Pool, *, explain: bool) -> Recalled:
    identity = ranked.contender.id
    parts = score_parts(ranked, pool.cosine(identity)) if explain else None
    memory = read.memories.get(identity)
    if memory is not None:
        return recalled_memory(memory, ranked, parts)
    summary = read.summaries.get(identity)
    if summary is not None:
        return recalled_summary(summary, ranked, parts)
    return recalled_turn(read.turns[identity], ranked, parts)
