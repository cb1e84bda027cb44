"""Nothing by itself: what was said is extracted when asked for, and counts once it is confirmed."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palimpsest.client import Message, NotFound, PalimpsestClient
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.memory import Status
from palimpsest.model.turn import Role
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.waiting import until_listed

pytestmark = pytest.mark.embedded

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
SAID = ("I am allergic to peanuts.", "I moved to Porto.")


async def until_changed(client: PalimpsestClient, change_set_id: str, user_id: str) -> ChangeSet:
    async with asyncio.timeout(60):
        while True:
            try:
                return await client.change(change_set_id, user_id=user_id)
            except NotFound:
                await asyncio.sleep(0.05)


@pytest.mark.parametrize("settings", [{"automatic_extraction": False}, {"review": "all"}])
async def test_what_was_said_waits_to_be_asked_for_and_to_be_confirmed(
    palimpsest: RunningPalimpsest, settings: dict[str, Any]
) -> None:
    user_id = f"ivy-{next(iter(settings))}"
    async with palimpsest.client() as client:
        await client.set_settings(user_id, **settings)
        await client.save_conversation(
            [
                Message(
                    message_id=f"m{number}",
                    role=Role.USER,
                    text=text,
                    occurred_at=NOON + timedelta(minutes=number),
                )
                for number, text in enumerate(SAID)
            ],
            user_id=user_id,
            session_id="s",
        )
        started = await client.extract("s", user_id=user_id)
        assert started == await client.extract("s", user_id=user_id)
        assert (started.turns, started.on_their_way) == (2, 0)
        [window] = started.windows
        assert window.change_set_id is not None
        change = await until_changed(client, window.change_set_id, user_id)
        assert change.memory_changes
        assert {memory_change.after.status for memory_change in change.memory_changes} == {
            Status.PENDING
        }

        # What was decided is to be read before all of it is applied.
        contents = {memory_change.after.content for memory_change in change.memory_changes}
        pending = await until_listed(client, user_id, contents, Status.PENDING)
        recalled = await client.recall("peanuts", user_id=user_id, records=["memory"])
        assert recalled.results == ()
        [peanuts] = [memory for content, memory in pending.items() if "peanuts" in content]
        await client.confirm(peanuts.id, user_id=user_id)
        await until_listed(client, user_id, {peanuts.content}, Status.ACTIVE)
        recalled = await client.recall("peanuts", user_id=user_id, records=["memory"])
        assert [result.id for result in recalled.results] == [peanuts.id]
