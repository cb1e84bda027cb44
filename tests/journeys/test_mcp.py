"""An agent remembers, recalls, corrects, takes back and forgets through the tools of MCP."""

import asyncio
import json
from typing import Any
from urllib.parse import quote

import pytest
from mcp import Client, StdioServerParameters

from palimpsest.mcp.memory_tools import build_memory_server
from palimpsest.model.scope import Scope
from tests.support.journeys.running import RunningPalimpsest, command

pytestmark = pytest.mark.embedded


async def answer(agent: Client, tool: str, **arguments: Any) -> Any:
    result = await agent.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def test_an_agent_looks_after_memories_by_tools(palimpsest: RunningPalimpsest) -> None:
    async with palimpsest.client() as client, asyncio.timeout(60):
        server = build_memory_server(
            client, Scope(user_id="mira"), instructions="Speak of gardens only."
        )
        async with Client(server) as agent:
            assert (agent.instructions or "").endswith("\nSpeak of gardens only.")
            added = await answer(
                agent, "remember", content="Mira prefers green tea", kind="preference"
            )
            memory_id = added["memory"]["id"]
            found = await answer(agent, "recall", query="What does Mira like to drink?")
            assert memory_id in [result["id"] for result in found["results"]]
            told = await agent.call_tool("context", {"query": "What does Mira like to drink?"})
            assert "green tea" in str(told.content)

            updated = await answer(
                agent, "update_memory", memory_id=memory_id, content="Mira prefers black tea"
            )
            changes = (await answer(agent, "history", memory_id=memory_id))["changes"]
            assert [change["after"] for change in changes] == [
                "Mira prefers black tea",
                "Mira prefers green tea",
            ]
            await answer(agent, "undo", change_set_id=updated["change_set_id"])
            again = await answer(agent, "get_memory", memory_id=memory_id)
            assert again["content"] == "Mira prefers green tea"

            await answer(agent, "remember", content="Buy seeds", kind="action_item")
            todos = (await answer(agent, "todos"))["todos"]
            assert [todo["content"] for todo in todos] == ["Buy seeds"]

            await answer(agent, "forget", memory_id=memory_id)
            left = (await answer(agent, "list_memories"))["memories"]
            assert [memory["content"] for memory in left] == ["Buy seeds"]

            refused = await agent.call_tool("get_memory", {"memory_id": "of nobody"})
            assert refused.is_error


async def test_an_agent_reaches_memories_over_http(palimpsest: RunningPalimpsest) -> None:
    async with asyncio.timeout(60):
        async with Client(f"{palimpsest.instance.http_url}/mcp/moira/cook") as agent:
            await answer(agent, "remember", content="Moira bakes rye bread")
            found = await answer(agent, "recall", query="Which bread does Moira bake?")
    assert "Moira bakes rye bread" in [result["content"] for result in found["results"]]


ODD_USER, ODD_AGENT = "团队/小王?#%2F&+ü", "厨师/2"


async def test_any_id_stands_in_an_address_percent_encoded(palimpsest: RunningPalimpsest) -> None:
    address = f"{palimpsest.instance.http_url}/mcp/{quote(ODD_USER, safe='')}"
    async with asyncio.timeout(60), palimpsest.client() as client:
        async with Client(f"{address}/{quote(ODD_AGENT, safe='')}") as agent:
            added = await answer(agent, "remember", content="小王喜欢吃辣")
        kept = await client.get(added["memory"]["id"], user_id=ODD_USER, agent_id=ODD_AGENT)
        assert (kept.memory.scope.user_id, kept.memory.scope.agent_id) == (ODD_USER, ODD_AGENT)
        async with Client(address) as of_user:
            assert (await answer(of_user, "list_memories"))["memories"] == []
        await client.add("小王种了番茄", user_id=ODD_USER, project_id="花园/2026")
        counted = await client.delete_project("花园/2026", user_id=ODD_USER, dry_run=True)
        assert (counted.would_go or {})["memories"] == 1


async def test_the_printed_configuration_starts_a_server_over_stdio(
    palimpsest: RunningPalimpsest,
) -> None:
    code, printed = await command(
        palimpsest, "mcp", "--user", "milo", "--print-config", "claude-desktop"
    )
    assert code == 0, printed
    entry = json.loads(printed)["mcpServers"]["palimpsest"]
    async with asyncio.timeout(60):
        async with Client(StdioServerParameters(**entry)) as agent:
            await answer(agent, "remember", content="Milo plays the oboe")
            page = await answer(agent, "list_memories")
    assert [memory["content"] for memory in page["memories"]] == ["Milo plays the oboe"]
