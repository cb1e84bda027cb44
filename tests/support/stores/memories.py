"""Memories in memory: the twin for tests."""

import math
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from datetime import datetime

from palimpsest.model.change_set import MemoryChange
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Accesses, Memory, Status
from palimpsest.model.memory_times import is_held_at
from palimpsest.model.scope import Namespace, Scope
from palimpsest_server.domain.consolidation.memory_keys import (
    attribute_key,
    content_key,
    stored_keys,
)
from palimpsest_server.stores.listed_scopes import ListedScopes
from palimpsest_server.stores.memories import (
    COMPARED_STATUSES,
    ContentFilter,
    Memories,
    MemoryFigures,
    MemoryPlace,
    RecordedRecall,
    SearchedPage,
    merge_changes_per_memory,
    most_important_first,
    newest_first,
    rests_on_messages,
)

_RECENT_RECALLS = 32


class InMemoryMemories:
    def __init__(self) -> None:
        self._memories: dict[str, Memory] = {}
        self._values: dict[str, set[str]] = {}
        """The value keys that a memory has and once had, by its id."""
        self._accesses: dict[tuple[str, str], Accesses] = {}
        self._recent: dict[tuple[str, str], list[str]] = {}

    async def by_ids(self, scopes: ListedScopes, ids: Sequence[str]) -> Memories:
        return self._where(lambda memory: memory.id in ids and memory.scope in scopes)

    async def accesses(self, scopes: Sequence[Scope], ids: Sequence[str]) -> dict[str, Accesses]:
        memories = await self.by_ids(scopes, ids)
        counted = {memory.id: (memory.scope.user_id, memory.id) for memory in memories}
        return {
            memory_id: self._accesses[place]
            for memory_id, place in counted.items()
            if place in self._accesses
        }

    async def most_accessed(self, user_id: str, *, limit: int) -> list[str]:
        counted = [
            (-accesses.count, memory_id)
            for (whose, memory_id), accesses in self._accesses.items()
            if whose == user_id
        ]
        return [memory_id for _, memory_id in sorted(counted)[:limit]]

    async def of_namespaces(self, ids: Mapping[Namespace, Collection[str]]) -> Memories:
        return self._where(lambda memory: memory.id in ids.get(memory.scope.namespace, ()))

    async def with_content_keys(self, keys: Mapping[Namespace, Collection[str]]) -> Memories:
        return self._where(
            lambda memory: (
                memory.status in COMPARED_STATUSES
                and content_key(memory) in keys.get(memory.scope.namespace, ())
            )
        )

    async def with_attribute_keys(self, keys: Mapping[Namespace, Collection[str]]) -> Memories:
        return self._where(
            lambda memory: (
                memory.status in COMPARED_STATUSES
                and attribute_key(memory) in keys.get(memory.scope.namespace, ())
            )
        )

    async def with_value_keys(self, keys: Mapping[Namespace, Collection[str]]) -> Memories:
        return self._where(
            lambda memory: (
                memory.status in COMPARED_STATUSES
                and not self._values[memory.id].isdisjoint(keys.get(memory.scope.namespace, ()))
            )
        )

    async def quoting(
        self, namespace: Namespace, messages: Collection[tuple[str, str]]
    ) -> Memories:
        return self._where(
            lambda memory: (
                memory.scope.namespace == namespace and rests_on_messages(memory, messages)
            )
        )

    async def active(self, namespace: Namespace) -> Memories:
        return self._where(
            lambda memory: memory.scope.namespace == namespace and memory.status is Status.ACTIVE
        )

    async def active_page(
        self, namespace: Namespace, *, limit: int, after: str | None = None
    ) -> Memories:
        standing = sorted(await self.active(namespace), key=lambda memory: memory.id)
        return [memory for memory in standing if after is None or memory.id > after][:limit]

    async def least_important(self, namespace: Namespace, *, limit: int) -> Memories:
        standing = [memory for memory in await self.active(namespace) if not memory.pinned]
        return sorted(
            standing, key=lambda memory: (memory.importance, memory.recorded_at, memory.id)
        )[:limit]

    async def latest(self, namespace: Namespace, *, limit: int) -> Memories:
        return sorted(await self.active(namespace), key=newest_first)[:limit]

    async def superseded(self, namespace: Namespace, *, limit: int) -> Memories:
        over = self._where(
            lambda memory: (
                memory.scope.namespace == namespace and memory.status is Status.SUPERSEDED
            )
        )
        return sorted(over, key=_ended_last)[:limit]

    async def holding_attribute_keys(
        self,
        namespace: Namespace,
        keys: Collection[str],
        *,
        limit: int,
        as_of: datetime | None = None,
    ) -> Memories:
        holding = self._where(
            lambda memory: (
                memory.scope.namespace == namespace
                and attribute_key(memory) in keys
                and (memory.status is Status.ACTIVE if as_of is None else is_held_at(memory, as_of))
            )
        )
        return sorted(holding, key=lambda memory: memory.id)[:limit]

    async def rested_on(self, namespace: Namespace, ids: Collection[str]) -> frozenset[str]:
        named = {
            relation.memory_id
            for memory in await self.active(namespace)
            for relation in memory.relations
        }
        return frozenset(named & {*ids})

    async def count_active(self, namespaces: Collection[Namespace]) -> dict[Namespace, int]:
        return {namespace: len(await self.active(namespace)) for namespace in namespaces}

    async def accesses_of(
        self, ids: Mapping[str, Collection[str]]
    ) -> dict[str, dict[str, Accesses]]:
        found: dict[str, dict[str, Accesses]] = {user_id: {} for user_id in ids}
        for (user_id, memory_id), accesses in self._accesses.items():
            if memory_id in ids.get(user_id, ()):
                found[user_id][memory_id] = accesses
        return found

    async def apply(self, changes: Sequence[MemoryChange]) -> int:
        conflicts = 0
        for write in merge_changes_per_memory(changes):
            standing = self._memories.get(write.after.id)
            version = 0 if standing is None else standing.version
            if version < write.after.version:
                conflicts += version < write.expected_version
                self._memories[write.after.id] = write.after
                once = self._values.get(write.after.id, set())
                gone = write.after.status is Status.PURGED
                self._values[write.after.id] = set() if gone else {*once, *stored_keys(write.after)}
        return conflicts

    async def recalled(self, recall_ids: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for (user_id, memory_id), recent in self._recent.items():
            for recall_id in set(recent).intersection(recall_ids.get(user_id, ())):
                found.setdefault(recall_id, []).append(memory_id)
        return found

    async def count(self, accesses: Sequence[RecordedRecall]) -> None:
        for access in accesses:
            for memory_id in dict.fromkeys(access.memory_ids):
                self._count(access, (access.user_id, memory_id))

    async def fold_accesses(self, *, before: datetime, now: datetime) -> int:  # noqa: ARG002
        # Sums are all that is kept here.
        return 0

    def _count(self, access: RecordedRecall, place: tuple[str, str]) -> None:
        recent = self._recent.setdefault(place, [])
        if access.recall_id in recent:
            return
        self._recent[place] = [*recent, access.recall_id][-_RECENT_RECALLS:]
        counted = self._accesses.get(place, Accesses())
        last_at = access.at if counted.last_at is None else max(access.at, counted.last_at)
        self._accesses[place] = Accesses(count=counted.count + 1, last_at=last_at)

    async def forgotten(self, namespace: Namespace, *, recorded_before: datetime) -> Memories:
        return [
            memory
            for memory in self._memories.values()
            if memory.scope.namespace == namespace
            and memory.status is Status.FORGOTTEN
            and memory.recorded_at < recorded_before
        ]

    async def waiting(self, namespace: Namespace, *, limit: int) -> Memories:
        pending = self._where(
            lambda memory: memory.scope.namespace == namespace and memory.status is Status.PENDING
        )
        return sorted(pending, key=lambda memory: (memory.recorded_at, memory.id))[:limit]

    async def ids(self, namespace: Namespace) -> list[str]:
        own = self._where(lambda memory: memory.scope.namespace == namespace)
        return [memory.id for memory in own]

    async def figures(self, namespace: Namespace) -> Sequence[MemoryFigures]:
        return [
            MemoryFigures(one.id, one.status, one.kind, one.importance, one.recorded_at, one.epoch)
            for one in self._where(lambda memory: memory.scope.namespace == namespace)
        ]

    async def recall_counts(self, user_id: str) -> Mapping[str, int]:
        return {
            memory_id: counted.count
            for (owner, memory_id), counted in self._accesses.items()
            if owner == user_id
        }

    async def pages(self, namespace: Namespace, *, size: int) -> AsyncIterator[Memories]:
        ids = sorted(await self.ids(namespace))
        for start in range(0, len(ids), size):
            asked = {namespace: ids[start : start + size]}
            if page := await self.of_namespaces(asked):
                yield sorted(page, key=lambda memory: memory.id)

    async def list(
        self,
        scopes: ListedScopes,
        *,
        statuses: Collection[Status] | None = None,
        kinds: Collection[Kind] | None = None,
        as_of: datetime | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Memories:
        listed = sorted(
            self._where(
                lambda memory: (
                    memory.scope in scopes
                    and (statuses is None or memory.status in statuses)
                    and (kinds is None or memory.kind in kinds)
                    and (as_of is None or is_held_at(memory, as_of))
                )
            ),
            key=newest_first,
        )
        if after is None:
            return listed[:limit]
        before = self._where(lambda memory: memory.id == after and memory.scope in scopes)
        if not before:
            raise RecordNotFound("no memory of that id to list on from")
        place = newest_first(before[0])
        return [memory for memory in listed if newest_first(memory) > place][:limit]

    async def search(
        self,
        scopes: ListedScopes,
        content: ContentFilter,
        *,
        statuses: Collection[Status] | None = None,
        kinds: Collection[Kind] | None = None,
        as_of: datetime | None = None,
        limit: int,
        after: str | None = None,
    ) -> SearchedPage:
        page = await self.list(
            scopes, statuses=statuses, kinds=kinds, as_of=as_of, limit=limit, after=after
        )
        hits = [memory for memory in page if content.accepts_memory(memory)]
        places = [
            MemoryPlace(one.id, one.recorded_at, one.occurred_at, one.pinned, one.importance)
            for one in hits
        ]
        return SearchedPage(places, len(page), page[-1].id if page else None)

    async def weightiest(self, scopes: Sequence[Scope], *, limit: int) -> Memories:
        active = self._where(
            lambda memory: memory.scope in scopes and memory.status is Status.ACTIVE
        )
        return sorted(active, key=most_important_first)[:limit]

    def _where(self, matches: Callable[[Memory], bool]) -> Memories:
        return [memory for memory in self._memories.values() if matches(memory)]


def _ended_last(memory: Memory) -> tuple[float, str]:
    ended = memory.valid_until
    return (-ended.timestamp() if ended else math.inf, memory.id)
