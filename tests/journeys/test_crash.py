"""Nothing acknowledged is lost, and nothing happens twice: kill -9 in the middle of it all."""

import asyncio

import pytest

from palimpsest_server.stores.collections import TURNS
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.journeys import talk
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.talking import Talkers, settled, until_equal

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]


async def stored_turns(running: RunningPalimpsest) -> list[tuple[str, str]]:
    database = MongoDatabase(running.instance.mongodb_url, "palimpsest")
    try:
        turns = database.collection(TURNS).find({}, {"user_id": 1, "message_id": 1})
        return [(turn["user_id"], turn["message_id"]) async for turn in turns]
    finally:
        database.close()


async def test_a_run_that_is_killed_ends_where_an_undisturbed_one_does(
    palimpsest: RunningPalimpsest, own_palimpsest: RunningPalimpsest
) -> None:
    undisturbed = Talkers()
    await undisturbed.talk(palimpsest.instance.http_url)
    async with palimpsest.client() as client:
        expected = await settled(client)
    assert expected.total() == talk.USERS * talk.MEMORIES_EACH

    survivor = await own_palimpsest.start()
    disturbed = Talkers()
    talking = asyncio.create_task(disturbed.talk(survivor.instance.http_url))
    await disturbed.enough.wait()
    before = set(disturbed.acknowledged)
    await survivor.kill_with_children()
    await talking
    assert len(disturbed.acknowledged) < talk.USERS * (talk.MESSAGES_EACH + 1)

    await survivor.start()
    assert {turn for turn in before if turn[1] != "end"} <= set(await stored_turns(survivor))
    await disturbed.talk(survivor.instance.http_url)
    turns = await stored_turns(survivor)
    assert len(turns) == len(set(turns)) == talk.USERS * talk.MESSAGES_EACH
    async with survivor.client() as client:
        await until_equal(client, expected)
    assert await survivor.interrupt() == 0
