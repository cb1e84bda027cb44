"""An agent of the OpenAI Agents SDK keeps its session here, and is remembered by."""

import asyncio
import os
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, cast

import pytest

from palimpsest.client import PalimpsestClient
from tests.support.journeys.running import RunningPalimpsest
from tests.support.lazy_modules import LazyModule

os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"

if TYPE_CHECKING:
    from agents import memory

    from palimpsest.integrations import openai_agents
    from palimpsest.integrations.openai_agents import PalimpsestSession
else:
    memory = LazyModule("agents.memory")
    openai_agents = LazyModule("palimpsest.integrations.openai_agents")

pytestmark = pytest.mark.embedded

CALL: Any = {
    "type": "function_call",
    "call_id": "1",
    "name": "weather",
    "arguments": '{"city": "Rome"}',
}
ITEMS: list[Any] = [
    {"role": "user", "content": "I am allergic to mustard."},
    CALL,
    {"type": "function_call_output", "call_id": "1", "output": "晴，二十度"},
    {"role": "assistant", "content": "Noted."},
    {"role": "developer", "content": "Be brief."},
    {
        "role": "user",
        "content": [{"type": "input_image", "image_url": "https://example.com/a.png"}],
    },
]


@pytest.fixture
async def session(
    palimpsest: RunningPalimpsest, request: pytest.FixtureRequest
) -> AsyncIterator["PalimpsestSession"]:
    pytest.importorskip("agents.memory", reason="the OpenAI Agents SDK is not installed")
    session = openai_agents.PalimpsestSession(
        "monday", user_id=f"agents {request.node.name}", http_url=palimpsest.instance.http_url
    )
    yield session
    await session.close()


async def test_a_session_does_what_a_session_in_a_file_does(session: "PalimpsestSession") -> None:
    own = memory.SQLiteSession("monday")
    assert isinstance(session, memory.Session)
    for each in (own, session):
        assert await each.get_items() == []
        assert await each.pop_item() is None
        await each.add_items(ITEMS[:2])
        await each.add_items(ITEMS[2:])
        await each.add_items([])
    assert await session.get_items() == await own.get_items() == ITEMS
    for limit in (1, 3, 99, 0):
        assert await session.get_items(limit) == await own.get_items(limit)
    for _ in range(2):
        assert await session.pop_item() == await own.pop_item()
    assert await session.get_items() == await own.get_items() == ITEMS[:4]
    session.session_settings = memory.SessionSettings(limit=2)
    assert await session.get_items() == ITEMS[2:4]
    session.session_settings = None
    for each in (own, session):
        await each.clear_session()
        await each.add_items(ITEMS[:1])
    assert await session.get_items() == await own.get_items() == ITEMS[:1]
    own.close()


async def test_what_is_said_in_a_session_is_remembered_and_calls_of_tools_are_not(
    session: "PalimpsestSession", palimpsest: RunningPalimpsest
) -> None:
    reply = {
        "type": "message",
        "id": "msg_1",
        "status": "completed",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Good to know.", "annotations": []}],
    }
    await session.add_items([ITEMS[0], CALL, cast("Any", reply)])
    assert (await session.get_items())[-1] == {"role": "assistant", "content": "Good to know."}
    user_id = session._whose["user_id"]
    async with PalimpsestClient(http_url=palimpsest.instance.http_url) as client:
        async with asyncio.timeout(60):
            while True:
                answer = await client.recall("What am I allergic to?", user_id=user_id)
                if any("mustard" in result.content for result in answer.results):
                    break
                await asyncio.sleep(0.1)
        said = await client.sessions.messages("monday", user_id=user_id)
    assert [turn.role.value for turn in said.messages] == ["user", "tool", "agent"]


async def test_an_item_longer_than_a_message_comes_back_whole(session: "PalimpsestSession") -> None:
    long: list[Any] = [
        {"type": "function_call_output", "call_id": "1", "output": '"晴\\n🌦"' * 30_000},
        {"role": "user", "content": "Read this: " + "tea " * 20_000},
        {"role": "assistant", "content": "Read."},
    ]
    await session.add_items(long)
    assert await session.get_items() == long
    await session.pop_item()
    assert await session.pop_item() == long[1]
    assert await session.get_items() == long[:1]


async def test_an_agent_goes_on_while_its_user_has_memory_switched_off(
    session: "PalimpsestSession", palimpsest: RunningPalimpsest
) -> None:
    async with palimpsest.client() as client:
        await client.set_settings(session._whose["user_id"], memory_enabled=False)
    await session.add_items(ITEMS[:1])
    assert await session.get_items() == []


async def test_messages_of_tools_that_another_program_wrote_are_passed_over(
    session: "PalimpsestSession", palimpsest: RunningPalimpsest
) -> None:
    async with palimpsest.client() as client:
        await client.save_conversation(
            [{"role": "tool", "content": words} for words in ("sunny", "5", "[1]")],
            user_id=session._whose["user_id"],
            session_id="monday",
        )
    await session.add_items(ITEMS[:1])
    assert await session.get_items() == ITEMS[:1]
