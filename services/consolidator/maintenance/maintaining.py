"""What maintenance and quotas need to know, read before events are decided."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from palimpsest.contracts.envelope import Event
from palimpsest.contracts.maintenance import MemoryDistilled, RunMaintenance
from palimpsest.contracts.recall import Record
from palimpsest.contracts.topics import CANDIDATES
from palimpsest.delivery.publishing import Publisher
from palimpsest.domain.clock import Clock
from palimpsest.domain.compression.merging import Cosines
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.identifiers import derive
from palimpsest.domain.memory import Accesses, Memory, Source, Status
from palimpsest.domain.scope import Namespace
from palimpsest.domain.user import Tier, UserSettings
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.vectors import VectorQuery, VectorStore
from services.consolidator.deciding import candidates_of
from services.consolidator.maintenance.gathered import Gathered
from services.consolidator.maintenance.room import Room, limit_of
from services.consolidator.maintenance.running import Material
from services.consolidator.todos import KnownTodos

FRESH = timedelta(days=7)
"""What was recorded lately is compared with everything; a run that was missed does no harm."""
DAYS_BETWEEN_SWEEPS = 30
"""And everything with everything, now and then: thresholds change, and memories come back."""
NEIGHBOURS = 8
SEARCHED_AT_ONCE = 4
"""Each is a call that holds the interpreter to its end."""


class Maintaining:
    """`tier` is what users have who were given none; without `threshold` nothing is merged."""

    def __init__(
        self,
        memories: MemoryStore,
        todos: KnownTodos,
        vectors: VectorStore | None,
        publisher: Publisher,
        *,
        tier: Tier,
        threshold: float | None,
        clock: Clock,
    ) -> None:
        self._memories = memories
        self._todos = todos
        self._vectors = vectors
        self._publisher = publisher
        self._tier = tier
        self._threshold = threshold
        self._clock = clock

    async def gathered(
        self,
        events: Sequence[Event],
        settings: Mapping[str, UserSettings],
        known: Overlay,
    ) -> Gathered:
        """Reads into `known` all that is active where there is a run, or where it gets full."""
        runs = [event for event in events if isinstance(event, RunMaintenance)]
        active, accesses = await self._read({run.scope.namespace for run in runs}, known)
        material = {
            run.event_id: await self._material(
                run, active[run.scope.namespace], accesses[run.user_id]
            )
            for run in runs
        }
        await self._read_bases(events, known)
        return Gathered(await self._room(events, settings, known), material)

    async def follow(self, events: Sequence[Event]) -> None:
        """Send on what decisions lead to, before they are written down: done twice it is the same."""
        if events:
            await self._publisher.publish(CANDIDATES, events)

    async def _material(
        self, run: RunMaintenance, active: Sequence[Memory], accesses: Mapping[str, Accesses]
    ) -> Material:
        return Material(
            namespace=run.scope.namespace,
            accesses=accesses,
            cosines=await self._cosines(_to_compare(active, run, self._clock()), active),
            threshold=self._threshold,
        )

    async def _read_bases(self, events: Sequence[Event], known: Overlay) -> None:
        """What distillates rest on and may be already; and what is left of older ones' bases."""
        wanted: dict[Namespace, set[str]] = {}
        for event in events:
            if isinstance(event, MemoryDistilled):
                ids = {event.made.memory_id, *(one.memory_id for one in event.made.rests_on)}
                wanted.setdefault(event.scope.namespace, set()).update(ids)
            if isinstance(event, RunMaintenance):
                namespace = event.scope.namespace
                ids = {
                    relation.memory_id
                    for memory in known.of_namespace(namespace)
                    if memory.source is Source.REFLECTION
                    for relation in memory.relations
                }
                wanted.setdefault(namespace, set()).update(ids)
        absent = {
            namespace: {one for one in ids if known.get(one) is None}
            for namespace, ids in wanted.items()
        }
        if any(absent.values()):
            found = await self._memories.of_namespaces(absent)
            known.read(found)
            known.todos.read(await self._todos.beside(found, ()))

    async def _cosines(self, compared: Sequence[Memory], active: Sequence[Memory]) -> Cosines:
        if self._vectors is None or self._threshold is None or not compared:
            return {}
        dense = await self._vectors.dense({memory.id: memory.scope for memory in compared})
        standing = {memory.id for memory in active}
        asked = [memory for memory in compared if memory.id in dense]
        found: dict[tuple[str, str], float] = {}
        for start in range(0, len(asked), SEARCHED_AT_ONCE):
            part = asked[start : start + SEARCHED_AT_ONCE]
            answers = await self._vectors.search_many(
                [_like(memory, dense[memory.id]) for memory in part]
            )
            for memory, hits in zip(part, answers, strict=True):
                for hit in hits:
                    if hit.id != memory.id and hit.id in standing and hit.cosine is not None:
                        found[_pair(memory.id, hit.id)] = hit.cosine
            await asyncio.sleep(0)
        return found

    async def _room(
        self,
        events: Sequence[Event],
        settings: Mapping[str, UserSettings],
        known: Overlay,
    ) -> Room:
        limits = {user: limit_of(own, self._tier) for user, own in settings.items()}
        coming = {
            namespace: more
            for namespace, more in Counter(_may_come(events, settings, known)).items()
            if limits[namespace.user_id] is not None
        }
        counts: Mapping[Namespace, int] = {}
        accesses: Mapping[str, Mapping[str, Accesses]] = {}
        if coming:
            counts = await self._memories.count_active(coming)
            full = [
                namespace
                for namespace, more in coming.items()
                if counts[namespace] + more > (limits[namespace.user_id] or 0)
            ]
            accesses = (await self._read(full, known))[1]
        return Room(counts, accesses, default=self._tier, now=self._clock())

    async def _read(
        self, namespaces: Collection[Namespace], known: Overlay
    ) -> tuple[Mapping[Namespace, Sequence[Memory]], Mapping[str, Mapping[str, Accesses]]]:
        """All that is active there, into what is known; and how often it was recalled, by user."""
        if not namespaces:
            return {}, {}
        asked = list(namespaces)
        accesses, found = await asyncio.gather(
            self._memories.accesses_of({one.user_id for one in asked}),
            asyncio.gather(*(self._memories.active(one) for one in asked)),
        )
        active = [memory for memories in found for memory in memories]
        known.read(active)
        known.todos.read(await self._todos.beside(active, ()))
        return dict(zip(asked, found, strict=True)), accesses


def _may_come(
    events: Sequence[Event], settings: Mapping[str, UserSettings], known: Overlay
) -> Iterator[Namespace]:
    """Where something may become active, once for each such thing."""
    for event in events:
        for candidate in candidates_of(event, settings[event.user_id]):
            yield candidate.scope.namespace
    for memory in known.everything():
        # A command that names it may bring it back.
        if memory.status is not Status.ACTIVE:
            yield memory.scope.namespace


def _to_compare(active: Sequence[Memory], run: RunMaintenance, now: datetime) -> list[Memory]:
    if _sweeps(run):
        return list(active)
    return [memory for memory in active if memory.recorded_at > now - FRESH]


def _sweeps(run: RunMaintenance) -> bool:
    """Each namespace on a day of its own."""
    place = int(derive("sweep", run.user_id, run.agent_id)[:8], 16)
    return run.day.toordinal() % DAYS_BETWEEN_SWEEPS == place % DAYS_BETWEEN_SWEEPS


def _like(memory: Memory, dense: Sequence[float]) -> VectorQuery:
    return VectorQuery(
        scopes=(memory.scope,),
        records=frozenset({Record.MEMORY}),
        kinds=frozenset({memory.kind}),
        dense=dense,
        limit=NEIGHBOURS,
    )


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
