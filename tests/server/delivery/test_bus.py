"""The bus on the embedded broker."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.connection_settings import KafkaSettings
from tests.contracts.bus_contract import BusContract
from tests.support.eventually import eventually
from tests.support.server.delivery.stand import Stand

pytestmark = pytest.mark.embedded


@pytest.fixture
async def stand(kafka_bootstrap: str, topic_prefix: str) -> AsyncIterator[Stand]:
    settings = KafkaSettings(
        bootstrap_servers=kafka_bootstrap,
        topic_prefix=topic_prefix,
        partitions=4,
        fetch_maximum_wait_milliseconds=15,
        # This broker has a group wait for half of it before anybody may begin.
        session_timeout_milliseconds=2_000,
        rebalance_timeout_milliseconds=4_000,
        idempotent_producer=False,
        graceful_timeout_seconds=5,
    )
    async with Stand(settings) as stand:
        yield stand


class TestBusOnTheEmbeddedBroker(BusContract):
    pass


@pytest.mark.parametrize("name", ["the bus of ingest: lag", "the feed of changes: reading"])
async def test_a_task_that_ends_fails_readiness_and_is_started_again(
    stand: Stand, name: str
) -> None:
    async def ignore(_: ChangeSetAnnounced) -> None: ...

    def running() -> list[asyncio.Task[Any]]:
        return [task for task in asyncio.all_tasks() if task.get_name() == name]

    bus = stand.bus()
    bus.changes.listen(ignore)
    await bus.start()
    await bus.check()
    (task,) = running()
    await asyncio.sleep(0)
    with capture_logs() as lines:
        task.cancel()
        await asyncio.wait([task])
        with pytest.raises(TransientError, match=name.partition(": ")[2]):
            await bus.check()
        await eventually(running)
    assert [line["task"] for line in lines if "task" in line] == [name.partition(": ")[2]]
    await bus.check()
