"""Asks a model about new memories that resemble others: the same, or does one replace the other?

Questions are asked after the batch, so that nobody waits for them. Both memories are kept
meanwhile, and the answer comes back as a proposal. A question that is lost with its process is not
asked again: both memories are kept, and maintenance compares them like any other two.
"""

from collections.abc import Callable, Sequence

from palimpsest.api.recall import RecordType
from palimpsest.events.embeddable_event import MemoryText
from palimpsest.events.envelope import derive_event_id
from palimpsest.events.extractor_requests import JudgementRequested
from palimpsest.events.topics import EXTRACTIONS
from palimpsest.model.clock import Clock
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Namespace
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.sequential_task import SequentialTask
from palimpsest_server.domain.consolidation.model_judgements import is_possible_duplicate
from palimpsest_server.stores.change_sets import DecidedChangeSet
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.vectors import VectorQuery, VectorStore
from services.consolidator.metrics import ConsolidatorMetrics

MARGIN_BELOW_THRESHOLD = 0.06
"""Memories this far below the merge threshold may still say the same in other words."""

NEAREST_MEMORIES = 3
"""The most memories that a question shows beside the new one."""

_LOOKED_AT = 8
"""Hits per search: one is the memory itself, and some are decided by their attribute keys."""


class DuplicateQuestions:
    def __init__(
        self,
        vectors: VectorStore,
        memories: MemoryStore,
        publisher: Publisher,
        *,
        threshold: Callable[[], float | None],
        metrics: ConsolidatorMetrics,
        clock: Clock,
    ) -> None:
        """`threshold` returns the cosine from which memories are merged; while None, nothing is asked."""
        self._vectors = vectors
        self._memories = memories
        self._publisher = publisher
        self._threshold = threshold
        self._metrics = metrics
        self._clock = clock
        self._asking = SequentialTask()

    async def follow(self, decided: Sequence[DecidedChangeSet]) -> None:
        """Ask about the memories that these change sets added, in the background: see `over`."""
        if any(decided_change_set.vectors for decided_change_set in decided):
            await self._asking.follow(self.ask(decided))

    async def over(self) -> None:
        """Return when every question is asked."""
        await self._asking.over()

    async def ask(self, decided: Sequence[DecidedChangeSet]) -> None:
        added = [
            (decided_change_set, change.after)
            for decided_change_set in decided
            for change in decided_change_set.change_set.memory_changes
            if change.before is None
            and change.after.status is Status.ACTIVE
            and change.after.id in decided_change_set.vectors
        ]
        near = await self._near(added)
        questions = [
            self._question(decided_change_set, memory, others)
            for (decided_change_set, memory), others in zip(added, near, strict=True)
            if others
        ]
        if questions:
            await self._publisher.publish(EXTRACTIONS, questions)
            self._metrics.questions.inc(len(questions))

    async def _near(self, added: Sequence[tuple[DecidedChangeSet, Memory]]) -> list[list[Memory]]:
        """Return, for each new memory, possible duplicates that need a model to tell, nearest first."""
        threshold = self._threshold()
        if threshold is None or not added:
            return [[] for _ in added]
        found = await self._vectors.search_many(
            [
                VectorQuery(
                    scopes=(memory.scope,),
                    records=frozenset({RecordType.MEMORY}),
                    kinds=frozenset({memory.kind}),
                    dense=decided_change_set.vectors[memory.id].dense_values(),
                    limit=_LOOKED_AT,
                )
                for decided_change_set, memory in added
            ]
        )
        near = [
            [
                hit.id
                for hit in hits
                if hit.cosine is not None and hit.cosine >= threshold - MARGIN_BELOW_THRESHOLD
            ]
            for hits in found
        ]
        known = await self._read([memory for _, memory in added], near)
        return [
            [
                known[each]
                for each in ids
                if each in known and is_possible_duplicate(memory, known[each])
            ][:NEAREST_MEMORIES]
            for (_, memory), ids in zip(added, near, strict=True)
        ]

    async def _read(
        self, memories: Sequence[Memory], near: Sequence[Sequence[str]]
    ) -> dict[str, Memory]:
        wanted: dict[Namespace, set[str]] = {}
        for memory, ids in zip(memories, near, strict=True):
            if others := set(ids) - {memory.id}:
                wanted.setdefault(memory.scope.namespace, set()).update(others)
        found = await self._memories.of_namespaces(wanted) if wanted else []
        return {memory.id: memory for memory in found}

    def _question(
        self, decided: DecidedChangeSet, new: Memory, standing: Sequence[Memory]
    ) -> JudgementRequested:
        cause = decided.change_set.cause
        named = [f"{memory.id} {memory.version}" for memory in (new, *standing)]
        question_id = derive_id("judgement", decided.user_id, *named)
        return JudgementRequested(
            event_id=derive_event_id("JudgementRequested", decided.user_id, question_id),
            occurred_at=self._clock(),
            received_at=cause.received_at,
            epoch=new.epoch,
            user_id=decided.user_id,
            agent_id=new.scope.agent_id,
            project_id=new.scope.project_id,
            trace=cause.trace,
            question_id=question_id,
            new=_text(new),
            standing=tuple(_text(memory) for memory in standing),
        )


def _text(memory: Memory) -> MemoryText:
    return MemoryText(memory_id=memory.id, version=memory.version, text=memory.content)
