"""Whatever is published a second time changes nothing, whole topics of it."""

from datetime import UTC, datetime

import pytest

from palimpsest.events.commands import PinMemory
from palimpsest.model.memory import Status
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.journeys.republishing import TOPICS, Topics
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.talking import Talkers
from tests.support.journeys.waiting import until_listed

pytestmark = pytest.mark.embedded


async def test_whole_topics_published_again_change_nothing(
    own_palimpsest: RunningPalimpsest,
) -> None:
    # Of its own: what others have said is still on its way for some time.
    palimpsest = await own_palimpsest.start()
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
