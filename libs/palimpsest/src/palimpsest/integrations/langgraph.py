"""LangGraph's `BaseStore` on a Palimpsest: items are memories that stand alone, found by meaning.

    from palimpsest.integrations.langgraph import PalimpsestStore

    graph = builder.compile(store=PalimpsestStore(user_id="ann"))

One class has the blocking and the asynchronous calls. Search, filters and namespaces mean what they
mean in LangGraph's own `InMemoryStore`, by which they are decided.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    validate_op_namespace,
)

from palimpsest.client.background_loop import run_blocking
from palimpsest.client.client import PalimpsestClient
from palimpsest.client.memory_pages import iterate_memories
from palimpsest.client.sync_client import SyncPalimpsestClient
from palimpsest.integrations import langgraph_items as items_of
from palimpsest.integrations.connection_options import find_connection
from palimpsest.integrations.narrowed_recall import recall_among
from palimpsest.model.memory import Memory

Namespace = tuple[str, ...]
AnswerT = TypeVar("AnswerT")

_CALLS_AT_ONCE = 32
"""Calls of one batch that are under way at once: more would wait for each other until they time out."""


class PalimpsestStore(BaseStore):
    """Items of one user, or of many where `user_id` is a function that finds the user in a namespace."""

    supports_ttl = True

    def __init__(
        self,
        *,
        user_id: str | Callable[[Namespace], str],
        agent_id: str | None = None,
        http_url: str | None = None,
        api_key: str | None = None,
        fields: Sequence[str] = ("$",),
        ttl: TTLConfig | None = None,
    ) -> None:
        """`fields` are the paths of an item's words that a search looks at, unless `put` names others."""
        self._user_of = user_id if callable(user_id) else lambda _: user_id
        self._agent_id = agent_id
        self._fields = fields
        self.ttl_config = ttl
        self._revisions: dict[str, int] = {}
        self._client = SyncPalimpsestClient(**find_connection(http_url, api_key))

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Answer what is asked by the state before the batch, then write each item once."""
        return run_blocking(self._run(self._client.connect(), list(ops)))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do the same without blocking the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    async def _run(self, client: PalimpsestClient, ops: Sequence[Op]) -> list[Result]:
        for op in ops:
            validate_op_namespace(op)
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        results = await _gather(self._read(client, op) for op in ops)
        await _gather(self._write(client, op) for op in puts.values())
        return results

    async def _read(self, client: PalimpsestClient, op: Op) -> Result:
        match op:
            case GetOp():
                memory = await self._find(client, op.namespace, op.key)
                if memory is not None and op.refresh_ttl:
                    await self._refresh(client, memory)
                return None if memory is None else items_of.read_item(memory)
            case SearchOp():
                return await self._search(client, op)
            case ListNamespacesOp():
                memories = await self._list(client, items_of.find_common_prefix(op))
                return items_of.list_namespaces(map(items_of.read_item, memories), op)
        return None

    async def _search(self, client: PalimpsestClient, op: SearchOp) -> list[SearchItem]:
        listed = await self._list(client, op.namespace_prefix)
        taken = items_of.filter_items(map(items_of.read_item, listed), op)
        memories = {memory.id: memory for memory in listed if items_of.find_place(memory) in taken}
        scores = await self._score(client, op, memories) if op.query else dict.fromkeys(memories)
        chosen = [(memories[one], score) for one, score in scores.items()][op.offset :][: op.limit]
        if op.refresh_ttl:
            await asyncio.gather(*(self._refresh(client, memory) for memory, _ in chosen))
        return [items_of.read_item(memory, score=score) for memory, score in chosen]

    async def _score(
        self, client: PalimpsestClient, op: SearchOp, memories: Mapping[str, Memory]
    ) -> dict[str, float | None]:
        """Return the relevance of each of these memories that answers the query, best first."""
        user_id = self._user_of(op.namespace_prefix)
        results = await recall_among(
            client,
            op.query or "",
            [memory.id for memory in memories.values() if items_of.is_searched(memory)],
            user_id=user_id,
            agent_id=self._agent_id,
            min_revision=self._revisions.get(user_id),
        )
        return {result.id: result.relevance for result in results}

    async def _find(
        self, client: PalimpsestClient, namespace: Namespace, key: str
    ) -> Memory | None:
        page = await client.list(
            user_id=self._user_of(namespace),
            agent_id=self._agent_id,
            record_key=items_of.name_record(namespace, key),
        )
        return next(filter(items_of.is_standing, page.memories), None)

    async def _list(self, client: PalimpsestClient, prefix: Namespace) -> list[Memory]:
        """Return the items under a prefix, the oldest first."""
        memories = iterate_memories(
            client,
            user_id=self._user_of(prefix),
            agent_id=self._agent_id,
            tag=[items_of.name_prefix(prefix)],
        )
        return [memory async for memory in memories if items_of.is_standing(memory)][::-1]

    async def _write(self, client: PalimpsestClient, op: PutOp) -> None:
        user_id = self._user_of(op.namespace)
        if op.value is None:
            memory = await self._find(client, op.namespace, op.key)
            if memory is None:
                return
            done = await client.forget(memory.id, user_id=user_id, agent_id=self._agent_id)
        else:
            words = items_of.find_words(op, self._fields)
            done = await client.add(
                words, user_id=user_id, agent_id=self._agent_id, **items_of.write_item(op)
            )
        # A search waits for the writes before it.
        self._revisions[user_id] = max(self._revisions.get(user_id, 0), done.revision or 0)

    async def _refresh(self, client: PalimpsestClient, memory: Memory) -> None:
        if (expires_at := items_of.find_end(memory)) is not None:
            await client.edit(memory.id, expires_at=expires_at, **memory.scope.model_dump())


async def _gather(calls: Iterable[Awaitable[AnswerT]]) -> list[AnswerT]:
    """Return the answers of calls in their order, some of them made at once."""
    room = asyncio.Semaphore(_CALLS_AT_ONCE)

    async def call(awaited: Awaitable[AnswerT]) -> AnswerT:
        async with room:
            return await awaited

    return await asyncio.gather(*map(call, calls))
