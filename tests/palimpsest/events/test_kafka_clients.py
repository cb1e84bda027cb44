"""A connection that is lost under uvloop."""

import asyncio

import pytest
import uvloop
from aiokafka import conn
from aiokafka.errors import KafkaConnectionError
from aiokafka.protocol.metadata import MetadataRequest

from palimpsest.events.kafka_clients import translate_lost_connections

pytestmark = pytest.mark.embedded


async def send_on_a_lost_connection(bootstrap: str) -> None:
    host, _, port = bootstrap.rpartition(":")
    connection = await conn.create_conn(host, int(port))
    # So that whoever sends is the first to see it, as happens when both come at once.
    connection._read_task.cancel()
    connection._writer.transport.abort()
    await asyncio.sleep(0.01)
    try:
        await connection.send(MetadataRequest([]))
    finally:
        assert not connection.connected()


def test_what_is_sent_on_a_lost_connection_is_refused_as_such(kafka_bootstrap: str) -> None:
    translate_lost_connections()
    with (
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        pytest.raises(KafkaConnectionError, match="was closed"),
    ):
        runner.run(send_on_a_lost_connection(kafka_bootstrap))
