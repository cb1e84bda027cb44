"""Memories by tag, words, time and order; one action on many; the graph; changes of one agent."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from palimpsest.api.command_requests import BulkResult, ChangeList
from palimpsest.api.graph import EdgeType, EntityNode, MemoryGraph
from palimpsest.api.resources import MemoryList, MemoryStatistics
from palimpsest.model.memory import Status
from tests.support.services.console.routes.joined import joined
from tests.support.services.console.routes.world import World

ANN = {"user_id": "ann"}


@pytest.fixture
def world() -> World:
    return joined()


async def add(world: World, http: httpx.AsyncClient, content: str, **fields: Any) -> str:
    world.clock.advance(timedelta(minutes=1))
    places = ("agent_id", "project_id")
    scope: dict[str, str] = {name: fields.pop(name) for name in places if name in fields}
    answer = await http.post(
        "/v1/memories", params={**ANN, **scope}, json={"content": content, **fields}
    )
    assert answer.status_code == 200, answer.text
    return str(answer.json()["memory"]["id"])


async def listed(http: httpx.AsyncClient, **query: Any) -> MemoryList:
    answer = await http.get("/v1/memories", params={**ANN, **query})
    assert answer.status_code == 200, answer.text
    return MemoryList.model_validate_json(answer.content)


def contents(found: MemoryList) -> list[str]:
    return [memory.content for memory in found.memories]


async def test_everywhere_lists_the_memories_of_all_agents_and_projects_page_by_page(
    world: World,
) -> None:
    async with world.http as http:
        await add(world, http, "likes tea")
        await add(world, http, "uses tabs", agent_id="coder")
        await add(world, http, "ships on Monday", agent_id="coder", project_id="shop")
        await http.post("/v1/memories", params={"user_id": "bob"}, json={"content": "a magpie"})
        assert contents(await listed(http)) == ["likes tea"]
        all_contents = ["ships on Monday", "uses tabs", "likes tea"]
        assert contents(await listed(http, everywhere=True)) == all_contents
        first = await listed(http, everywhere=True, limit=2)
        second = await listed(http, everywhere=True, limit=2, cursor=first.next_cursor)
        assert contents(first) + contents(second) == all_contents
        assert contents(await listed(http, everywhere=True, layers="project")) == all_contents[:1]
        assert contents(await listed(http, everywhere=True, text="tabs")) == ["uses tabs"]
        nobody = await http.get("/v1/memories", params={"user_id": "eve", "everywhere": True})
        assert nobody.json()["memories"] == []
        await add(world, http, "writes prose", agent_id="writer")
        seen = contents(await listed(http, everywhere=True, agent_id="coder"))
        assert seen == all_contents
        both = {**ANN, "everywhere": "true", "project_id": "shop"}
        assert (await http.get("/v1/memories", params=both)).status_code == 422


async def test_memories_are_found_by_tag_words_time_and_order(world: World) -> None:
    async with world.http as http:
        await add(world, http, "likes Green tea", tags=["Tea", "drinks"], importance=0.2)
        await add(world, http, "喜欢喝绿茶", tags=["tea"], importance=0.9)
        await add(world, http, "plays chess", occurred_at="2025-01-02T00:00:00Z")
        assert contents(await listed(http, tag="tea")) == ["喜欢喝绿茶", "likes Green tea"]
        assert contents(await listed(http, tag=["tea", "DRINKS"])) == ["likes Green tea"]
        assert contents(await listed(http, text="green")) == ["likes Green tea"]
        assert contents(await listed(http, text="绿茶")) == ["喜欢喝绿茶"]
        assert contents(await listed(http, until="2026-01-01T00:00:00Z")) == ["plays chess"]
        assert len(contents(await listed(http, since="2026-01-01T00:00:00Z"))) == 2
        assert contents(await listed(http, sort="oldest"))[0] == "likes Green tea"
        assert contents(await listed(http, sort="occurred"))[-1] == "plays chess"
        assert contents(await listed(http, sort="importance"))[0] == "喜欢喝绿茶"
        assert contents(await listed(http, text="nowhere")) == []


@pytest.mark.parametrize("sort", ["newest", "oldest"])
async def test_pages_of_a_filtered_list_hold_each_memory_once(world: World, sort: str) -> None:
    async with world.http as http:
        for number in range(5):
            await add(world, http, f"likes tea {number}")
            await add(world, http, f"likes milk {number}")
        found: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            page = await listed(http, text="tea", sort=sort, limit=2, **cursor)
            found += contents(page)
            if page.next_cursor is None:
                break
            cursor = {"cursor": page.next_cursor}
    expected = [f"likes tea {number}" for number in range(5)]
    assert found == (expected if sort == "oldest" else expected[::-1])


async def test_one_action_on_many_is_refused_for_each_by_itself(world: World) -> None:
    async with world.http as http:
        ids = [await add(world, http, f"likes tea {number}") for number in range(3)]
        body = {"memory_ids": [*ids, "nowhere", ids[0]], "action": "forget", "reason": "old"}
        answer = await http.post("/v1/memories/bulk", params=ANN, json=body)
        done = BulkResult.model_validate_json(answer.content)
        assert [(item.memory_id, item.status) for item in done.results] == [
            *((memory_id, 200) for memory_id in ids),
            ("nowhere", 404),
        ]
        assert done.results[-1].problem is not None
        forgotten = await listed(http, status="forgotten")
        assert {memory.status_reason for memory in forgotten.memories} == {"old"}
        body = {"memory_ids": ids, "action": "restore"}
        again = await http.post("/v1/memories/bulk", params=ANN, json=body)
        assert {one["status"] for one in again.json()["results"]} == {200}
        refused = await http.post(
            "/v1/memories/bulk", params=ANN, json={"memory_ids": ids, "action": "confirm"}
        )
        assert {one["status"] for one in refused.json()["results"]} <= {200, 409}
        assert {memory.status for memory in (await listed(http)).memories} == {Status.ACTIVE}


async def test_the_graph_holds_what_is_seen_and_nothing_else(world: World) -> None:
    async with world.http as http:
        tea = await add(world, http, "Lin drinks tea in Oslo", entities=["Lin", "Oslo"])
        home = await add(world, http, "Lin lives in Oslo", entities=["Lin", "Oslo"])
        secret = await add(
            world, http, "Lin meets Quinn", entities=["Lin", "Quinn"], agent_id="poet"
        )
        await http.post(
            f"/v1/memories/{tea}/relations",
            params=ANN,
            json={"other_id": home, "relation": "supports", "strength": 0.8},
        )

        async def graph(**query: Any) -> MemoryGraph:
            answer = await http.get("/v1/graph", params={**ANN, **query})
            assert answer.status_code == 200, answer.text
            return MemoryGraph.model_validate_json(answer.content)

        whole = await graph()
        names = {node.name: node.id for node in whole.nodes if isinstance(node, EntityNode)}
        assert names.keys() == {"Lin", "Oslo"}
        assert secret not in {node.id for node in whole.nodes}
        edges = {(edge.type, edge.source, edge.target) for edge in whole.edges}
        assert (EdgeType.SUPPORTS, tea, home) in edges
        assert (EdgeType.MENTIONS, tea, names["Oslo"]) in edges
        (link,) = [edge for edge in whole.edges if edge.type is EdgeType.NAMED_WITH]
        assert ({link.source, link.target}, link.strength) == (set(names.values()), 0.75)
        of_poet = await graph(agent_id="poet")
        assert "Quinn" in {node.name for node in of_poet.nodes if isinstance(node, EntityNode)}
        around = await graph(entity_id=names["Oslo"])
        assert {node.id for node in around.nodes} == {tea, home, *names.values()}
        assert (await graph(limit=1)).truncated


async def test_an_agent_reads_the_changes_and_figures_of_what_it_sees(world: World) -> None:
    async with world.http as http:
        await add(world, http, "of all")
        await add(world, http, "of the poet", agent_id="poet")
        await add(world, http, "of the coder", agent_id="coder")

        async def changed(**query: Any) -> ChangeList:
            answer = await http.get("/v1/changes", params={**ANN, **query})
            return ChangeList.model_validate_json(answer.content)

        seen = await changed(agent_id="poet")
        told = [
            change.after.content
            for change_set in seen.changes
            for change in change_set.memory_changes
        ]
        assert told == ["of the poet", "of all"]
        everything = (await changed()).changes
        assert len(everything) == 3
        of_coder = everything[0].id
        path = f"/v1/changes/{of_coder}"
        assert (await http.get(path, params={**ANN, "agent_id": "poet"})).status_code == 404
        refused = await http.post(f"{path}/undo", params={**ANN, "agent_id": "poet"})
        assert refused.status_code == 404
        undone = await http.post(f"{path}/undo", params={**ANN, "agent_id": "coder"})
        assert undone.status_code == 200, undone.text
        answer = await http.get("/v1/stats", params={**ANN, "agent_id": "poet"})
        assert MemoryStatistics.model_validate_json(answer.content).active == 2
