"""What a bus does while there is no Kafka: at the start, in the middle, at the end."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from palimpsest.events.topics import CONVERSATIONS
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.embedded.embedded_servers import EmbeddedServers
from palimpsest_server.embedded.ports import choose_port
from tests.support.server.delivery.stand import PATIENCE_SECONDS, Heard, Stand, said

pytestmark = pytest.mark.embedded


@pytest.fixture
def port() -> int:
    return choose_port(None)


@pytest.fixture
async def broker(tmp_path: Path, port: int) -> AsyncIterator[EmbeddedServers]:
    """A broker of our own, to be maltreated; not started."""
    servers = EmbeddedServers(tmp_path, broker_port=port)
    yield servers
    for pid in servers.pids.values():
        os.kill(pid, signal.SIGCONT)
    await servers.stop()


@pytest.fixture
async def stand(broker: EmbeddedServers, port: int) -> AsyncIterator[Stand]:
    settings = KafkaSettings(
        bootstrap_servers=f"127.0.0.1:{port}",
        partitions=2,
        fetch_maximum_wait_milliseconds=15,
        session_timeout_milliseconds=2_000,
        idempotent_producer=False,
        publish_timeout_seconds=0.7,
        graceful_timeout_seconds=2,
    )
    async with Stand(settings) as stand:
        yield stand


async def test_a_kafka_that_is_away_at_the_start_is_waited_for(
    broker: EmbeddedServers, stand: Stand
) -> None:
    heard = Heard()
    bus = stand.bus()
    bus.consume(CONVERSATIONS, heard)
    starting = asyncio.create_task(bus.start())
    with pytest.raises(TransientError, match="not been reached"):
        await bus.publisher.publish(CONVERSATIONS, [said("u", 1)])
    with pytest.raises(TransientError, match="not reached Kafka"):
        await bus.check()
    await broker.start(database=False)
    await asyncio.wait_for(starting, PATIENCE_SECONDS)
    await bus.check()
    await bus.publisher.publish(CONVERSATIONS, [said("u", 1)])
    await heard.until(1)


async def test_a_start_that_waits_ends_when_it_is_told_to_stop(stand: Stand) -> None:
    bus = stand.bus()
    starting = asyncio.create_task(bus.start())
    await asyncio.sleep(0)
    await asyncio.wait_for(bus.stop(), 60)
    with pytest.raises(TransientError):
        await starting


def stopped(pid: int) -> None:
    """Stops a process, and returns once all of it stands still."""
    os.kill(pid, signal.SIGSTOP)
    given_up_at = time.monotonic() + 10
    while not all(
        state.read_text().rsplit(")", 1)[1].split()[0] in "Tt"
        for state in Path(f"/proc/{pid}/task").glob("*/stat")
    ):
        assert time.monotonic() < given_up_at
        time.sleep(0.01)


async def test_a_kafka_that_falls_silent_is_said_so_in_time_and_nothing_is_lost(
    broker: EmbeddedServers, stand: Stand
) -> None:
    await broker.start(database=False)
    heard = Heard()
    bus = await stand.consuming(heard)
    await bus.publisher.publish(CONVERSATIONS, [said("u", 1)])
    stopped(broker.pids["broker"])
    loop = asyncio.get_running_loop()
    started = loop.time()
    with pytest.raises(TransientError, match="did not take"):
        await bus.publisher.publish(CONVERSATIONS, [said("u", 2)])
    assert loop.time() - started < 2
    os.kill(broker.pids["broker"], signal.SIGCONT)
    await bus.publisher.publish(CONVERSATIONS, [said("u", 2), said("u", 3)])
    await heard.until(3)


async def test_a_start_after_a_stop_that_was_given_up_publishes_and_reads_again(
    broker: EmbeddedServers, stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    await broker.start(database=False)
    heard = Heard()
    bus = await stand.consuming(heard)
    with monkeypatch.context() as patching:
        patching.setattr(bus.broker, "stop", asyncio.Event().wait)
        await bus._supervisor.stop()
        await bus._leave()
    await bus.start()
    await bus.publisher.publish(CONVERSATIONS, [said("u", 1)])
    await heard.until(1)
    await bus.check()


async def test_stopping_does_not_wait_for_a_kafka_that_is_gone(
    broker: EmbeddedServers, stand: Stand
) -> None:
    await broker.start(database=False)
    bus = await stand.consuming(Heard())
    # Nobody starts it again.
    await broker.supervisor.stop("broker")
    os.kill(broker.pids["broker"], signal.SIGKILL)
    with pytest.raises(TransientError):
        await bus.publisher.publish(CONVERSATIONS, [said("u", 2)])
    with pytest.raises(TransientError):
        await bus.check()
    loop = asyncio.get_running_loop()
    started = loop.time()
    await bus.stop()
    assert loop.time() - started < 10
