"""What a chat service would be told, asked for in a terminal."""

import asyncio
import json

import pytest

from tests.support.journeys.running import RunningPalimpsest
from tests.support.services.host.terminal import ask

pytestmark = pytest.mark.embedded


async def typed(palimpsest: RunningPalimpsest, *arguments: str, user: str = "noa") -> str:
    result = await asyncio.to_thread(ask, palimpsest.instance.http_url, *arguments, user=user)
    assert result.exit_code == 0, result.output
    return result.stdout


async def until_typed(palimpsest: RunningPalimpsest, words: str, *arguments: str) -> str:
    async with asyncio.timeout(60):
        while True:
            said = await typed(palimpsest, *arguments)
            if words in said:
                return said
            await asyncio.sleep(0.2)


async def test_a_question_is_answered_and_explained(palimpsest: RunningPalimpsest) -> None:
    async with palimpsest.client() as client:
        await client.remember("Noa plays the harp", user_id="noa")
        await client.remember("Noa tunes harps", user_id="noa", agent_id="luthier")
    question = "Which instrument does Noa play, the harp?"
    said = await until_typed(palimpsest, "plays the harp", "recall", question)
    assert "tunes" not in said
    assert "dense" not in said
    await until_typed(palimpsest, "tunes harps", "recall", question, "--agent", "luthier")
    assert "dense" in await typed(palimpsest, "recall", question, "--explain")
    found = json.loads(await typed(palimpsest, "recall", question, "--limit", "1", "--json"))
    assert len(found["results"]) == 1
    assert "Noa" in await typed(palimpsest, "recall", question, "--policy", "gated")


async def test_what_stands_in_a_prompt_is_shown(palimpsest: RunningPalimpsest) -> None:
    async with palimpsest.client() as client:
        await client.remember("Noa plays the harp", user_id="noa")
    question = "Does Noa play the harp?"
    said = await until_typed(palimpsest, "plays the harp", "context", question)
    assert "<palimpsest>" not in said
    assert json.loads(await typed(palimpsest, "context", question, "--json"))["block"]
    start = await typed(palimpsest, "context", user="nobody")
    assert start == await typed(palimpsest, "context", "--format", "profile", user="nobody")


async def test_that_there_is_nothing_is_said(palimpsest: RunningPalimpsest) -> None:
    said = await typed(palimpsest, "recall", "What is her favourite tea?", user="nobody")
    assert "--agent" in said
