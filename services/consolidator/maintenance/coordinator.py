"""Reads the inputs of maintenance and quotas before events are decided."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime

from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import ReflectionsProposed
from palimpsest.events.extractor_requests import ReflectionRequested
from palimpsest.events.maintenance import MemoryDistilled, RunMaintenance
from palimpsest.events.topics import CANDIDATES, EXTRACTIONS
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Accesses, Memory, MemorySource, Status
from palimpsest.model.scope import Namespace, Scope
from palimpsest.model.user import Tier, UserSettings
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.vectors import VectorStore
from services.consolidator.event_contents import collect_candidates
from services.consolidator.maintenance.inspection_history import (
    InspectionHistory,
    InspectionRecord,
)
from services.consolidator.maintenance.inspection_reader import (
    DEFAULT_INSPECTION_TIMES,
    InspectedMemories,
    InspectionReader,
    InspectionTimes,
)
from services.consolidator.maintenance.maintenance_inputs import MaintenanceInputs
from services.consolidator.maintenance.quota_enforcement import QuotaEnforcer, get_memory_limit
from services.consolidator.maintenance.run_extent import MaintenanceExtent
from services.consolidator.maintenance.run_input import MaintenanceRunInput
from services.consolidator.todo_reminders import TodoLookup


class MaintenanceCoordinator:
    """Coordinates maintenance runs with the decisions of a batch.

    `tier` is the tier of users who have none of their own. While `threshold` returns None nothing
    is merged. `asking` stores up to when memories were shown to a model for reflection; None
    without a model.
    """

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        memories: MemoryStore,
        todos: TodoLookup,
        vectors: VectorStore | None,
        publisher: Publisher,
        *,
        tier: Tier,
        threshold: Callable[[], float | None],
        clock: Clock,
        asking: NamespaceRegistry | None = None,
        times: InspectionTimes = DEFAULT_INSPECTION_TIMES,
    ) -> None:
        self._memories = memories
        self._todos = todos
        self._looking = InspectionReader(memories, vectors, threshold, times)
        self._publisher = publisher
        self._tier = tier
        self._threshold = threshold
        self._clock = clock
        self._asking = asking
        self._seen = InspectionHistory()

    async def gathered(
        self,
        events: Sequence[Event],
        settings: Mapping[str, UserSettings],
        known: Overlay,
        revisions: Mapping[str, int] | None = None,
    ) -> MaintenanceInputs:
        """Read the inputs of these events, and the memories that runs inspect into `known`.

        All active memories of a namespace whose limit may be reached are read as well. `revisions`
        are the current revisions of the events' users.
        """
        self._seen.stand_at(revisions or {})
        runs = [event for event in events if isinstance(event, RunMaintenance)]
        material = await self._material(runs, settings, known) if runs else {}
        await self._read_bases(events, material, known)
        return MaintenanceInputs(await self._room(events, settings, known), material)

    def decided(
        self,
        looks: Sequence[InspectionRecord],
        change_sets: Sequence[ChangeSet],
        revisions: Mapping[str, int],
    ) -> None:
        """Note the decisions made on the gathered inputs. `revisions` are those from before them."""
        for look in looks:
            self._seen.looked(look, revision=revisions[look.run.user_id])
        self._seen.took(change_sets)

    def forget(self, user_ids: Collection[str]) -> None:
        """Forget the inspection history of these users, whose decisions may not have been stored."""
        self._seen.forget(user_ids)

    async def follow(self, events: Sequence[Event]) -> None:
        """Send the events that follow from decisions, before those are stored. Sending twice is safe."""
        questions = [event for event in events if isinstance(event, ReflectionRequested)]
        others = [event for event in events if not isinstance(event, ReflectionRequested)]
        if others:
            await self._publisher.publish(CANDIDATES, others)
        if questions:
            await self._ask(questions)

    async def _ask(self, questions: Sequence[ReflectionRequested]) -> None:
        """Publish questions for reflection, then note up to when memories were asked about."""
        await self._publisher.publish(EXTRACTIONS, questions)
        if self._asking is not None:
            in_time = sorted(questions, key=lambda question: question.through)
            await self._asking.note_reflected(
                {
                    reflection_requested.scope: reflection_requested.through
                    for reflection_requested in in_time
                    if reflection_requested.distillate is None
                }
            )

    async def _material(
        self, runs: Sequence[RunMaintenance], settings: Mapping[str, UserSettings], known: Overlay
    ) -> Mapping[str, MaintenanceRunInput]:
        limits = [get_memory_limit(settings[run.user_id], self._tier) for run in runs]
        now = self._clock()
        sights = await asyncio.gather(
            *(
                self._looking.sight(
                    run,
                    settings[run.user_id],
                    limit=limit,
                    now=now,
                    news=self._seen.news(run.scope.namespace, now=now, limit=limit),
                )
                for run, limit in zip(runs, limits, strict=True)
            )
        )
        pages = [memory for sight in sights for memory in (*sight.page, *sight.least)]
        beside = [memory for sight in sights for memory in (*sight.beside, *sight.waiting)]
        limited = {
            run.event_id for run, limit in zip(runs, limits, strict=True) if limit is not None
        }
        accesses, counts, reflected, _ = await asyncio.gather(
            self._accesses(pages),
            self._memories.count_active(
                {run.scope.namespace for run in runs if run.whole and run.event_id in limited}
            ),
            self._reflected(pages),
            self._take_in([*pages, *beside], known),
        )
        return {
            run.event_id: self._of_part(
                run,
                sight,
                accesses.get(run.user_id, {}),
                counts,
                reflected,
                limited=run.event_id in limited,
            )
            for run, sight in zip(runs, sights, strict=True)
        }

    def _of_part(
        self,
        run: RunMaintenance,
        sight: InspectedMemories,
        accesses: Mapping[str, Accesses],
        counts: Mapping[Namespace, int],
        reflected: Mapping[Scope, datetime] | None,
        *,
        limited: bool,
    ) -> MaintenanceRunInput:
        namespace = run.scope.namespace
        goes_on = sight.extent is MaintenanceExtent.LAST_PAGE and (limited or sight.reflects)
        least = sight.least if sight.extent is MaintenanceExtent.WHOLE else sight.page
        return MaintenanceRunInput(
            namespace=namespace,
            page=frozenset(memory.id for memory in sight.page),
            beside=frozenset(memory.id for memory in sight.beside),
            accesses=accesses,
            cosines=sight.cosines,
            threshold=self._threshold(),
            rested_on=sight.rested_on,
            waiting=frozenset(memory.id for memory in sight.waiting),
            extent=sight.extent,
            goes_on_to_whole=goes_on,
            reflects=sight.reflects,
            news=sight.news,
            least=frozenset(memory.id for memory in least),
            uncounted=max(counts.get(namespace, 0) - len(sight.least), 0),
            after=sight.after,
            reflected=reflected,
        )

    async def _reflected(self, memories: Sequence[Memory]) -> Mapping[Scope, datetime] | None:
        """Return the time up to which a model was asked, by scope; None without a model."""
        if self._asking is None:
            return None
        return await self._asking.reflected({memory.scope for memory in memories})

    async def _read_bases(
        self, events: Sequence[Event], material: Mapping[str, MaintenanceRunInput], known: Overlay
    ) -> None:
        """Read the memories that distillates rest on, existing distillates, and older bases."""
        wanted: dict[Namespace, set[str]] = {}
        for event in events:
            made = event.made if isinstance(event, MemoryDistilled) else None
            made = event.distillate if isinstance(event, ReflectionsProposed) else made
            if made is not None:
                ids = {
                    made.memory_id,
                    *(memory_at_version.memory_id for memory_at_version in made.rests_on),
                }
                wanted.setdefault(event.scope.namespace, set()).update(ids)
            if isinstance(event, ReflectionsProposed):
                for found in event.reflections:
                    ids = {
                        found.becomes(event.user_id),
                        *(memory_at_version.memory_id for memory_at_version in found.rests_on),
                    }
                    wanted.setdefault(event.scope.namespace, set()).update(ids)
        for part in material.values():
            looked_at = (known.get(one) for one in part.page)
            wanted.setdefault(part.namespace, set()).update(
                relation.memory_id
                for memory in looked_at
                if memory is not None and memory.source is MemorySource.REFLECTION
                for relation in memory.relations
            )
        absent = {
            namespace: {one for one in ids if known.get(one) is None}
            for namespace, ids in wanted.items()
        }
        if any(absent.values()):
            await self._take_in(await self._memories.of_namespaces(absent), known)

    async def _room(
        self,
        events: Sequence[Event],
        settings: Mapping[str, UserSettings],
        known: Overlay,
    ) -> QuotaEnforcer:
        limits = {user: get_memory_limit(own, self._tier) for user, own in settings.items()}
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
            found = await asyncio.gather(*(self._memories.active(namespace) for namespace in full))
            active = [memory for memories in found for memory in memories]
            accesses = await self._accesses(active)
            await self._take_in(active, known)
        return QuotaEnforcer(counts, accesses, default=self._tier, now=self._clock())

    async def _accesses(self, memories: Collection[Memory]) -> Mapping[str, Mapping[str, Accesses]]:
        """Return access counters by user id and memory id."""
        ids: dict[str, set[str]] = {}
        for memory in memories:
            ids.setdefault(memory.scope.user_id, set()).add(memory.id)
        return await self._memories.accesses_of(ids) if ids else {}

    async def _take_in(self, memories: Collection[Memory], known: Overlay) -> None:
        if memories:
            async for memory in iterate_cooperatively(memories):
                known.read([memory])
            known.todos.read(await self._todos.beside(memories, ()))


def _may_come(
    events: Sequence[Event], settings: Mapping[str, UserSettings], known: Overlay
) -> Iterator[Namespace]:
    """Return namespaces in which a memory may become active, once for each such memory."""
    for event in events:
        for candidate in collect_candidates(event, settings[event.user_id]):
            yield candidate.scope.namespace
        if isinstance(event, ReflectionsProposed):
            yield from (event.scope.namespace for _ in event.texts())
    for memory in known.everything():
        # A command that names the memory may make it active again.
        if memory.status is not Status.ACTIVE:
            yield memory.scope.namespace
