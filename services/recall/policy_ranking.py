"""The named policies: rank memories by similarity in meaning and by their own formula.

They look at few candidates and need their documents, which are read before ranking.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

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
from services.recall.answer import RecallAnswer, build_gated_answer, exclude_hits
from services.recall.gate import AdmittedHits, admit_hits
from services.recall.metrics import RecallMetrics
from services.recall.present import build_policy_score_parts, present_memory
from services.recall.question import Question
from services.recall.read import DocumentReader
from services.recall.search import SPARE_CANDIDATES, CandidateSearch, update_hit


class PolicyRanking:
    def __init__(
        self, vectors: VectorStore, reader: DocumentReader, metrics: RecallMetrics
    ) -> None:
        self._vectors = vectors
        self._search = CandidateSearch(vectors, metrics)
        self._reader = reader
        self._metrics = metrics

    async def recall(self, question: Question, policy: MemoryPolicy, gate: Gate) -> RecallAnswer:
        """Answer the question by this policy.

        Raises:
            TransientError: the projection or the documents are not available.
        """
        if RecordType.MEMORY not in question.records:
            return RecallAnswer([])
        searches = policy.searches(question.visibility.scopes, question.request.wanted)
        found = await self._search.search_for_policy(question, searches)
        answering = await self._reader.read_attribute(question.attribute, question.visibility)
        answers = [[update_hit(hit, answering) for hit in hits] for hits in found.by_search]
        hits = {hit.id: hit for hits in answers for hit in hits}
        # Topics may open the gate. The formulas use the cosines of the question itself.
        admitted = await admit_hits(
            question,
            gate,
            hits.values(),
            self._vectors,
            answering=answering,
            topical=found.topical,
        )
        if admitted.matches:
            near = {match.id for match in admitted.matches}
            candidates = [
                hit
                for hits_of_search, search in zip(answers, searches, strict=True)
                for hit in _select_nearest(
                    hits_of_search, near, question, search.nearest + SPARE_CANDIDATES
                )
            ]
            answer = await self._choose(question, policy, admitted, candidates, answering)
            answer = answer.with_relevance(admitted.relevance)
        else:
            answer = build_gated_answer(hits.values())
        explained = RecallDetail.EXPLANATION in question.request.include
        return replace(answer, gate_margin=admitted.margin) if explained else answer

    async def _choose(
        self,
        question: Question,
        policy: MemoryPolicy,
        admitted: AdmittedHits,
        candidates: list[VectorHit],
        answering: Mapping[str, Memory],
    ) -> RecallAnswer:
        visibility = question.visibility
        with self._metrics.timed("read"):
            documents = await self._reader.read(
                {hit.id: hit.record for hit in candidates},
                [],
                visibility,
                versions={hit.id: hit.version for hit in candidates},
                at_hand=answering,
            )
            accesses = (
                await self._reader.read_accesses(visibility.scopes, list(documents.memories))
                if policy.needs_accesses
                else {}
            )
        cosines = {hit.id: hit.cosine or 0.0 for hit in candidates}
        with self._metrics.timed("rank"):
            choice = policy.choose(
                [
                    _build_candidate(
                        memory,
                        cosines[memory.id],
                        admitted.relevance.get(memory.id, 0.0),
                        accesses.get(memory.id),
                    )
                    for memory in documents.memories.values()
                ],
                limit=question.request.wanted,
                now=visibility.now,
            )
        explained = RecallDetail.EXPLANATION in question.request.include
        return RecallAnswer(
            results=[
                present_memory(
                    documents.memories[kept.id],
                    kept.score,
                    build_policy_score_parts(kept, cosines[kept.id]) if explained else None,
                )
                for kept in choice.kept
            ],
            memories=documents.memories,
            excluded=_explain_exclusions(choice, documents, candidates) if explained else (),
        )


def _select_nearest(
    hits: Sequence[VectorHit], near: set[str], question: Question, limit: int
) -> list[VectorHit]:
    statuses = question.visibility.statuses
    fitting = [
        hit for hit in hits if hit.cosine is not None and hit.id in near and hit.status in statuses
    ]
    return sorted(fitting, key=lambda hit: (-(hit.cosine or 0.0), hit.id))[:limit]


def _build_candidate(
    memory: Memory, cosine: float, relevance: float, accesses: Accesses | None
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
        last_accessed_at=None if accesses is None else accesses.last_at,
    )


def _explain_exclusions(
    choice: PolicyChoice, documents: VisibleDocuments, candidates: list[VectorHit]
) -> tuple[Excluded, ...]:
    excluded = tuple(
        Excluded(id=one.id, record=RecordType.MEMORY, why=one.why, score=one.score)
        for one in choice.excluded
    )
    hidden = (hit for hit in candidates if hit.id in documents.hidden)
    return excluded + exclude_hits(hidden, "no_longer_holds")
