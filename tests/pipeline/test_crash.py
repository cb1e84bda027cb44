"""Nothing acknowledged is lost, and nothing happens twice: kill -9 in the middle of it all."""

import asyncio
from datetime import UTC, datetime

import pytest

from palimpsest.contracts.collections import TURNS
from palimpsest.contracts.commands import PinMemory
from palimpsest.domain.memory import Status
from palimpsest.stores.mongo import MongoDatabase
from tests.pipeline import talk
from tests.pipeline.republishing import TOPICS, Topics
from tests.pipeline.running import RunningPalimpsest
from tests.pipeline.talking import Talkers, settled, until_equal
from tests.pipeline.waiting import until_listed

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


async def test_whole_topics_published_again_change_nothing(palimpsest: RunningPalimpsest) -> None:
    running = palimpsest.instance
    await Talkers(users=2).talk(running.http_url)
    async with palimpsest.client(kafka=True) as client:
        await client.remember("Alan runs along the river", user_id="alan")
        found = await until_listed(client, "alan", {"Alan runs along the river"}, Status.ACTIVE)
        (memory,) = found.values()
        pin = PinMemory(occurred_at=datetime.now(UTC), user_id="alan", memory_id=memory.id)
        async with client.subscribe() as changes:
            pinned = await client.command(pin)
            async for change in changes:
                if change.change_set.cause.event_id == pinned:
                    break
        await client.recall("Where does Alan run?", user_id="alan")
    database = MongoDatabase(running.mongodb_url, "palimpsest")
    async with Topics.at(running.kafka_bootstrap_servers) as topics:
        before = await topics.at_rest(database)
        assert found["Alan runs along the river"].id in before["memories"]
        assert before["recalls"]
        for topic in TOPICS:
            assert await topics.publish_again(topic) > 0
            assert await topics.at_rest(database) == before, topic.name
    database.close()
