"""Answers over Kafka: reads one partition of `replies`, and hands each record to its waiter."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any
from uuid import uuid4

from aiokafka import AIOKafkaConsumer
from pydantic import Field, TypeAdapter, ValidationError

from palimpsest.api.resources import Problem
from palimpsest.client.errors import NotConnected, ServerFailed
from palimpsest.client.kafka_address import KafkaAddress
from palimpsest.client.kafka_connection import fetch_partitions, read_from_end
from palimpsest.events.recall_exchange import ContextReplied, RecallReplied
from palimpsest.events.topics import REPLIES

CORRELATION_ID_HEADER = "correlation-id"
REPLY_PARTITION_HEADER = "reply-partition"
AUTHORIZATION_HEADER = "authorization"

_READING_AGAIN_SECONDS = 0.5

_WAITING_MILLISECONDS = 1_000
_PASSING_MILLISECONDS = 20
_OTHERS_SECONDS = 0.25
"""The pause between two reads, in seconds, that pass over others' replies while nobody here waits.
"""

_log = logging.getLogger(__name__)

Headers = list[tuple[str, bytes]]

ReplyEvent = RecallReplied | ContextReplied
_REPLY: TypeAdapter[ReplyEvent] = TypeAdapter(Annotated[ReplyEvent, Field(discriminator="type")])

_UNREADABLE = Problem(reason="unreadable_answer", message="the reply is not understood")
_CLOSED = Problem(reason="not_connected", message="the client was closed before the answer came")


@dataclass(frozen=True)
class ExpectedReply:
    correlation_id: str
    headers: Headers
    reply: "asyncio.Future[ReplyEvent]"


class ReplyReader:
    """Reads one random partition from its end at the time of opening.

    Other clients read the same partition. Replies to others, and late replies, are skipped.
    """

    def __init__(self, address: KafkaAddress) -> None:
        self._address = address
        self._waiting: dict[str, asyncio.Future[ReplyEvent]] = {}
        self._asked = asyncio.Event()
        self._consumer: AIOKafkaConsumer | None = None
        self._reading: asyncio.Task[None] | None = None
        self._partition = 0

    async def open(self) -> None:
        self._consumer = AIOKafkaConsumer(
            bootstrap_servers=self._address.bootstrap_servers,
            **self._address.security.options(),
            fetch_max_wait_ms=self._address.fetch_maximum_wait_milliseconds,
            # A broker that lost its log starts at 0 again: only what follows counts.
            auto_offset_reset="latest",
        )
        await self._consumer.start()
        partitions = await fetch_partitions(self._address, REPLIES)
        chosen = random.choice(partitions)  # noqa: S311 - spreads load, guards nothing
        self._partition = chosen.partition
        await read_from_end(self._consumer, [chosen])
        self._keep_reading()

    def _keep_reading(self, ended: "asyncio.Task[None] | None" = None) -> None:
        """Read, and start again whenever reading ends by itself, or else no reply would ever arrive."""
        if self._reading is ended and self._consumer is not None:
            self._reading = asyncio.create_task(self._read(self._consumer), name="replies")
            self._reading.add_done_callback(self._keep_reading)

    async def close(self) -> None:
        reading, self._reading = self._reading, None
        if reading is not None:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading
        if self._consumer is not None:
            await self._consumer.stop()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(NotConnected(_CLOSED))

    @contextlib.contextmanager
    def expect(self) -> Iterator[ExpectedReply]:
        """Yield the headers that identify the reply to a request, and the future of that reply."""
        correlation_id = str(uuid4())
        reply = asyncio.get_running_loop().create_future()
        self._waiting[correlation_id] = reply
        self._asked.set()
        headers = [
            (CORRELATION_ID_HEADER, correlation_id.encode()),
            (REPLY_PARTITION_HEADER, str(self._partition).encode()),
        ]
        try:
            yield ExpectedReply(correlation_id, headers, reply)
        finally:
            del self._waiting[correlation_id]
            reply.cancel()

    async def _read(self, consumer: AIOKafkaConsumer) -> None:
        """Read until cancelled. After an error the broker is read again: more replies may come."""
        while True:
            try:
                await self._read_on(consumer)
            except Exception as error:  # noqa: BLE001 - whatever it was, replies go on coming
                _log.warning("replies can't be read: %s", type(error).__name__)
            await asyncio.sleep(_READING_AGAIN_SECONDS)

    async def _read_on(self, consumer: AIOKafkaConsumer) -> None:
        while True:
            waited = _WAITING_MILLISECONDS if self._waiting else _PASSING_MILLISECONDS
            by_partition = await consumer.getmany(timeout_ms=waited)
            for record in chain.from_iterable(by_partition.values()):
                self._take(record)
            if not self._waiting:
                # A broker that wakes no waiting fetch is asked again and again, for nothing here.
                consumer.pause(*consumer.assignment())
                await self._until_asked()
                consumer.resume(*consumer.assignment())

    async def _until_asked(self) -> None:
        self._asked.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_OTHERS_SECONDS):
                await self._asked.wait()

    def _take(self, record: Any) -> None:
        correlation_id = dict(record.headers).get(CORRELATION_ID_HEADER, b"")
        reply = self._waiting.get(correlation_id.decode(errors="replace"))
        if reply is None or reply.done():
            return
        try:
            reply.set_result(_REPLY.validate_json(record.value or b""))
        except ValidationError:
            reply.set_exception(ServerFailed(_UNREADABLE))
