"""Looking at memories: who sees which, page after page, and how one came to be."""

from datetime import timedelta

import pytest

from palimpsest.api.resources import MemoryDetail, MemoryList, Problem
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.services.console.routes.world import World

DAY = timedelta(days=1)
POET = Scope(user_id="ann", agent_id="poet")
NOVEL = Scope(user_id="ann", agent_id="poet", project_id="novel")


async def names(world: World, **parameters: str | list[str]) -> list[str]:
    async with world.http as http:
        asked: dict[str, str | list[str]] = {"user_id": "ann", **parameters}
        answer = await http.get("/v1/memories", params=asked)
    assert answer.status_code == 200, answer.text
    return [memory.id for memory in MemoryList.model_validate_json(answer.content).memories]


async def plant(world: World) -> None:
    """One after another, so that the newest is the last."""
    scopes = {
        "users": Scope(user_id="ann"),
        "poets": POET,
        "novels": NOVEL,
        "cooks": Scope(user_id="ann", agent_id="cook"),
        "bobs": Scope(user_id="bob"),
    }
    for name, scope in scopes.items():
        world.clock.advance(timedelta(seconds=1))
        await world.know(world.memory(name, scope))


SEEN: list[tuple[dict[str, str | list[str]], list[str]]] = [
    ({}, ["users"]),
    ({"agent_id": "poet"}, ["poets", "users"]),
    ({"agent_id": "poet", "project_id": "novel"}, ["novels", "poets", "users"]),
    ({"agent_id": "poet", "layers": "agent"}, ["poets"]),
    (
        {"agent_id": "poet", "project_id": "novel", "layers": ["project", "user"]},
        ["novels", "users"],
    ),
    ({"agent_id": "nobody"}, ["users"]),
    ({"user_id": "nobody"}, []),
]

ELSEWHERE = [
    {"user_id": "bob"},
    {"user_id": "ann"},
    {"user_id": "ann", "agent_id": "cook"},
    {"user_id": "bob", "agent_id": "poet"},
]


class MemoriesContract:
    async def test_everybody_sees_what_can_be_seen_from_where_they_stand(
        self, world: World
    ) -> None:
        await plant(world)
        for parameters, seen in SEEN:
            assert await names(world, **parameters) == seen, parameters

    async def test_active_memories_unless_others_are_asked_for(self, world: World) -> None:
        await world.know(
            world.memory("active"),
            world.memory("gone", status=Status.FORGOTTEN),
            world.memory("old", status=Status.SUPERSEDED, kind=Kind.PREFERENCE),
        )
        assert await names(world) == ["active"]
        assert await names(world, status="forgotten") == ["gone"]
        assert set(await names(world, status=["forgotten", "superseded"])) == {"gone", "old"}
        assert await names(world, status=["forgotten", "superseded"], kind="preference") == ["old"]

    async def test_what_held_at_a_moment_is_listed_with_what_was_superseded_since(
        self, world: World
    ) -> None:
        ann, now = Scope(user_id="ann"), world.clock()
        past = world.memory("past", ann).model_copy(
            update={"status": Status.SUPERSEDED, "valid_from": now, "valid_until": now + 5 * DAY}
        )
        since = world.memory("since", ann).model_copy(update={"valid_from": now + 5 * DAY})
        await world.know(past)
        await world.know(since)
        assert await names(world) == ["since"]
        assert await names(world, as_of=(now + DAY).isoformat()) == ["past"]
        assert await names(world, as_of=(now + 5 * DAY).isoformat()) == ["since"]
        assert await names(world, as_of=(now + DAY).isoformat(), status="active") == []

    async def test_pages_hold_everything_once(self, world: World) -> None:
        for number in range(7):
            world.clock.advance(timedelta(seconds=1))
            await world.know(world.memory(f"m{number}"))
        seen: list[str] = []
        cursor: str | None = None
        pages = 0
        async with world.http as http:
            while pages == 0 or cursor:
                parameters = {
                    "user_id": "ann",
                    "limit": "3",
                    **({"cursor": cursor} if cursor else {}),
                }
                answer = await http.get("/v1/memories", params=parameters)
                page = MemoryList.model_validate_json(answer.content)
                seen += [memory.id for memory in page.memories]
                cursor = page.next_cursor
                pages += 1
        assert seen == [f"m{number}" for number in reversed(range(7))]
        assert pages == 3

    async def test_one_memory_comes_with_its_history_the_latest_first(self, world: World) -> None:
        known = world.memory("m1", POET)
        await world.know(known)
        async with world.http as http:
            for reason in ("wrong", "wrong again"):
                await http.post(
                    "/v1/memories/m1/forget",
                    params={"user_id": "ann", "agent_id": "poet"},
                    json={"reason": reason},
                )
            answer = await http.get(
                "/v1/memories/m1", params={"user_id": "ann", "agent_id": "poet"}
            )
        detail = MemoryDetail.model_validate_json(answer.content)
        assert detail.memory.status is Status.FORGOTTEN
        (revision,) = detail.history
        assert (revision.revision, revision.reason) == (1, "wrong")
        assert revision.cause.type == "ForgetMemory"
        assert revision.before == known
        assert revision.after == detail.memory

    async def test_what_cannot_be_seen_from_here_is_not_there(self, world: World) -> None:
        await world.know(world.memory("m1", POET))
        async with world.http as http:
            for scope in ELSEWHERE:
                for method, path in [("GET", ""), ("POST", "/forget")]:
                    answer = await http.request(method, f"/v1/memories/m1{path}", params=scope)
                    assert answer.status_code == 404, scope
                    assert Problem.model_validate_json(answer.content).reason == "not_found"
        assert world.writer.published == []


class TestOnTwins(MemoriesContract):
    @pytest.fixture
    def world(self) -> World:
        return World()


@pytest.mark.embedded
class TestOnMongoDB(MemoriesContract):
    @pytest.fixture
    def world(self, database: MongoDatabase) -> World:
        return World.on(database)


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({}, "user_id"),
        ({"user_id": "x" * 257}, "user_id"),
        ({"user_id": "ann", "limit": "0"}, "limit"),
        ({"user_id": "ann", "limit": "501"}, "limit"),
        ({"user_id": "ann", "kind": "opinion"}, "kind.0"),
        ({"user_id": "ann", "colour": "red"}, "colour"),
    ],
)
async def test_what_is_wrong_is_named(parameters: dict[str, str], field: str) -> None:
    async with World().http as http:
        answer = await http.get("/v1/memories", params=parameters)
    assert answer.status_code == 422
    assert [problem.field for problem in Problem.model_validate_json(answer.content).fields] == [
        field
    ]
