"""One user never sees another's: every canary is found by its own pair and by no other.

By design all agents of a user see what is in the user's own layer, that is,
what was said without an agent. So the tests ask for the layer that a pair's
canaries live in, and once for all layers, where exactly those of the user's
layer may be seen too.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
import pytest_asyncio

from palimpsest.client import NotFound, PalimpsestClient
from palimpsest.events.conversations import MessageAdded, RememberRequested
from palimpsest.events.envelope import Event
from palimpsest.model.memory import Status
from palimpsest.model.scope import Layer
from palimpsest.model.turn import Role
from tests.support.canaries import CANARIES, CHOSEN, COUNT, PAIRS, Canary
from tests.support.extent import EVERY
from tests.support.journeys.running import RunningPalimpsest

pytestmark = [pytest.mark.embedded, pytest.mark.asyncio(loop_scope="module")]

QUESTION = "What is the canary called, and what does it eat?"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
AT_ONCE = 8

TOLD = [*CANARIES[: len(CHOSEN)], *CANARIES[len(CHOSEN) :: 4]]
"""Those who say something: the stores are asked for all two hundred in a test of their own."""

ASKING = TOLD[::EVERY]
"""Those who ask."""


def told(canary: Canary) -> list[Event]:
    """Sessions and messages have the same ids wherever they may."""
    return [
        RememberRequested(
            occurred_at=NOON,
            user_id=canary.user_id,
            agent_id=canary.agent_id,
            content=canary.memory,
        ),
        MessageAdded(
            occurred_at=NOON,
            user_id=canary.user_id,
            agent_id=canary.agent_id,
            session_id="alone" if canary.agent_id is None else f"with {canary.agent_id}",
            message_id="m1",
            role=Role.USER,
            text=canary.turn,
        ),
    ]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def planted(palimpsest: RunningPalimpsest) -> AsyncIterator[RunningPalimpsest]:
    async with palimpsest.client() as client:
        await client.publish([event for canary in TOLD for event in told(canary)])
        for canary in TOLD:
            await until_recalled(client, canary)
    yield palimpsest


async def until_recalled(client: PalimpsestClient, canary: Canary) -> None:
    found: set[str] = set()
    async with asyncio.timeout(60):
        while {canary.memory, canary.turn} - found:
            found = await recalled(client, canary, canary.layers)


async def recalled(
    client: PalimpsestClient, canary: Canary, layers: list[Layer] | None
) -> set[str]:
    answer = await client.recall(
        QUESTION,
        user_id=canary.user_id,
        agent_id=canary.agent_id,
        layers=layers,
        limit=100,
        preview=True,
    )
    return {result.content for result in answer.results}


async def test_there_are_two_hundred_pairs() -> None:
    assert len(set(PAIRS)) == COUNT


@pytest.mark.parametrize("way", ["http", "kafka"])
async def test_each_pair_recalls_its_own_and_nothing_else(
    planted: RunningPalimpsest, way: str
) -> None:
    room = asyncio.Semaphore(AT_ONCE)
    async with planted.client(kafka=way == "kafka") as client:

        async def ask(canary: Canary) -> None:
            own = {canary.memory, canary.turn}
            users = {
                text
                for other in TOLD
                if other.user_id == canary.user_id and other.agent_id is None
                for text in (other.memory, other.turn)
            }
            async with room:
                assert await recalled(client, canary, canary.layers) == own, canary
                everything = await recalled(client, canary, None)
            assert own <= everything <= own | users, canary

        await asyncio.gather(*(ask(canary) for canary in ASKING))


async def test_each_pair_lists_and_gets_its_own_and_nothing_else(
    planted: RunningPalimpsest,
) -> None:
    room = asyncio.Semaphore(AT_ONCE)
    async with planted.client() as client:

        async def look(number: int, canary: Canary) -> None:
            async with room:
                memory_id = await listed(client, canary)
                detail = await client.get(
                    memory_id, user_id=canary.user_id, agent_id=canary.agent_id
                )
                assert detail.memory.content == canary.memory
                for other in strangers(number, canary):
                    with pytest.raises(NotFound):
                        await client.get(memory_id, user_id=other.user_id, agent_id=other.agent_id)

        await asyncio.gather(*(look(TOLD.index(canary), canary) for canary in ASKING))


async def listed(client: PalimpsestClient, canary: Canary) -> str:
    page = await client.list(
        user_id=canary.user_id,
        agent_id=canary.agent_id,
        layers=canary.layers,
        status=list(Status),
        limit=500,
    )
    assert [memory.content for memory in page.memories] == [canary.memory], canary
    return page.memories[0].id


def strangers(number: int, canary: Canary) -> list[Canary]:
    """Those next to it in the list, and those that share an id with it and not its memories."""
    near = [TOLD[(number + step) % len(TOLD)] for step in (1, 2)]
    alike = [
        other
        for other in TOLD
        if other.agent_id == canary.agent_id or other.user_id in {canary.user_id, canary.agent_id}
    ]
    return [other for other in [*near, *alike[:2]] if canary.scope not in other.scope.visible()]
