"""Projects MongoDB's memories: writes points, updates their states, and requests vectors."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from palimpsest.api.recall import RecordType
from palimpsest.events.embeddable_event import MemoryText
from palimpsest.events.envelope import derive_event_id
from palimpsest.events.maintenance import TurnsExpired
from palimpsest.events.text_vectors import TextVectors
from palimpsest.events.topics import CANDIDATES
from palimpsest.events.writes import ReprojectionRequested, TurnStored
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.domain.ranking.extract_features import extract_memory_features
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.vector_points import memory_point, turn_point
from palimpsest_server.stores.vectors import VectorState, VectorStore
from services.consolidator.metrics import ConsolidatorMetrics

MEMORIES_PER_REQUEST = 32
SEARCHABLE_STATUSES = frozenset({Status.PENDING, Status.ACTIVE, Status.SUPERSEDED})
"""Statuses of memories that recall may search, and that therefore need a point."""


class VectorProjection:
    def __init__(
        self,
        vectors: VectorStore,
        *,
        memories: MemoryStore,
        publisher: Publisher,
        metrics: ConsolidatorMetrics,
        clock: Clock,
    ) -> None:
        self._vectors = vectors
        self._memories = memories
        self._publisher = publisher
        self._metrics = metrics
        self._clock = clock

    @property
    def model(self) -> str:
        """The slug of the model whose vectors are projected."""
        return self._vectors.model.slug

    async def turns(self, events: Sequence[TurnStored]) -> None:
        points = [turn_point(event.turn, event.vectors[0]) for event in events]
        await self._vectors.upsert(points)
        self._metrics.projected.labels(RecordType.TURN.value).inc(len(points))

    async def without(self, events: Sequence[TurnsExpired]) -> None:
        """Remove the points of expired turns."""
        gone = {turn_id: event.scope for event in events for turn_id in event.turn_ids}
        await self._vectors.remove(gone)

    async def memories(
        self,
        memories: Sequence[Memory],
        vectors: Mapping[str, TextVectors],
        reworded: Collection[str] = (),
    ) -> None:
        """Project these memories. Those without new vectors keep their stored ones.

        If no vectors are stored, or only of an older wording (`reworded`, by id), they are
        requested, and come back as an event. Vectors of another model count as missing: a change
        set may have waited for its projection while everything was embedded anew.
        """
        fitting = {one for one, vector in vectors.items() if vector.model == self.model}
        points = [
            memory_point(memory, vectors[memory.id]) for memory in memories if memory.id in fitting
        ]
        outdated = [
            memory for memory in memories if memory.id in reworded and memory.id not in fitting
        ]
        gone = [memory for memory in memories if memory.status is Status.PURGED]
        kept = fitting.union(memory.id for memory in (*outdated, *gone))
        rest = [memory for memory in memories if memory.id not in kept]
        if points:
            await self._vectors.upsert(points)
            self._metrics.projected.labels(RecordType.MEMORY.value).inc(len(points))
        if rest:
            absent = await self._vectors.restate([_state(memory) for memory in rest])
            await self.request([memory for memory in rest if memory.id in absent])
        if outdated or gone:
            await self._vectors.remove({memory.id: memory.scope for memory in (*outdated, *gone)})
            await self.request(outdated)

    async def again(self, events: Sequence[ReprojectionRequested]) -> None:
        """Project memories whose requested vectors arrived, if their version is unchanged."""
        asked = {
            (memory.memory_id, memory.version): vectors
            for event in events
            for memory, vectors in zip(event.memories, event.vectors, strict=True)
        }
        standing = await self._standing(events)
        points = [
            memory_point(memory, asked[memory.id, memory.version])
            for memory in standing
            if (memory.id, memory.version) in asked
        ]
        await self._vectors.upsert(points)
        self._metrics.projected.labels(RecordType.MEMORY.value).inc(len(points))

    async def request(self, memories: Sequence[Memory]) -> None:
        """Ask the embedder for vectors of these memories; they come back through `writes`."""
        missed = [memory for memory in memories if memory.status in SEARCHABLE_STATUSES]
        events = [
            self._requested(scope, part)
            for scope, own in _by_scope(missed).items()
            for part in _parts(own, MEMORIES_PER_REQUEST)
        ]
        if events:
            await self._publisher.publish(CANDIDATES, events)
            self._metrics.reprojections.inc(len(missed))

    async def differing(self, memories: Sequence[Memory]) -> list[Memory]:
        """Return memories whose projection is missing or of another version."""
        versions = await self._vectors.versions({memory.id: memory.scope for memory in memories})
        return [
            memory
            for memory in memories
            if versions.get(memory.id) != memory.version
            and (memory.id in versions or memory.status in SEARCHABLE_STATUSES)
        ]

    async def _standing(self, events: Iterable[ReprojectionRequested]) -> list[Memory]:
        wanted: dict[Scope, set[str]] = {}
        for event in events:
            wanted.setdefault(event.scope, set()).update(
                memory.memory_id for memory in event.memories
            )
        by_namespace = {scope.namespace: set[str]() for scope in wanted}
        for scope, ids in wanted.items():
            by_namespace[scope.namespace] |= ids
        memories = await self._memories.of_namespaces(by_namespace)
        return [memory for memory in memories if memory.id in wanted.get(memory.scope, ())]

    def _requested(self, scope: Scope, memories: Sequence[Memory]) -> ReprojectionRequested:
        now = self._clock()
        # The time is part of the id, because the same vectors may be lost twice.
        named = [f"{memory.id} {memory.version}" for memory in memories]
        return ReprojectionRequested(
            event_id=derive_event_id(
                "ReprojectionRequested", scope.user_id, now.isoformat(), *named
            ),
            occurred_at=now,
            received_at=now,
            epoch=max(memory.epoch for memory in memories),
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            project_id=scope.project_id,
            memories=tuple(
                MemoryText(memory_id=memory.id, version=memory.version, text=memory.embedded_text)
                for memory in memories
            ),
        )


def _state(memory: Memory) -> VectorState:
    return VectorState(
        id=memory.id,
        scope=memory.scope,
        version=memory.version,
        status=memory.status,
        kind=memory.kind,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        features=extract_memory_features(memory),
    )


def _by_scope(memories: Iterable[Memory]) -> dict[Scope, list[Memory]]:
    scopes: dict[Scope, list[Memory]] = {}
    for memory in memories:
        scopes.setdefault(memory.scope, []).append(memory)
    return scopes


def _parts(memories: Sequence[Memory], size: int) -> list[Sequence[Memory]]:
    return [memories[start : start + size] for start in range(0, len(memories), size)]
