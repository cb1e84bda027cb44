"""A conversation of several agents: each has what was said to it, all have what is general."""

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.client import Message, PalimpsestClient
from palimpsest.model.memory import Status
from palimpsest.model.turn import Role
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.waiting import until_listed

pytestmark = pytest.mark.embedded

MORNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SAID = (
    (Role.AGENT, "coder", None, "The build is green."),
    (Role.AGENT, "assistant-1", "小助手", "早上好。"),
    (Role.USER, None, None, "@coder 回答简短一点。"),
    (Role.USER, None, None, "小助手，以后都用中文回答。"),
    (Role.USER, None, None, "小助手，我对花生过敏。"),
)


async def contents(client: PalimpsestClient, agent_id: str) -> set[str]:
    found = await client.list(user_id="ines", agent_id=agent_id)
    return {memory.content for memory in found.memories}


async def test_each_agent_has_its_own_and_what_is_general(palimpsest: RunningPalimpsest) -> None:
    messages = [
        Message(
            message_id=f"m{number}",
            role=role,
            agent_id=agent_id,
            speaker=speaker,
            text=text,
            occurred_at=MORNING + timedelta(minutes=number),
        )
        for number, (role, agent_id, speaker, text) in enumerate(SAID)
    ]
    async with palimpsest.client() as client:
        await client.save_conversation(messages, user_id="ines", session_id="s", ended=True)
        general, short, chinese = "用户对花生过敏", "用户希望回答简短", "用户希望用中文回答"
        await until_listed(
            client, "ines", {general, chinese}, Status.ACTIVE, agent_id="assistant-1"
        )
        await until_listed(client, "ines", {general, short}, Status.ACTIVE, agent_id="coder")
        assert short not in await contents(client, "assistant-1")
        assert chinese not in await contents(client, "coder")
