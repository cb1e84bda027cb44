"""The asynchronous verbs of mem0, each a few calls of the client."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Self
from uuid import uuid4

from palimpsest.api.resources import MemoryDetail
from palimpsest.integrations import mem0_shapes as shapes
from palimpsest.integrations.mem0_calls import Mem0Calls
from palimpsest.model.memory import Status

Messages = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]
Answer = dict[str, Any]


class AsyncMemory:
    """mem0's asynchronous verbs. The id of a memory includes its user, whom mem0's calls do not name."""

    def __init__(
        self,
        config: object = None,  # noqa: ARG002 - mem0's programs give it
        *,
        http_url: str | None = None,
        api_key: str | None = None,
        wait_seconds: float = 30.0,
    ) -> None:
        """`add` waits at most `wait_seconds` until the messages are extracted."""
        self._calls = Mem0Calls(http_url=http_url, api_key=api_key, wait_seconds=wait_seconds)
        self._session_id = f"{shapes.OWN_SESSION}{uuid4().hex}"

    async def close(self) -> None:
        """Close the connections."""
        await self._calls.close()

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any], **options: Any) -> Self:
        """Take a configuration for mem0, which is not read; `options` are those of the class."""
        return cls(config_dict, **options)

    async def add(
        self,
        messages: Messages,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
    ) -> Answer:
        """Save messages and return the changes that follow; with `infer=False`, remember each text.

        Changes that are not made in time follow later, and are not among the results.
        """
        owner = shapes.Mem0Owner.find({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        said = shapes.read_messages(messages)
        data = dict(metadata or {})
        if not infer:
            if run_id:
                data["run_id"] = run_id
            return {"results": [await self._remember(each, owner, data) for each in said]}
        client, session_id = await self._calls.connect(), run_id or self._session_id
        await client.save_conversation(said, session_id=session_id, **owner.scope)
        told = shapes.write_events(await self._calls.understand(owner.user_id, session_id))
        for memory, result in told:
            if data and result["event"] == "ADD":
                await self._calls.edit(memory, data={**memory.data, **data})
        return {"results": [result for _, result in told]}

    async def _remember(
        self, message: Mapping[str, Any], owner: shapes.Mem0Owner, data: Mapping[str, Any]
    ) -> Answer:
        client, text = await self._calls.connect(), str(message["content"])
        done = await client.add(text, data=data, **owner.scope)
        self._calls.note(owner.user_id, done.revision)
        memory = done.memory
        if memory and any(memory.data.get(name) != value for name, value in data.items()):
            # A known text keeps its own metadata; the new metadata is added to it.
            await self._calls.edit(memory, data={**memory.data, **data})
        written = shapes.write_id(memory) if memory else None
        return {"id": written, "memory": text, "event": "ADD", "role": message.get("role")}

    async def search(  # noqa: PLR0913 - the arguments of mem0, old and new
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        top_k: int | None = None,
        limit: int = 20,
        threshold: float | None = None,
        rerank: bool = True,  # noqa: ARG002 - results are always ranked
    ) -> Answer:
        """Find memories, best first. A score is the relevance; irrelevant memories are left out."""
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        owner, wanted = shapes.split_filters(filters, ids)
        results = await self._calls.recall(query, owner, wanted, top_k or limit)
        near = [result for result in results if (result.relevance or 0.0) >= (threshold or 0.0)]
        found = await asyncio.gather(*(self._calls.find(result.id, owner.scope) for result in near))
        items = [
            shapes.write_detail(detail, score=result.relevance or 0.0)
            for result, detail in zip(near, found, strict=True)
            if detail and shapes.belongs(detail.memory, owner, wanted)
        ]
        return {"results": items}

    async def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        top_k: int | None = None,
        limit: int = 20,
    ) -> Answer:
        """Return memories, the newest first."""
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        owner, wanted = shapes.split_filters(filters, ids)
        memories = await self._calls.list_memories(owner, wanted, top_k or limit)
        return {"results": [shapes.write_item(memory) for memory in memories]}

    async def get(self, memory_id: str) -> Answer | None:
        """Return a memory; None if it does not exist or no longer holds."""
        own_id, scope = shapes.read_id(memory_id)
        detail = await self._calls.find(own_id, scope)
        if detail is None or detail.memory.status is not Status.ACTIVE:
            return None
        return shapes.write_detail(detail)

    async def update(
        self,
        memory_id: str,
        data: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        *,
        text: str | None = None,
    ) -> Answer:
        """Change the content of a memory, and its metadata if given.

        Raises:
            ValueError: there is no such memory.
        """
        memory = (await self._require(memory_id)).memory
        edits: dict[str, Any] = {"content": text if data is None else data}
        if metadata is not None:
            edits["data"] = {**memory.data, **metadata}
        await self._calls.edit(
            memory, **{name: new for name, new in edits.items() if new is not None}
        )
        return {"message": "Memory updated successfully!"}

    async def delete(self, memory_id: str) -> Answer:
        """Forget a memory and the messages that it quotes; its history stays.

        Raises:
            ValueError: there is no such memory.
        """
        await self._calls.forget((await self._require(memory_id)).memory)
        return {"message": "Memory deleted successfully!"}

    async def delete_all(
        self,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Answer:
        """Forget the memories of a user, of an agent of theirs alone, or of a run."""
        owner = shapes.Mem0Owner.find({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        for memory in await self._calls.list_memories(owner, {}, None):
            if owner.agent_id is None or memory.scope.agent_id == owner.agent_id:
                await self._calls.forget(memory)
        return {"message": "Memories deleted successfully!"}

    async def history(self, memory_id: str) -> list[Answer]:
        """Return what was added, reworded and deleted of one memory, the oldest first."""
        return shapes.write_history(memory_id, await self._require(memory_id))

    async def _require(self, memory_id: str) -> MemoryDetail:
        own_id, scope = shapes.read_id(memory_id)
        detail = await self._calls.find(own_id, scope)
        if detail is None:
            raise ValueError(f"there is no memory {memory_id!r}")
        return detail
