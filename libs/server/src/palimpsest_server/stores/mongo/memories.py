"""Memories in MongoDB: pooled in one collection, or one collection for each namespace."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from palimpsest.model.change_set import MemoryChange
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Accesses, Status
from palimpsest.model.scope import Layout, Namespace, Scope
from palimpsest_server.stores.collections import MEMORIES
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.listed_scopes import EveryProject, ListedScopes, list_namespaces
from palimpsest_server.stores.memories import (
    COMPARED_STATUSES,
    ContentFilter,
    Memories,
    MemoryFigures,
    MemoryWrite,
    RecordedRecall,
    SearchedPage,
    merge_changes_per_memory,
    most_important_first,
    rests_on_messages,
)
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.mongo.first_documents import Order, choose_first, find_first
from palimpsest_server.stores.mongo.id_lists import find_by_ids
from palimpsest_server.stores.mongo.key_backfill import RECHECK_AFTER_SECONDS, KeyBackfill
from palimpsest_server.stores.mongo.list_filter import ListFilter, SharedCollection
from palimpsest_server.stores.mongo.list_windows import find_newest_in_windows
from palimpsest_server.stores.mongo.memory_accesses import MongoAccesses
from palimpsest_server.stores.mongo.memory_lists import (
    ListPlace,
    accepts_document,
    build_memories,
    find_most_important,
    find_newest,
    query_active,
    query_namespace,
    query_status,
    read_figures,
    read_memories,
    read_place,
    sort_newest_first,
)
from palimpsest_server.stores.mongo.memory_text_search import MemoryTextSearch
from palimpsest_server.stores.mongo.memory_writes import apply_memory_writes
from palimpsest_server.stores.mongo.sorted_id_cache import SortedIdCache

MANY_IDS = 64
"""More ids than this are asked for in short lists where long ones are slow."""

SINGLE_PAGE_MEMORIES = 512
"""Namespaces with at most this many memories, as most have, are read at once by `pages`."""


class MongoMemories:
    """`MemoryStore`, in either layout.

    Queries name ids and keys alone, and scopes are compared on the result. Ids and keys are nearly
    unique, so no query planner can prefer a worse index.
    """

    def __init__(
        self,
        database: MongoDatabase,
        *,
        layout: Layout = Layout.POOLED,
        key_recheck_seconds: float = RECHECK_AFTER_SECONDS,
    ) -> None:
        """`key_recheck_seconds` is the time after which memories with older keys are looked for again."""
        self._database = database
        self._layout = layout
        self._find_newest = find_newest_in_windows if database.embedded else find_newest
        self._find_first = choose_first if database.embedded else find_first
        self._text_search = MemoryTextSearch(database) if database.embedded else None
        self._accesses = MongoAccesses(database)
        self._keyed = KeyBackfill(recheck_after_seconds=key_recheck_seconds)
        self._active_ids = SortedIdCache(
            lambda namespace: self._ids(namespace, query_active(namespace))
        )

    async def by_ids(self, scopes: ListedScopes, ids: Sequence[str]) -> Memories:
        exact = scopes if isinstance(scopes, EveryProject) else frozenset(scopes)
        memories = await self._where("_id", dict.fromkeys(list_namespaces(scopes), ids))
        return [memory for memory in memories if memory.scope in exact]

    async def accesses(self, scopes: Sequence[Scope], ids: Sequence[str]) -> dict[str, Accesses]:
        memories = await self.by_ids(scopes, ids)
        by_user: dict[str, set[str]] = {}
        for memory in memories:
            by_user.setdefault(memory.scope.user_id, set()).add(memory.id)
        counted = await self._accesses.of(by_user)
        return {one: each for own in counted.values() for one, each in own.items()}

    async def most_accessed(self, user_id: str, *, limit: int) -> list[str]:
        return await self._accesses.most(user_id, limit)

    async def of_namespaces(self, ids: Mapping[Namespace, Collection[str]]) -> Memories:
        memories = await self._where("_id", ids)
        return [memory for memory in memories if memory.id in ids.get(memory.scope.namespace, ())]

    async def with_content_keys(self, keys: Mapping[Namespace, Collection[str]]) -> Memories:
        return await self._compared("content_key", keys)

    async def with_attribute_keys(self, keys: Mapping[Namespace, Collection[str]]) -> Memories:
        return await self._compared("attribute_key", keys)

    async def with_value_keys(self, keys: Mapping[Namespace, Collection[str]]) -> Memories:
        for namespace in keys:
            collection = self._database.named(self._name(namespace))
            await self._keyed.complete(collection, namespace)
        return await self._compared("value_keys", keys)

    async def quoting(
        self, namespace: Namespace, messages: Collection[tuple[str, str]]
    ) -> Memories:
        which = {
            "scope.user_id": namespace.user_id,
            "scope.agent_id": namespace.agent_id,
            "evidence.message_id": {"$in": sorted({message for _, message in messages})},
        }
        memories = await read_memories(self._database.named(self._name(namespace)).find(which))
        return [memory for memory in memories if rests_on_messages(memory, messages)]

    async def active(self, namespace: Namespace) -> Memories:
        return await read_memories(
            self._database.named(self._name(namespace)).find(query_active(namespace))
        )

    async def active_page(
        self, namespace: Namespace, *, limit: int, after: str | None = None
    ) -> Memories:
        page: Memories = []
        while len(page) < limit:
            ids = await self._active_ids.after(namespace, after, limit=limit - len(page))
            if not ids:
                break
            after = ids[-1]
            memories = await self.of_namespaces({namespace: ids})
            active = (memory for memory in memories if memory.status is Status.ACTIVE)
            page += sorted(active, key=lambda memory: memory.id)
        return page

    async def least_important(self, namespace: Namespace, *, limit: int) -> Memories:
        which = {**query_active(namespace), "pinned": False}
        return await self._first(
            namespace, which, [("importance", 1), ("recorded_at", 1), ("_id", 1)], limit
        )

    async def latest(self, namespace: Namespace, *, limit: int) -> Memories:
        agent_ids = frozenset({namespace.agent_id})
        scopes = EveryProject(user_id=namespace.user_id, agent_ids=agent_ids)
        return await self.list(scopes, statuses=(Status.ACTIVE,), limit=limit)

    async def superseded(self, namespace: Namespace, *, limit: int) -> Memories:
        which = query_status(namespace, Status.SUPERSEDED)
        return await self._first(namespace, which, [("valid_until", -1), ("_id", 1)], limit)

    async def holding_attribute_keys(
        self,
        namespace: Namespace,
        keys: Collection[str],
        *,
        limit: int,
        as_of: datetime | None = None,
    ) -> Memories:
        if not keys:
            return []
        collection = self._database.named(self._name(namespace))
        # The key comes first: DatabaseLimit.FIRST_INDEXED_FIELD_ONLY.
        wanted = {"attribute_key": {"$in": sorted(keys)}, **query_active(namespace)}
        if as_of is not None:
            wanted |= ListFilter.of(as_of=as_of).build_query()
        return await read_memories(collection.find(wanted).sort("_id", 1).limit(limit))

    async def rested_on(self, namespace: Namespace, ids: Collection[str]) -> frozenset[str]:
        resting = {**query_active(namespace), "relations.memory_id": {"$in": sorted(ids)}}
        found = self._database.named(self._name(namespace)).find(resting, {"relations": 1})
        named = {
            relation["memory_id"]
            for document in await found.to_list(None)
            for relation in document["relations"]
        }
        return frozenset(named & {*ids})

    async def _ids(self, namespace: Namespace, which: Document) -> list[str]:
        found = self._database.named(self._name(namespace)).find(which, {"_id": 1})
        return [one["_id"] for one in await found.to_list(None)]

    async def _first(
        self, namespace: Namespace, which: Document, order: Order, limit: int
    ) -> Memories:
        collection = self._database.named(self._name(namespace))
        return await build_memories(await self._find_first(collection, which, order, limit))

    async def figures(self, namespace: Namespace) -> Sequence[MemoryFigures]:
        collection = self._database.named(self._name(namespace))
        return await read_figures(collection, query_namespace(namespace))

    async def recall_counts(self, user_id: str) -> Mapping[str, int]:
        return await self._accesses.counts(user_id)

    async def count_active(self, namespaces: Collection[Namespace]) -> dict[Namespace, int]:
        asked = list(dict.fromkeys(namespaces))
        counts = await asyncio.gather(
            *(
                self._database.named(self._name(namespace)).count_documents(query_active(namespace))
                for namespace in asked
            )
        )
        return dict(zip(asked, counts, strict=True))

    async def accesses_of(
        self, ids: Mapping[str, Collection[str]]
    ) -> dict[str, dict[str, Accesses]]:
        return await self._accesses.of(ids)

    async def _compared(self, field: str, keys: Mapping[Namespace, Collection[str]]) -> Memories:
        memories = await self._where(field, keys)
        return [
            memory
            for memory in memories
            if memory.status in COMPARED_STATUSES and memory.scope.namespace in keys
        ]

    async def apply(self, changes: Sequence[MemoryChange]) -> int:
        by_collection: dict[str, list[MemoryWrite]] = {}
        for write in merge_changes_per_memory(changes):
            by_collection.setdefault(self._name(write.after.scope.namespace), []).append(write)
        return sum(
            [
                await apply_memory_writes(self._database.named(name), writes)
                for name, writes in by_collection.items()
            ]
        )

    async def recalled(self, recall_ids: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
        return await self._accesses.recalled(recall_ids)

    async def count(self, accesses: Sequence[RecordedRecall]) -> None:
        await self._accesses.count(accesses)

    async def fold_accesses(self, *, before: datetime, now: datetime) -> int:
        return await self._accesses.fold(before=before, now=now)

    async def forgotten(self, namespace: Namespace, *, recorded_before: datetime) -> Memories:
        which = {
            "scope.user_id": namespace.user_id,
            "recorded_at": {"$lt": recorded_before},
            "scope.agent_id": namespace.agent_id,
            "status": Status.FORGOTTEN.value,
        }
        return await read_memories(self._database.named(self._name(namespace)).find(which))

    async def waiting(self, namespace: Namespace, *, limit: int) -> Memories:
        which = query_status(namespace, Status.PENDING)
        return await self._first(namespace, which, [("recorded_at", 1), ("_id", 1)], limit)

    async def ids(self, namespace: Namespace) -> list[str]:
        return await self._ids(namespace, query_namespace(namespace))

    async def pages(self, namespace: Namespace, *, size: int) -> AsyncIterator[Memories]:
        # No index sorts a namespace's memories by id, so each page read by itself would read all of them.
        collection = self._database.named(self._name(namespace))
        found = collection.find(query_namespace(namespace)).limit(SINGLE_PAGE_MEMORIES + 1)
        memories = await read_memories(found)
        if len(memories) <= SINGLE_PAGE_MEMORIES:
            memories.sort(key=lambda memory: memory.id)
            for start in range(0, len(memories), size):
                yield memories[start : start + size]
            return
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
        which = ListFilter.of(statuses, kinds, as_of)
        return await build_memories(await self._newest(scopes, which, limit=limit, after=after))

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
        which = ListFilter.of(statuses, kinds, as_of)
        search, places = self._text_search, self._by_place(scopes).keys()
        if search is not None and search.serves(places, content, which, limit):
            place = await self._find_place(scopes, after)
            return await search.find(places, scopes, content, which, limit=limit, after=place)
        documents = await self._newest(scopes, which, limit=limit, after=after)
        matching = [
            read_place(document)
            async for document in iterate_cooperatively(documents)
            if accepts_document(content, document)
        ]
        last_id = documents[-1]["_id"] if documents else None
        return SearchedPage(matching, len(documents), last_id)

    async def weightiest(self, scopes: Sequence[Scope], *, limit: int) -> Memories:
        pages = await asyncio.gather(
            *(
                find_most_important(self._find_first, self._database.named(name), held, limit=limit)
                for (name, _), held in self._by_exact_place(scopes).items()
            )
        )
        return sorted((memory for page in pages for memory in page), key=most_important_first)[
            :limit
        ]

    async def _newest(
        self, scopes: ListedScopes, which: ListFilter, *, limit: int, after: str | None
    ) -> Sequence[Document]:
        place = await self._find_place(scopes, after)
        pages = await asyncio.gather(
            *(
                self._find_newest(
                    self._database.named(name),
                    SharedCollection.of(held),
                    which,
                    limit=limit,
                    after=place,
                )
                for (name, _), held in self._by_place(scopes).items()
            )
        )
        return sort_newest_first(document for page in pages for document in page)[:limit]

    async def _find_place(self, scopes: ListedScopes, after: str | None) -> ListPlace | None:
        if after is None:
            return None
        for memory in await self.by_ids(scopes, [after]):
            return ListPlace(memory.recorded_at, memory.id)
        raise RecordNotFound("no memory of that id to list on from")

    async def _where(self, field: str, values: Mapping[Namespace, Collection[str]]) -> Memories:
        by_collection = self._by_collection(values)
        pages = await asyncio.gather(
            *(self._found(name, field, wanted) for name, wanted in by_collection.items())
        )
        return [memory for page in pages for memory in page]

    def _by_collection(
        self, values: Mapping[Namespace, Collection[str]]
    ) -> Mapping[str, Collection[str]]:
        by_collection: dict[str, set[str]] = {}
        for namespace, wanted in values.items():
            if wanted:
                by_collection.setdefault(self._name(namespace), set()).update(wanted)
        return by_collection

    async def _found(self, name: str, field: str, values: Collection[str]) -> Memories:
        collection = self._database.named(name)
        if field == "_id" and len(values) > MANY_IDS and self._database.embedded:
            # DatabaseLimit.LONG_ID_LISTS; MongoDB answers one long list sooner.
            return await build_memories(await find_by_ids(collection, sorted(values)))
        return await read_memories(collection.find({field: {"$in": sorted(values)}}))

    def _name(self, namespace: Namespace) -> str:
        return MEMORIES.name if self._layout is Layout.POOLED else namespace.physical_name

    def _by_place(self, scopes: ListedScopes) -> Mapping[tuple[str, str], ListedScopes]:
        if isinstance(scopes, EveryProject):
            by_name: dict[str, set[str | None]] = {}
            for namespace in list_namespaces(scopes):
                by_name.setdefault(self._name(namespace), set()).add(namespace.agent_id)
            return {
                (name, scopes.user_id): replace(scopes, agent_ids=frozenset(agent_ids))
                for name, agent_ids in by_name.items()
            }
        return self._by_exact_place(scopes)

    def _by_exact_place(self, scopes: Sequence[Scope]) -> Mapping[tuple[str, str], Sequence[Scope]]:
        places: dict[tuple[str, str], list[Scope]] = {}
        for scope in dict.fromkeys(scopes):
            places.setdefault((self._name(scope.namespace), scope.user_id), []).append(scope)
        return places
