"""The feed of changes outlives whatever happens to its consumer."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer
from structlog.testing import capture_logs

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.topics import CHANGES
from palimpsest_server.delivery.connection_settings import KafkaSettings
from tests.support.eventually import eventually
from tests.support.server.delivery.stand import Stand, change

pytestmark = pytest.mark.embedded


@pytest.fixture
async def stand(kafka_bootstrap: str, topic_prefix: str) -> AsyncIterator[Stand]:
    settings = KafkaSettings(
        bootstrap_servers=kafka_bootstrap,
        topic_prefix=topic_prefix,
        partitions=2,
        fetch_maximum_wait_milliseconds=15,
        idempotent_producer=False,
    )
    async with Stand(settings) as stand:
        yield stand


async def test_a_reader_that_dies_is_replaced_says_so_once_and_misses_nothing(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    deaths: list[AIOKafkaConsumer] = []
    fetch = AIOKafkaConsumer.getmany

    async def listen(event: ChangeSetAnnounced) -> None:
        seen.append(event.event_id)

    async def die(consumer: AIOKafkaConsumer, **options: Any) -> Any:
        if len(deaths) == 2:
            return await fetch(consumer, **options)
        if not deaths:
            await bus.publisher.publish(CHANGES, meanwhile)
        deaths.append(consumer)
        raise RuntimeError("a bug of somebody else's")

    bus = stand.bus()
    bus.changes.listen(listen)
    await bus.start()
    before = [change(f"before-{number}", f"user-{number}") for number in range(5)]
    meanwhile = [change(f"meanwhile-{number}", f"user-{number}") for number in range(5)]
    await bus.publisher.publish(CHANGES, before)
    await eventually(lambda: len(seen) == len(before))
    with capture_logs() as logs:
        monkeypatch.setattr(AIOKafkaConsumer, "getmany", die)
        await eventually(lambda: len(seen) == len(before) + len(meanwhile))

    assert sorted(seen) == sorted(event.event_id for event in (*before, *meanwhile))
    assert len(set(deaths)) == 2
    assert [log["error"] for log in logs if log["log_level"] == "warning"] == ["RuntimeError"]
    await bus.check()
