"""Searches the projection for everything that may answer a question, in one round trip."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil, floor

from palimpsest.api.recall import DEFAULT_RECORD_TYPES, RecordType
from palimpsest.model.memory import HELD_STATUSES, Memory, Status
from palimpsest.model.scope import Scope
from palimpsest_language.question_intents.question_times import TimeSpan
from palimpsest_server.domain.ranking.extract_features import extract_memory_features
from palimpsest_server.domain.ranking.policies.memory_policy import PolicySearch
from palimpsest_server.domain.ranking.policies.summary_selection import SUMMARIES_ON_REQUEST
from palimpsest_server.stores.vectors import VectorHit, VectorQuery, VectorStore
from services.recall.intents import EarlierConversationIntent
from services.recall.metrics import RecallMetrics
from services.recall.question import Question

HITS_PER_ARM = 80
"""Hits of each arm of the search. With fewer, neighbours of a hit go unseen, and the gate cannot
tell how far the nearest hits stand out.
"""

HITS_PER_TIME = 20
"""Hits of each arm within each time that the question names, in addition to the others."""

TOPIC_HITS_PER_ARM = 40
"""Memories found by the topics of the question, in each arm."""

SPARE_CANDIDATES = 5
"""Candidates beyond those that a policy ranks, in place of those that their documents rule out."""

SEARCHED_STATUSES = frozenset({Status.ACTIVE, Status.SUPERSEDED, Status.FORGOTTEN})
"""Memories that no longer hold are searched too: they lead to current memories, and tell which
turns are out of date.
"""

_SUMMARIES = frozenset({RecordType.SUMMARY})
_MEMORIES = frozenset({RecordType.MEMORY})


@dataclass(frozen=True)
class SearchHits:
    near: Sequence[VectorHit]
    """Near to the question, each once."""
    topical: Sequence[VectorHit] = ()
    """Memories found by the question's topics, with the scores of that search."""


@dataclass(frozen=True)
class PolicyHits:
    by_search: Sequence[Sequence[VectorHit]]
    """The hits of each search of the policy, in its order."""
    topical: Sequence[VectorHit]


class CandidateSearch:
    def __init__(self, vectors: VectorStore, metrics: RecallMetrics) -> None:
        self._vectors = vectors
        self._metrics = metrics

    async def search(self, question: Question, *, limit: int) -> SearchHits:
        """Search by meaning, words, times and topics.

        Args:
            question: the question.
            limit: hits of each arm; at least `HITS_PER_ARM` are taken.

        Raises:
            TransientError: the projection is not to be had.
        """
        queries = _build_queries(question, limit=max(HITS_PER_ARM, limit))
        topical = _build_topic_queries(question, question.visibility.scopes)
        with self._metrics.timed("search"):
            found = await self._vectors.search_many([*queries, *topical])
        near = found[: len(queries)]
        return SearchHits(
            near=near[0] if len(near) == 1 else merge_hits(near),
            topical=found[-1] if topical else (),
        )

    async def search_for_policy(
        self, question: Question, searches: Sequence[PolicySearch]
    ) -> PolicyHits:
        """Search memories as a policy asks for them.

        Raises:
            TransientError: the projection is not to be had.
        """
        queries = [
            build_query(
                question,
                limit=max(HITS_PER_ARM, search.nearest + SPARE_CANDIDATES),
                scopes=search.scopes,
                records=_MEMORIES,
            )
            for search in searches
        ]
        topical = [
            query for search in searches for query in _build_topic_queries(question, search.scopes)
        ]
        with self._metrics.timed("search"):
            found = await self._vectors.search_many([*queries, *topical])
        return PolicyHits(
            by_search=found[: len(queries)],
            topical=[hit for hits in found[len(queries) :] for hit in hits],
        )


def build_query(
    question: Question,
    *,
    limit: int,
    scopes: tuple[Scope, ...] | None = None,
    records: frozenset[RecordType] | None = None,
    time: TimeSpan | None = None,
) -> VectorQuery:
    """Return the query of a question, narrowed to a `time` where one is given."""
    request, visibility = question.request, question.visibility
    requested = (_second(request.since, floor), _second(request.until, ceil))
    times = question.times if question.is_within_times else ((None, None),)
    since, until = _intersect(requested, time or _enclose(times))
    return VectorQuery(
        scopes=visibility.scopes if scopes is None else scopes,
        records=question.records if records is None else records,
        statuses=SEARCHED_STATUSES if request.as_of is None else HELD_STATUSES,
        kinds=request.kinds,
        ids=request.memory_ids,
        dense=question.terms.vectors.dense,
        sparse=question.terms.vectors.sparse,
        since=since,
        until=until,
        limit=limit,
    )


def merge_hits(answers: Iterable[Sequence[VectorHit]]) -> list[VectorHit]:
    """Return each hit once, with the scores that any of the searches gave it: they agree."""
    merged: dict[str, VectorHit] = {}
    for hit in (hit for hits in answers for hit in hits):
        known = merged.get(hit.id)
        merged[hit.id] = (
            hit
            if known is None
            else known._replace(
                cosine=hit.cosine if known.cosine is None else known.cosine,
                lexical=hit.lexical if known.lexical is None else known.lexical,
            )
        )
    return list(merged.values())


def add_memories(hits: Sequence[VectorHit], memories: Mapping[str, Memory]) -> Sequence[VectorHit]:
    """Return the hits, brought up to date by these memories, and those memories that are no hits."""
    found = {hit.id for hit in hits}
    return [
        *(update_hit(hit, memories) for hit in hits),
        *(
            VectorHit(
                id=memory.id,
                record=RecordType.MEMORY,
                scope=memory.scope,
                session_id=None,
                sequence=None,
                cosine=None,
                lexical=None,
                features=extract_memory_features(memory),
            )
            for memory in memories.values()
            if memory.id not in found
        ),
    ]


def add_topical(hits: Sequence[VectorHit], topical: Iterable[VectorHit]) -> list[VectorHit]:
    """Return all hits. Those found by topic alone get no scores, since theirs are of another query."""
    found = {hit.id for hit in hits}
    alone = (hit for hit in topical if hit.id not in found)
    return [*hits, *(hit._replace(cosine=None, lexical=None) for hit in alone)]


def update_hit(hit: VectorHit, memories: Mapping[str, Memory]) -> VectorHit:
    """Return the hit as its document says, where that was read: projections lag a little."""
    memory = memories.get(hit.id)
    if memory is None:
        return hit
    return hit._replace(status=memory.status, features=extract_memory_features(memory))


def _build_queries(question: Question, *, limit: int) -> list[VectorQuery]:
    if question.is_within_times:
        records = question.records
        if records >= DEFAULT_RECORD_TYPES:
            records |= _SUMMARIES
        queries = [
            build_query(question, limit=limit, records=frozenset({record}), time=span)
            for span in question.times
            for record in sorted(records)
        ]
    else:
        queries = [build_query(question, limit=limit)]
        queries += [
            build_query(question, limit=HITS_PER_TIME, time=span) for span in question.times
        ]
    if isinstance(question.intent, EarlierConversationIntent):
        queries += [
            build_query(question, limit=SUMMARIES_ON_REQUEST, records=_SUMMARIES, time=span)
            for span in question.visibility.then or (None,)
        ]
    return queries


def _build_topic_queries(question: Question, scopes: tuple[Scope, ...]) -> list[VectorQuery]:
    """Return the query for memories of the question's topics that hold; none without a topic."""
    topic = question.topic_query
    if topic is None:
        return []
    query = build_query(question, limit=TOPIC_HITS_PER_ARM, scopes=scopes, records=_MEMORIES)
    statuses = question.visibility.statuses
    return [replace(query, dense=topic.dense, sparse=topic.sparse, statuses=statuses)]


def _second(moment: datetime | None, whole: Callable[[float], int]) -> int | None:
    """Return the second that holds the moment; the projection stores whole seconds."""
    return None if moment is None else whole(moment.timestamp())


def _enclose(times: tuple[TimeSpan, ...]) -> TimeSpan:
    """Return the span from the first of these times to the last."""
    starts, ends = zip(*times, strict=True)
    return (
        None if None in starts else min(starts),
        None if None in ends else max(ends),
    )


def _intersect(one: TimeSpan, other: TimeSpan) -> TimeSpan:
    starts = [start for start, _ in (one, other) if start is not None]
    ends = [end for _, end in (one, other) if end is not None]
    return (max(starts, default=None), min(ends, default=None))
