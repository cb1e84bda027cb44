"""Client calls from which the verbs of mem0 are made."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from palimpsest.api.recall import MAXIMUM_QUERY_CHARACTERS, RecallResult, RecordType
from palimpsest.api.resources import MemoryDetail
from palimpsest.client import NotFound, PalimpsestClient
from palimpsest.integrations import mem0_shapes as shapes
from palimpsest.integrations.connection_options import find_connection
from palimpsest.integrations.narrowed_recall import MOST_RECALLED, recall_among
from palimpsest.model.change_set import ChangeSet, ChangeSetProgress
from palimpsest.model.memory import Memory

_PAUSE_SECONDS = 0.05
_PAGE = 200
_SEARCHABLE = {ChangeSetProgress.PROJECTED, ChangeSetProgress.ANNOUNCED}


class Mem0Calls:
    """A client that connects with its first call, and the latest revision of each user."""

    def __init__(self, *, http_url: str | None, api_key: str | None, wait_seconds: float) -> None:
        self._client = PalimpsestClient(
            **find_connection(http_url, api_key),
            timeout_seconds=wait_seconds,
        )
        self._wait_seconds = wait_seconds
        self.revisions: dict[str, int] = {}
        self._opening = asyncio.Lock()
        self._opened = False

    async def close(self) -> None:
        """Close the connections."""
        if self._opened:
            self._opened = False
            await self._client.__aexit__(None, None, None)

    async def connect(self) -> PalimpsestClient:
        """Return the client, which is connected once."""
        async with self._opening:
            if not self._opened:
                await self._client.__aenter__()
                self._opened = True
        return self._client

    async def understand(self, user_id: str, session_id: str) -> list[ChangeSet]:
        """Extract a session and return the changes that were made in time."""
        client = await self.connect()
        awaited: dict[str, None] = {}
        made: list[ChangeSet] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(self._wait_seconds):
                while True:
                    started = await client.extract(session_id, user_id=user_id)
                    awaited |= {w.change_set_id: None for w in started.windows if w.change_set_id}
                    if not started.on_their_way:
                        break
                    await asyncio.sleep(_PAUSE_SECONDS)
                for change_set_id in awaited:
                    made.append(await self._await_change(change_set_id, user_id))  # noqa: PERF401
        return made

    async def _await_change(self, change_set_id: str, user_id: str) -> ChangeSet:
        client = await self.connect()
        while True:
            with suppress(NotFound):
                change = await client.change(change_set_id, user_id=user_id)
                if change.progress in _SEARCHABLE:
                    self.note(user_id, change.revision)
                    return change
            await asyncio.sleep(_PAUSE_SECONDS)

    async def list_memories(
        self, owner: shapes.Mem0Owner, wanted: Mapping[str, Any], most: int | None
    ) -> list[Memory]:
        client, memories, cursor = await self.connect(), list[Memory](), None
        while most is None or len(memories) < most:
            page = await client.list(limit=_PAGE, cursor=cursor, **owner.scope)
            memories += [
                memory for memory in page.memories if shapes.belongs(memory, owner, wanted)
            ]
            cursor = page.next_cursor
            if cursor is None:
                break
        return memories[:most]

    async def recall(
        self, query: str, owner: shapes.Mem0Owner, wanted: Mapping[str, Any], most: int
    ) -> Sequence[RecallResult]:
        """Return the memories of an owner that answer and have what is wanted, best first."""
        client = await self.connect()
        whose = {"min_revision": self.revisions.get(owner.user_id), **owner.scope}
        if wanted or owner.run_id:
            named = [memory.id for memory in await self.list_memories(owner, wanted, None)]
            return (await recall_among(client, query, named, **whose))[:most]
        records, limit = [RecordType.MEMORY], min(most, MOST_RECALLED)
        asked = query[:MAXIMUM_QUERY_CHARACTERS]
        return (await client.recall(asked, limit=limit, records=records, **whose)).results

    async def find(self, own_id: str, scope: Mapping[str, Any]) -> MemoryDetail | None:
        try:
            return await (await self.connect()).get(own_id, **scope)
        except NotFound:
            return None

    async def edit(self, memory: Memory, **edits: Any) -> None:
        client, scope = await self.connect(), memory.scope.model_dump()
        done = await client.edit(memory.id, **scope, **edits)
        self.note(memory.scope.user_id, done.revision)

    async def forget(self, memory: Memory) -> None:
        client, scope = await self.connect(), memory.scope.model_dump()
        done = await client.forget(memory.id, **scope)
        self.note(memory.scope.user_id, done.revision)

    def note(self, user_id: str, revision: int | None) -> None:
        """Note the user's latest revision, so that a search waits for writes before it."""
        self.revisions[user_id] = max(self.revisions.get(user_id, 0), revision or 0)
