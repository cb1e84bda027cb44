"""From a request to a question: who asks, where, for what time, in vectors."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from palimpsest.contracts.recall import RECALLED, Include, RecallRequest, Record
from palimpsest.domain.clock import Clock
from palimpsest.domain.evolution.validity import HELD
from palimpsest.domain.memory import Status
from palimpsest.domain.ranking.earlier_conversations import refers_to_an_earlier_conversation
from palimpsest.domain.ranking.fusion import Span
from palimpsest.domain.ranking.overlap import Rarities, together
from palimpsest.domain.ranking.questions import asks_about_the_past
from palimpsest.domain.ranking.weighing import context_weights, weighed_dense, weighed_sparse
from palimpsest.domain.scope import Scope
from palimpsest.domain.time_expressions.finding import find_times
from palimpsest.domain.user import Language, UserState
from palimpsest.domain.writing import language_of
from palimpsest.providers.embedding import Embedder, QueryVectors
from palimpsest.providers.sparse import sparse_encoder
from palimpsest.stores.users import UserStates
from palimpsest.stores.vectors import VectorQuery
from services.recall.metrics import RecallMetrics
from services.recall.reading import Sight

FOUND_OR_LEADING_ON = frozenset({Status.ACTIVE, Status.SUPERSEDED, Status.FORGOTTEN})
"""What no longer holds is looked at too: it leads to what does, and tells which turns are out of date."""

TIMES = 2
"""Of one question; each is a search of its own."""


@dataclass(frozen=True, kw_only=True)
class Question:
    request: RecallRequest
    scopes: tuple[Scope, ...]
    records: frozenset[Record]
    vectors: QueryVectors
    words: int
    """Different words with a meaning, those of the context by their weight."""
    rarities: Rarities | None
    """Of its terms, by which the gate judges Chinese questions; None for others."""
    times: tuple[Span, ...]
    past: bool
    """Whether what no longer holds is asked for."""
    last_time: bool
    """Whether an earlier conversation is asked about, which its summary tells."""
    state: UserState
    now: datetime

    @cached_property
    def sight(self) -> Sight:
        return Sight(
            scopes=self.scopes,
            kinds=self.request.kinds,
            epoch=self.state.epoch,
            now=self.now,
            as_of=self.request.as_of,
            past=self.past,
            state=self.state,
            since=self.request.since,
            until=self.request.until,
        )

    def query(
        self,
        *,
        limit: int,
        scopes: tuple[Scope, ...] | None = None,
        records: frozenset[Record] | None = None,
        time: Span | None = None,
    ) -> VectorQuery:
        """Asked of the projection; `time` narrows it further."""
        since, until = _narrowed(
            (_seconds(self.request.since), _seconds(self.request.until)), time or (None, None)
        )
        return VectorQuery(
            scopes=self.scopes if scopes is None else scopes,
            records=self.records if records is None else records,
            statuses=FOUND_OR_LEADING_ON if self.request.as_of is None else HELD,
            kinds=self.request.kinds,
            dense=self.vectors.dense,
            sparse=self.vectors.sparse,
            since=since,
            until=until,
            limit=limit,
        )


class Asking:
    def __init__(
        self, states: UserStates, embedder: Embedder, metrics: RecallMetrics, clock: Clock
    ) -> None:
        self._states = states
        self._embedder = embedder
        self._metrics = metrics
        self._clock = clock

    async def __call__(self, request: RecallRequest, *, crowded: bool = False) -> Question:
        """The question of a request; `crowded` where many are asked at a time.

        Raises:
            TransientError: the embedder or what the user has settled is not to be had.
        """
        # Started together: the state is read, if it must be, while the question is embedded.
        state, (vectors, words) = await asyncio.gather(
            self._state(request.user_id), self._vectors(request, crowded=crowded)
        )
        now = self._clock()
        return Question(
            request=request,
            scopes=request.scope.visible(request.layers),
            records=request.records & {Record.MEMORY} if request.kinds else request.records,
            vectors=vectors,
            words=words,
            rarities=_rarities(request),
            times=_times(request.query, now, state.settings.time_zone),
            past=Include.HISTORY in request.include or asks_about_the_past(request.query),
            last_time=request.records >= RECALLED
            and refers_to_an_earlier_conversation(request.query),
            state=state,
            now=now,
        )

    async def _state(self, user_id: str) -> UserState:
        with self._metrics.timed("state"):
            return (await self._states.of([user_id]))[user_id]

    async def _vectors(self, request: RecallRequest, *, crowded: bool) -> tuple[QueryVectors, int]:
        with self._metrics.timed("embed"):
            question = await self._embedder.embed_query(request.query, crowded=crowded)
            words = len(question.sparse.indices)
            if not request.context:
                return question, words
            before = [
                await self._embedder.embed_query(text, crowded=crowded)
                for text in reversed(request.context)
            ]
        every = [question, *before]
        weights = (1.0, *context_weights(words, len(before)))
        sparse = weighed_sparse([one.sparse for one in every], weights)
        dense = weighed_dense([one.dense for one in every], weights)
        return QueryVectors(dense=dense, sparse=sparse), max(words, round(sum(sparse.values)))


def _rarities(request: RecallRequest) -> Rarities | None:
    if language_of(request.query) is not Language.CHINESE:
        return None
    encoder = sparse_encoder()
    question = encoder.rarities(request.query)
    if not request.context:
        return question
    before = [encoder.rarities(text) for text in reversed(request.context)]
    weights = (1.0, *context_weights(len(question.words), len(before)))
    return together([question, *before], weights)


def _times(query: str, now: datetime, time_zone: str) -> tuple[Span, ...]:
    found = find_times(query, said_at=now, time_zone=time_zone)
    spans = [(_seconds(one.starts_at), _seconds(one.ends_at)) for one in found]
    return tuple(dict.fromkeys(span for span in spans if span != (None, None)))[:TIMES]


def _seconds(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp())


def _narrowed(one: Span, other: Span) -> Span:
    starts = [start for start, _ in (one, other) if start is not None]
    ends = [end for _, end in (one, other) if end is not None]
    return (max(starts, default=None), min(ends, default=None))
