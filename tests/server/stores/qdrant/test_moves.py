"""Namespaces move between collections while they are read and written, and movers are killed."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any, cast

import pytest
from qdrant_client import AsyncQdrantClient

from palimpsest.model.memory import Status
from palimpsest.model.scope import Layout, Scope
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.vector_layouts import MongoVectorLayouts
from palimpsest_server.stores.qdrant.collections import QdrantCollections
from palimpsest_server.stores.qdrant.moves import NamespaceMover, TakenOver
from palimpsest_server.stores.qdrant.vectors import QdrantVectorStore
from palimpsest_server.stores.vector_layouts import LayoutTimes, VectorLayout
from palimpsest_server.stores.vectors import VectorQuery
from tests.support.server.stores.points import ALICE, BOB, MODEL, NORTH, identity, point, state
from tests.support.server.stores.qdrant_server import SERVER_URL, serve_by_address

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")

OWN, POOLED = Layout.PER_AGENT, Layout.POOLED
ALWAYS_FRESH = LayoutTimes(fresh=0.0)

Hook = Callable[[], Awaitable[None]]
Qdrant = tuple[AsyncQdrantClient, str]
"""A client, and what comes before every name."""


@pytest.fixture(
    params=[
        None,
        pytest.param(
            SERVER_URL,
            marks=pytest.mark.skipif(
                SERVER_URL is None, reason="PALIMPSEST_TEST_QDRANT_URL names no server"
            ),
        ),
    ],
    ids=["in memory", "server"],
)
async def qdrant(request: pytest.FixtureRequest) -> AsyncIterator[Qdrant]:
    if request.param is None:
        client = AsyncQdrantClient(":memory:")
        yield client, ""
        await client.close()
        return
    async with serve_by_address() as served:
        yield served


class Killed(BaseException):
    """Ends a mover as a signal would."""


class Watched:
    """A client that has something done before each of its calls."""

    def __init__(self, client: AsyncQdrantClient, before: Hook) -> None:
        self._client = client
        self._before = before

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._client, name)

        async def watched(*args: Any, **kwargs: Any) -> Any:
            await self._before()
            return await call(*args, **kwargs)

        return watched


class World:
    """One server and one database, with a mover and another process that reads and writes."""

    def __init__(self, qdrant: Qdrant, database: MongoDatabase, default: Layout) -> None:
        self.client, self.prefix = qdrant
        self.database = database
        self.default = default
        self.layouts = self.known_layouts()
        self.store = QdrantVectorStore(self.client, MODEL, layouts=self.layouts, prefix=self.prefix)

    def known_layouts(self) -> MongoVectorLayouts:
        return MongoVectorLayouts(
            self.database, default=self.default, maximum=50, times=ALWAYS_FRESH
        )

    def mover(self, before: Hook) -> NamespaceMover:
        client = cast("AsyncQdrantClient", Watched(self.client, before))
        collections = QdrantCollections(client, MODEL, prefix=self.prefix)
        return NamespaceMover(client, collections, self.known_layouts(), wait=before)

    async def found(self, scope: Scope) -> list[str]:
        query = VectorQuery(scopes=(scope,), dense=NORTH, statuses=frozenset(Status), limit=99)
        return sorted(hit.id for hit in await self.store.search(query))

    async def count(self, alias: str, scope: Scope) -> int:
        """Count the points of a namespace behind an alias, as they lie there."""
        alias = self.prefix + alias
        if alias not in {
            description.alias_name for description in (await self.client.get_aliases()).aliases
        }:
            return 0
        records, _ = await self.client.scroll(alias, limit=99, with_payload=True)
        name = scope.namespace.physical_name
        return sum((record.payload or {})["namespace"] == name for record in records)


async def rest() -> None:
    """Let nothing happen meanwhile."""


@pytest.mark.parametrize(("default", "target"), [(POOLED, OWN), (OWN, POOLED)])
async def test_at_every_step_it_answers_all_and_once_whatever_is_written(
    qdrant: Qdrant, database: MongoDatabase, default: Layout, target: Layout
) -> None:
    world = World(qdrant, database, default)
    await world.store.upsert([point(f"p{number}") for number in range(70)])
    await world.store.upsert([point("bob's", BOB)])
    await world.layouts.record("user_alice")
    expected = {identity(f"p{number}"): 1 for number in range(70)}
    steps = 0

    async def meanwhile() -> None:
        nonlocal steps
        steps += 1
        await world.store.upsert([point(f"new {steps}")])
        expected[identity(f"new {steps}")] = 1
        await world.store.restate([state(f"p{steps}", version=2, status=Status.SUPERSEDED)])
        expected[identity(f"p{steps}")] = 2
        await world.store.remove({identity(f"p{69 - steps}"): ALICE})
        del expected[identity(f"p{69 - steps}")]
        assert await world.found(ALICE) == sorted(expected)

    async def until_it_is_enough() -> None:
        if steps < 25:
            await meanwhile()
        assert await world.found(ALICE) == sorted(expected)

    await world.mover(until_it_is_enough).move(["user_alice"], target)

    assert steps == 25
    assert await world.found(ALICE) == sorted(expected)
    assert await world.store.versions(dict.fromkeys(expected, ALICE)) == expected
    assert await world.layouts.find("user_alice") == VectorLayout(target)
    old, new = ("palimpsest", "user_alice") if target is OWN else ("user_alice", "palimpsest")
    assert (await world.count(old, ALICE), await world.count(new, ALICE)) == (0, len(expected))
    assert await world.found(BOB) == [identity("bob's")]
    serving = await world.store.collections.serving()
    assert (f"{world.prefix}user_alice" in serving) == (target is OWN)


@pytest.mark.parametrize(("default", "target"), [(POOLED, OWN), (OWN, POOLED)])
async def test_a_mover_that_is_killed_anywhere_is_taken_over(
    qdrant: Qdrant, database: MongoDatabase, default: Layout, target: Layout
) -> None:
    world = World(qdrant, database, default)
    kill_at, finished = 0, False
    while not finished:
        kill_at += 1
        scope = Scope(user_id=f"u{kill_at}")
        name = scope.namespace.physical_name
        await world.store.upsert([point(f"{name} {number}", scope) for number in range(3)])
        await world.layouts.record(name)
        before, step = await world.found(scope), 0

        async def killed(kill_at: int = kill_at) -> None:
            nonlocal step
            step += 1
            if step == kill_at:
                raise Killed

        try:
            await world.mover(killed).move([name], target)
            finished = True
        except Killed:
            assert await world.found(scope) == before
            await world.store.upsert([point(f"{name} late", scope)])
            before = sorted([*before, identity(f"{name} late")])
            await world.mover(rest).move([name], target)

        assert await world.found(scope) == before
        assert await world.layouts.find(name) == VectorLayout(target)
        pooled = await world.count("palimpsest", scope)
        assert pooled == (len(before) if target is POOLED else 0)
    assert kill_at > 10, "there were as many places to die at"
    own = kill_at if target is OWN else 0
    assert await world.layouts.count_own() == own


async def test_an_answer_from_a_place_that_was_left_meanwhile_is_asked_for_again(
    qdrant: Qdrant, database: MongoDatabase
) -> None:
    """A reader stood still in the middle of its search, for longer than a mover waits."""
    world = World(qdrant, database, POOLED)
    await world.store.upsert([point("a")])
    await world.layouts.record("user_alice")
    now, moved = 0.0, False

    async def move_once() -> None:
        nonlocal now, moved
        if not moved:
            moved = True
            await world.mover(rest).move(["user_alice"], OWN)
            now += 100.0

    client = cast("AsyncQdrantClient", Watched(world.client, move_once))
    slow = QdrantVectorStore(
        client,
        MODEL,
        layouts=MongoVectorLayouts(database, default=POOLED, maximum=1, monotonic=lambda: now),
        prefix=world.prefix,
    )
    hits = await slow.search(VectorQuery(scopes=(ALICE,), dense=NORTH))
    assert [hit.id for hit in hits] == [identity("a")]


async def test_a_mover_that_was_taken_over_takes_nothing_away(
    qdrant: Qdrant, database: MongoDatabase
) -> None:
    world = World(qdrant, database, POOLED)
    await world.store.upsert([replace(point("a"), version=2)])
    await world.layouts.record("user_alice")
    waits = 0

    async def taken_over_before_the_end() -> None:
        nonlocal waits
        layout = await world.layouts.find("user_alice")
        if layout is not None and layout.leaving is not None and not waits:
            waits += 1
            await world.layouts.begin_move("user_alice", OWN, mover="another")

    with pytest.raises(TakenOver):
        await world.mover(taken_over_before_the_end).move(["user_alice"], OWN)
    assert await world.count("palimpsest", ALICE) == 1
    assert await world.found(ALICE) == [identity("a")]
