"""The memory tool of Anthropic's SDK keeps its files here, and does what its own files on disk do."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from palimpsest.client import PalimpsestClient
from tests.support.journeys.running import RunningPalimpsest
from tests.support.lazy_modules import LazyModule

if TYPE_CHECKING:
    from anthropic.lib import tools as sdk
    from anthropic.lib.tools import _beta_builtin_memory_tool as sdk_memory
    from anthropic.lib.tools._beta_builtin_memory_tool import BetaAsyncLocalFilesystemMemoryTool

    from palimpsest.integrations import anthropic_memory
    from palimpsest.integrations.anthropic_memory import AsyncPalimpsestMemoryTool
else:
    sdk = LazyModule("anthropic.lib.tools")
    sdk_memory = LazyModule("anthropic.lib.tools._beta_builtin_memory_tool")
    anthropic_memory = LazyModule("palimpsest.integrations.anthropic_memory")

pytestmark = pytest.mark.embedded

COMMANDS: list[dict[str, object]] = [
    {"command": "create", "path": "/memories/likes.md", "file_text": "tea\ncoffee\ntea time\n"},
    {"command": "create", "path": "/memories/likes.md", "file_text": "again"},
    {"command": "create", "path": "/memories/office/plan.md", "file_text": "一、写\n二、改"},
    {"command": "create", "path": "/memories/office/deep/er.md", "file_text": "below"},
    {"command": "create", "path": "/memories/blank", "file_text": "\n"},
    {"command": "str_replace", "path": "/memories/likes.md", "old_str": "tea", "new_str": "water"},
    {"command": "str_replace", "path": "/memories/likes.md", "old_str": "milk", "new_str": "oat"},
    {
        "command": "str_replace",
        "path": "/memories/likes.md",
        "old_str": "coffee",
        "new_str": "cocoa",
    },
    {"command": "str_replace", "path": "/memories/none", "old_str": "a", "new_str": "b"},
    {"command": "insert", "path": "/memories/likes.md", "insert_line": 1, "insert_text": "milk\n"},
    {"command": "insert", "path": "/memories/likes.md", "insert_line": 0, "insert_text": "first"},
    {"command": "insert", "path": "/memories/likes.md", "insert_line": 99, "insert_text": "far"},
    {"command": "insert", "path": "/memories/office", "insert_line": 0, "insert_text": "x"},
    {"command": "rename", "old_path": "/memories/likes.md", "new_path": "/memories/a/b.md"},
    {"command": "rename", "old_path": "/memories/none", "new_path": "/memories/c.md"},
    {"command": "rename", "old_path": "/memories/a/b.md", "new_path": "/memories/blank"},
    {"command": "rename", "old_path": "/memories/office", "new_path": "/memories/job"},
    {"command": "delete", "path": "/memories/blank"},
    {"command": "delete", "path": "/memories/blank"},
    {"command": "delete", "path": "/memories"},
    {"command": "view", "path": "/memories/nothing"},
    {"command": "create", "path": "/memories/../outside", "file_text": "x"},
    {"command": "create", "path": "/elsewhere", "file_text": "x"},
    {"command": "view", "path": "/memories/../../etc/passwd"},
]
FILES = {
    "/memories/a/b.md": "first\ntea\nmilk\ncocoa\ntea time\n",
    "/memories/job/plan.md": "一、写\n二、改",
    "/memories/job/deep/er.md": "below",
}


@pytest.fixture
async def tool(
    palimpsest: RunningPalimpsest, request: pytest.FixtureRequest
) -> AsyncIterator["AsyncPalimpsestMemoryTool"]:
    pytest.importorskip("anthropic.lib.tools", reason="Anthropic's SDK is not installed")
    tool = anthropic_memory.AsyncPalimpsestMemoryTool(
        user_id=f"files {request.node.name}", http_url=palimpsest.instance.http_url
    )
    yield tool
    await tool.close()


async def run(
    tool: "AsyncPalimpsestMemoryTool | BetaAsyncLocalFilesystemMemoryTool", command: object
) -> str | None:
    """Return what the tool answers; None if it refuses."""
    try:
        return str(await tool.call(command))
    except sdk.ToolError:
        return None


def words(answer: str | None) -> list[str]:
    """The lines of a file, without the numbers and words around them."""
    assert answer is not None
    return [line.partition("\t")[2] for line in answer.splitlines() if "\t" in line]


async def test_files_of_memories_are_what_files_on_disk_would_be(
    tool: "AsyncPalimpsestMemoryTool", tmp_path: Path
) -> None:
    on_disk = sdk_memory.BetaAsyncLocalFilesystemMemoryTool(str(tmp_path))
    for command in COMMANDS:
        taken = await run(tool, command) is not None
        assert taken == (await run(on_disk, command) is not None), command
    for path, text in FILES.items():
        view = {"command": "view", "path": path}
        assert words(await run(tool, view)) == words(await run(on_disk, view))
        assert words(await run(tool, view)) == text.split("\n")
        part = {**view, "view_range": [2, 3]}
        assert words(await run(tool, part)) == words(await run(on_disk, part))
    for path in ("/memories", "/memories/job", "/memories/"):
        names = words(await run(tool, {"command": "view", "path": path}))
        others = words(await run(on_disk, {"command": "view", "path": path}))
        assert [name.rstrip("/") for name in names] == [
            name.replace("//", "/").rstrip("/") for name in others
        ]


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "memories/a",
        "/memoriesque/a",
        "/memories/../a",
        "/memories/a/../../b",
        "/memories/./a",
        "/memories//a",
        "/memories/%2e%2e/a",
        "/memories/%2e%2e%2fa",
        "/memories/..\\a",
        "/memories/a\0b",
    ],
)
async def test_a_path_that_might_lead_out_is_refused_by_every_command(
    tool: "AsyncPalimpsestMemoryTool", path: str
) -> None:
    for command in (
        {"command": "view", "path": path},
        {"command": "create", "path": path, "file_text": "x"},
        {"command": "str_replace", "path": path, "old_str": "x", "new_str": "y"},
        {"command": "insert", "path": path, "insert_line": 0, "insert_text": "x"},
        {"command": "delete", "path": path},
        {"command": "rename", "old_path": path, "new_path": "/memories/a"},
        {"command": "rename", "old_path": "/memories/a", "new_path": path},
    ):
        with pytest.raises(sdk.ToolError, match="refused"):
            await tool.call(command)


async def test_a_file_is_a_memory_that_is_recalled_and_forgotten(
    tool: "AsyncPalimpsestMemoryTool", palimpsest: RunningPalimpsest
) -> None:
    user_id = "files of vera"
    vera = anthropic_memory.AsyncPalimpsestMemoryTool(
        user_id=user_id, http_url=palimpsest.instance.http_url
    )
    text = "I am allergic to hazelnuts."
    await vera.call({"command": "create", "path": "/memories/diet.md", "file_text": text})
    await vera.call({"command": "create", "path": "/memories/diet2.md", "file_text": text})
    async with PalimpsestClient(http_url=palimpsest.instance.http_url) as client:
        answer = await client.recall("What am I allergic to?", user_id=user_id)
        assert text in [result.content for result in answer.results]
        assert len((await client.list(user_id=user_id)).memories) == 2
        moved = {"command": "rename", "old_path": "/memories", "new_path": "/memories/b"}
        assert await run(vera, moved) is None
        inside = {
            "command": "rename",
            "old_path": "/memories/diet.md",
            "new_path": "/memories/diet.md/a",
        }
        assert await run(vera, inside) is None
        await vera.clear_all_memory()
        assert (await client.list(user_id=user_id)).memories == ()
    assert await asyncio.wait_for(vera.call({"command": "view", "path": "/memories"}), 60)
    await vera.close()
