"""People have something forgotten, by way of the console, until it is done."""

import asyncio
from collections.abc import Callable, Sequence

import httpx
from pymongo.errors import PyMongoError

from palimpsest_server.stores.collections import MEMORIES
from tests.faults.feed import AGENT, Known
from tests.faults.system import DATABASE, System

AGAIN_SECONDS = 0.5


async def forget(system: System, known: Sequence[Known], *, done: Callable[[], None]) -> None:
    """Return when the console has said of each of them that it is forgotten."""
    async with (
        httpx.AsyncClient(base_url=system.url("console"), timeout=15, trust_env=False) as http,
        asyncio.TaskGroup() as asking,
    ):
        for one in known:
            asking.create_task(_insist(system, one, http, done))


async def _insist(
    system: System, known: Known, http: httpx.AsyncClient, done: Callable[[], None]
) -> None:
    while not await _is_forgotten(system, known, http):  # noqa: ASYNC110 - others do it
        await asyncio.sleep(AGAIN_SECONDS)
    done()


async def _is_forgotten(system: System, known: Known, http: httpx.AsyncClient) -> bool:
    try:
        memory = await system.mongodb[DATABASE][MEMORIES.name].find_one(
            {"scope.user_id": known.user_id, "content": known.content}
        )
        if memory is None:
            return False
        answer = await http.post(
            f"/v1/memories/{memory['_id']}/forget",
            params={"user_id": known.user_id, "agent_id": AGENT},
            headers={"idempotency-key": f"forget {memory['_id']}"},
            json={"reason": "it is no longer so"},
        )
    except (httpx.HTTPError, PyMongoError):
        return False
    return answer.status_code == httpx.codes.OK
