"""Each tool tells in both languages what it does, and whether it changes anything."""

from mcp import Client

from palimpsest.client import PalimpsestClient
from palimpsest.mcp.descriptions import DESCRIPTIONS
from palimpsest.mcp.memory_tools import build_memory_server
from palimpsest.model.scope import Scope

READING = {"recall", "context", "list_memories", "get_memory", "history", "todos"}
DESTRUCTIVE = {"update_memory", "forget", "undo"}


async def test_tools_tell_what_they_do_and_what_they_change() -> None:
    client = PalimpsestClient(http_url="http://127.0.0.1:9")
    async with Client(build_memory_server(client, Scope(user_id="ann"))) as agent:
        tools = {tool.name: tool for tool in (await agent.list_tools()).tools}
    assert tools.keys() == DESCRIPTIONS.keys() == READING | DESTRUCTIVE | {"remember"}
    for name, tool in tools.items():
        english, chinese = (tool.description or "").splitlines()
        assert english.isascii()
        assert "。" in chinese
        assert "user_id" not in tool.input_schema["properties"]
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (name in READING)
        assert bool(tool.annotations.destructive_hint) is (name in DESTRUCTIVE)
        assert (tool.output_schema is None) is (name == "context")
