"""What was said, and what was understood of it, leaves with its user."""

import asyncio

import pytest

from palimpsest.api.exports import ExportedMemory, ExportedTurn, ExportEnded, ExportLine
from tests.support.journeys.running import RunningPalimpsest

pytestmark = pytest.mark.embedded

SAID = [
    {"role": "user", "content": "I live in Porto."},
    {"role": "assistant", "content": "A fine town."},
]


async def test_an_export_holds_what_was_said_and_the_memory_that_rests_on_it(
    palimpsest: RunningPalimpsest,
) -> None:
    async with palimpsest.client() as client:
        await client.save_conversation(
            SAID, user_id="rui", session_id="s", agent_id="guide", ended=True
        )
        lines: list[ExportLine] = []
        async with asyncio.timeout(60):
            while not any(isinstance(line, ExportedMemory) for line in lines):
                await asyncio.sleep(0.2)
                lines = [line async for line in client.export("rui")]
        said = [line.turn for line in lines if isinstance(line, ExportedTurn)]
        (memory,) = [line for line in lines if isinstance(line, ExportedMemory)]
        assert [turn.text for turn in said] == [each["content"] for each in SAID]
        assert "Porto" in memory.memory.content
        assert [evidence.message_id for evidence in memory.memory.evidence] == [said[0].message_id]
        assert memory.history[-1].after.content == memory.memory.content
        ended = lines[-1]
        assert isinstance(ended, ExportEnded)
        assert (ended.counts["memory"], ended.counts["turn"]) == (1, 2)
        agents = (await client.agents("rui")).agents
        assert sum(agent.memories for agent in agents) == 1
