"""The sources' rankings: memories by their similarity in meaning and what is known of them.

They look at few candidates and need their documents, so that those are read
before anything is ranked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from palimpsest.api.recall import Excluded, RecallDetail, RecordType
from palimpsest.model.memory import Accesses, Memory
from palimpsest_server.domain.ranking.policies.memory_policy import (
    MemoryPolicy,
    PolicyCandidate,
    PolicyChoice,
)
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments
from palimpsest_server.stores.vectors import VectorHit, VectorStore
from services.recall.answer import RecallAnswer, fallen, gated
from services.recall.gate import admitted
from services.recall.hits import as_read
from services.recall.metrics import RecallMetrics
from services.recall.present import build_policy_score_parts, present_memory
from services.recall.question import Question
from services.recall.read import DocumentReader

SEARCHED = 80
"""Finds of each arm: the gate judges by how the nearest stand out among them."""

SPARE = 5
"""Candidates beyond what the policy looks at, for those that only their documents rule out."""

_MEMORIES = frozenset({RecordType.MEMORY})


class PolicyRanking:
    def __init__(
        self, vectors: VectorStore, reader: DocumentReader, metrics: RecallMetrics
    ) -> None:
        self._vectors = vectors
        self._reader = reader
        self._metrics = metrics

    async def recall(self, question: Question, policy: MemoryPolicy, gate: Gate) -> RecallAnswer:
        """The answer by this policy.

        Raises:
            TransientError: the projection or the documents are not to be had.
        """
        if RecordType.MEMORY not in question.records:
            return RecallAnswer([])
        searches = policy.searches(question.scopes, question.request.wanted)
        queries = [
            question.query(
                limit=max(SEARCHED, search.nearest + SPARE),
                scopes=search.scopes,
                records=_MEMORIES,
            )
            for search in searches
        ]
        bounding = [one for search in searches for one in question.bounding(search.scopes)]
        with self._metrics.timed("search"):
            searched = await self._vectors.search_many([*queries, *bounding])
        asked = await self._reader.asked(question.asked, question.sight)
        answers = [[as_read(hit, asked) for hit in hits] for hits in searched[: len(queries)]]
        # What stands in a theme may open the gate; the formulas are of the model's own cosines.
        of_themes = [hit for hits in searched[len(queries) :] for hit in hits]
        found = {hit.id: hit for hits in answers for hit in hits}
        passed = await admitted(question, gate, found.values(), self._vectors, asked, of_themes)
        if not passed.matches:
            return _told(gated(found.values()), question, passed.margin)
        near = {match.id for match in passed.matches}
        candidates = [
            hit
            for hits, search in zip(answers, searches, strict=True)
            for hit in _nearest(hits, near, question, search.nearest + SPARE)
        ]
        answer = await self._choose(question, policy, gate, candidates, asked)
        return _told(answer, question, passed.margin)

    async def _choose(
        self,
        question: Question,
        policy: MemoryPolicy,
        gate: Gate,
        candidates: list[VectorHit],
        asked: Mapping[str, Memory],
    ) -> RecallAnswer:
        ids = {hit.id: hit.record for hit in candidates}
        with self._metrics.timed("read"):
            versions = {hit.id: hit.version for hit in candidates}
            read = await self._reader.read(
                ids, [], question.sight, versions=versions, at_hand=asked
            )
            accesses = (
                await self._reader.accesses(question.scopes, list(read.memories))
                if policy.needs_accesses
                else {}
            )
        cosines = {hit.id: hit.cosine or 0.0 for hit in candidates}
        with self._metrics.timed("rank"):
            relevance = partial(gate.relevance, chinese=question.rarities is not None)
            choice = policy.choose(
                [
                    _find(memory, cosine, relevance(cosine), accesses.get(memory.id))
                    for memory in read.memories.values()
                    for cosine in [cosines[memory.id]]
                ],
                limit=question.request.wanted,
                now=question.now,
            )
        explained = RecallDetail.EXPLANATION in question.request.include
        return RecallAnswer(
            results=[
                present_memory(
                    read.memories[one.id],
                    one.score,
                    build_policy_score_parts(one, cosines[one.id]) if explained else None,
                )
                for one in choice.kept
            ],
            memories=read.memories,
            fell_out=_fell_out(choice, read, candidates) if explained else (),
        )


def _told(answer: RecallAnswer, question: Question, margin: float | None) -> RecallAnswer:
    explained = RecallDetail.EXPLANATION in question.request.include
    return replace(answer, gate_margin=margin) if explained else answer


def _nearest(
    hits: Sequence[VectorHit], near: set[str], question: Question, most: int
) -> list[VectorHit]:
    allowed = question.sight.statuses
    fitting = [
        hit for hit in hits if hit.cosine is not None and hit.id in near and hit.status in allowed
    ]
    return sorted(fitting, key=lambda hit: (-(hit.cosine or 0.0), hit.id))[:most]


def _find(
    memory: Memory, cosine: float, relevance: float, counted: Accesses | None
) -> PolicyCandidate:
    return PolicyCandidate(
        id=memory.id,
        cosine=cosine,
        relevance=relevance,
        importance=memory.importance,
        confidence=memory.confidence,
        layer=memory.scope.layer,
        characters=len(memory.content),
        recorded_at=memory.recorded_at,
        last_accessed_at=None if counted is None else counted.last_at,
    )


def _fell_out(
    choice: PolicyChoice, read: VisibleDocuments, candidates: list[VectorHit]
) -> tuple[Excluded, ...]:
    left = tuple(
        Excluded(id=one.id, record=RecordType.MEMORY, why=one.why, score=one.score)
        for one in choice.excluded
    )
    hidden = fallen((hit for hit in candidates if hit.id in read.hidden), "no_longer_holds")
    return left + hidden
