"""An agent of Pydantic AI knows what was said in its earlier runs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from palimpsest.client import NotFound, PalimpsestClient
from palimpsest.model.turn import Turn
from tests.support.journeys.running import RunningPalimpsest
from tests.support.lazy_modules import LazyModule

if TYPE_CHECKING:
    import pydantic_ai
    from pydantic_ai import messages as parts
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import function
    from pydantic_ai.models.function import AgentInfo

    from palimpsest.integrations import pydantic_ai as ours
    from palimpsest.integrations.pydantic_ai import PalimpsestMemory
else:
    pydantic_ai = LazyModule("pydantic_ai")
    parts = LazyModule("pydantic_ai.messages")
    function = LazyModule("pydantic_ai.models.function")
    ours = LazyModule("palimpsest.integrations.pydantic_ai")

pytestmark = pytest.mark.embedded


@pytest.fixture(autouse=True)
def framework() -> None:
    pytest.importorskip("pydantic_ai", reason="Pydantic AI is not installed")


@pytest.fixture
async def memory(
    palimpsest: RunningPalimpsest, request: pytest.FixtureRequest
) -> AsyncIterator["PalimpsestMemory"]:
    memory = ours.PalimpsestMemory(
        user_id=f"pydantic {request.node.name}", http_url=palimpsest.instance.http_url
    )
    yield memory
    await asyncio.to_thread(memory.close)


def say_instructions(messages: "list[ModelMessage]", info: "AgentInfo") -> "ModelResponse":
    return parts.ModelResponse(parts=[parts.TextPart(info.instructions or "nothing is known")])


async def until_said(client: PalimpsestClient, user_id: str, *, messages: int) -> list[Turn]:
    """Wait for the messages: a run does not wait until they can be read."""
    async with asyncio.timeout(30):
        while True:
            with suppress(NotFound):
                said = (await client.sessions.messages("lunch", user_id=user_id)).messages
                if len(said) == messages:
                    return list(said)
            await asyncio.sleep(0.05)


async def test_what_was_remembered_stands_in_the_instructions_and_what_is_said_is_kept(
    memory: "PalimpsestMemory", palimpsest: RunningPalimpsest
) -> None:
    agent = pydantic_ai.Agent(function.FunctionModel(say_instructions), capabilities=[memory])
    await memory.remember("The user is allergic to lupins")
    result = await agent.run("What am I allergic to?", conversation_id="lunch")
    assert "lupins" in result.output
    async with PalimpsestClient(http_url=palimpsest.instance.http_url) as client:
        said = await until_said(client, memory.user_id, messages=2)
    assert [turn.role.value for turn in said] == ["user", "agent"]
    assert said[0].text == "What am I allergic to?"


async def test_the_model_remembers_and_recalls_with_tools(memory: "PalimpsestMemory") -> None:
    def call_tools(messages: "list[ModelMessage]", info: "AgentInfo") -> "ModelResponse":
        assert {tool.name for tool in info.function_tools} == {"remember", "recall"}
        returned = [
            part
            for message in messages
            if isinstance(message, parts.ModelRequest)
            for part in message.parts
            if isinstance(part, parts.ToolReturnPart)
        ]
        if not returned:
            told = {"content": "The user plays the oboe"}
            return parts.ModelResponse(parts=[parts.ToolCallPart("remember", told)])
        if len(returned) == 1:
            asked = {"query": "Which instrument does the user play?"}
            return parts.ModelResponse(parts=[parts.ToolCallPart("recall", asked)])
        return parts.ModelResponse(parts=[parts.TextPart(str(returned[-1].content))])

    agent = pydantic_ai.Agent(function.FunctionModel(call_tools), capabilities=[memory])
    assert "oboe" in (await agent.run("I play the oboe.")).output


async def test_an_agent_runs_on_where_memory_does_not_answer() -> None:
    away = ours.PalimpsestMemory(
        user_id="pydantic", http_url="http://127.0.0.1:9", api_key="secret", timeout_seconds=0.1
    )
    agent = pydantic_ai.Agent(function.FunctionModel(say_instructions), capabilities=[away])
    assert "secret" not in repr(away)
    assert (await agent.run("Hello?")).output == "nothing is known"
    await asyncio.to_thread(away.close)
