"""What is forgotten or purged is out of sight from the answer on, with the message it came from."""

import asyncio
from typing import Any

import httpx
import pytest

from palimpsest.client import PalimpsestClient
from palimpsest.events.conversations import MessageAdded, SessionEnded
from palimpsest.model.memory import Memory, Status
from palimpsest.model.turn import Role
from tests.support.journeys.erasing import until_obeyed
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.telling import NOON
from tests.support.journeys.waiting import until_recalled

pytestmark = [pytest.mark.embedded, pytest.mark.asyncio(loop_scope="session")]

SAID = {"en": "I am allergic to peanuts.", "zh": "我对花生过敏。"}
ASKED = {"en": "What am I allergic to?", "zh": "我对什么过敏？"}


def message(user: str, text: str) -> MessageAdded:
    return MessageAdded(
        occurred_at=NOON, user_id=user, session_id="s", message_id="m1", role=Role.USER, text=text
    )


async def told(client: PalimpsestClient, user: str, text: str) -> Memory:
    """The one memory that somebody's one message has become."""
    ended = SessionEnded(occurred_at=NOON, user_id=user, session_id="s")
    await client.publish([message(user, text), ended])
    await until_recalled(client, text, user, "m1")
    for _ in range(600):
        listed = await client.list(user_id=user, status=[Status.ACTIVE])
        if listed.memories:
            return listed.memories[0]
        await asyncio.sleep(0.1)
    raise AssertionError(f"nothing was remembered of {text}")


async def shown(client: PalimpsestClient, user: str, question: str) -> str:
    recalled = await client.recall(question, user_id=user, preview=True)
    context = await client.context(question, user_id=user)
    return "\n".join([*(result.content for result in recalled.results), context.block])


def speaks(text: str) -> bool:
    return "peanuts" in text or "花生" in text


@pytest.mark.parametrize("language", SAID)
async def test_what_is_forgotten_is_out_of_sight_until_it_is_restored(
    palimpsest: RunningPalimpsest, language: str
) -> None:
    user, question = f"forgets-one-{language}", ASKED[language]
    async with palimpsest.client() as client:
        memory = await told(client, user, SAID[language])
        assert speaks(await shown(client, user, question))
        forgotten = await client.forget(memory.id, user_id=user)
        assert forgotten.applied
        assert not speaks(await shown(client, user, question))
        await client.restore(memory.id, user_id=user)
        assert speaks(await shown(client, user, question))
        assert forgotten.change_set_id is not None


@pytest.mark.parametrize("language", SAID)
async def test_what_is_purged_is_gone_with_its_message_and_does_not_come_back(
    palimpsest: RunningPalimpsest, language: str
) -> None:
    user, question = f"purges-one-{language}", ASKED[language]
    async with palimpsest.client() as client:
        memory = await told(client, user, SAID[language])
        look = await client.purge(memory.id, user_id=user, dry_run=True)
        assert look.would_go == {"memories": 1, "turns": 1}
        assert (await client.purge(memory.id, user_id=user)).applied
        assert not speaks(await shown(client, user, question))
        await until_obeyed(palimpsest.instance, user)
        assert not speaks(await shown(client, user, question))
        again = await sent(palimpsest, message(user, SAID[language]))
        assert (again["status"], again["outcome"]) == (202, "duplicate")
        assert not speaks(await shown(client, user, question))


async def sent(palimpsest: RunningPalimpsest, event: MessageAdded) -> dict[str, Any]:
    async with httpx.AsyncClient(
        base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
    ) as http:
        body = event.model_dump(mode="json", exclude_defaults=True)
        answer = await http.post("/v1/events", json={"type": "MessageAdded", **body})
        found: dict[str, Any] = answer.json()
        return found
