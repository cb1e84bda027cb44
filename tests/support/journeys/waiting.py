"""Waiting for what a running Palimpsest has understood."""

import asyncio
from typing import Any

from palimpsest.api.recall import RecallResponse, RecordType
from palimpsest.client import PalimpsestClient
from palimpsest.model.memory import Memory, Status


async def until_listed(
    client: PalimpsestClient,
    user_id: str,
    contents: set[str],
    status: Status,
    *,
    agent_id: str | None = None,
) -> dict[str, Memory]:
    """The memories by their contents, once these are among them."""
    async with asyncio.timeout(60):
        while True:
            listed = await client.list(user_id=user_id, agent_id=agent_id, status=[status])
            found = {memory.content: memory for memory in listed.memories}
            if contents <= found.keys():
                return found
            await asyncio.sleep(0.05)


async def until_recalled(
    client: PalimpsestClient,
    query: str,
    user_id: str,
    message_id: str,
    *,
    agent_id: str | None = None,
) -> RecallResponse:
    """The answer, once the raw turn of this message is in it."""
    async with asyncio.timeout(60):
        while True:
            answer = await client.recall(
                query, user_id=user_id, agent_id=agent_id, records=[RecordType.TURN], preview=True
            )
            if any(e.message_id == message_id for r in answer.results for e in r.evidence):
                return answer
            await asyncio.sleep(0.05)


async def until_answered(client: PalimpsestClient, query: str, user_id: str) -> RecallResponse:
    """The answer, once there is anything in it."""
    async with asyncio.timeout(60):
        while True:
            answer = await client.recall(query, user_id=user_id, preview=True)
            if answer.results:
                return answer
            await asyncio.sleep(0.05)


async def until_told(
    client: PalimpsestClient, query: str, user_id: str, content: str, **asked: Any
) -> RecallResponse:
    """The answer, once this memory or what it leads to is in it.

    A memory is listed a moment before its vectors are there. The last of the asking counts, as if
    it were the only one.
    """
    async with asyncio.timeout(60):
        while True:
            answer = await client.recall(query, user_id=user_id, preview=True, **asked)
            told = {result.content for result in answer.results}
            told |= {memory.content for result in answer.results for memory in result.related}
            if content in told:
                return await client.recall(query, user_id=user_id, **asked)
            await asyncio.sleep(0.05)
