"""Every change as it is announced, as an asynchronous iterator over Kafka."""

import asyncio
import contextlib
import logging
from types import TracebackType
from typing import Self

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import CommitFailedError
from pydantic import ValidationError

from palimpsest.client.kafka_address import KafkaAddress
from palimpsest.client.kafka_connection import (
    call_kafka,
    connect_to_kafka,
    fetch_partitions,
    read_from_end,
)
from palimpsest.client.retries import retry_while_unavailable
from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.kafka_clients import translate_lost_connections
from palimpsest.events.topics import CHANGES, CHANGES_MINIMUM_WAIT_MILLISECONDS

_COMMIT_SECONDS = 1.0

_SESSION_MILLISECONDS = 6_000
# The least that brokers allow. A member that died is replaced after this time.

_log = logging.getLogger(__name__)


class Subscription:
    """Changes, in order for each user. Made by `PalimpsestClient.subscribe`.

    Without a group it reads all partitions, from the moment of entering. With a group its members
    share the partitions, and continue from the group's position (a new group: from the oldest
    change in Kafka). Each change comes at least once. Asking for the next change marks the last one
    as done.
    """

    def __init__(self, address: KafkaAddress, *, group: str | None, timeout_seconds: float) -> None:
        self._address = address
        self._group = group
        self._timeout_seconds = timeout_seconds
        self._consumer: AIOKafkaConsumer | None = None
        self._in_hand: tuple[TopicPartition, int] | None = None
        self._done: dict[TopicPartition, int] = {}
        self._committed_at = 0.0

    async def __aenter__(self) -> Self:
        await retry_while_unavailable(
            self._open, whom=self._address.words, within_seconds=self._timeout_seconds
        )
        return self

    async def __aexit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._consumer is None:
            return
        if error_type is None:
            self._finish_one_in_hand()
        with contextlib.suppress(Exception):
            await self._commit(self._consumer)
        await self._consumer.stop()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> ChangeSetAnnounced:
        if self._consumer is None:
            raise StopAsyncIteration
        self._finish_one_in_hand()
        if asyncio.get_running_loop().time() - self._committed_at > _COMMIT_SECONDS:
            await self._commit(self._consumer)
        while True:
            record = await call_kafka(self._consumer.getone(), self._address)
            self._in_hand = (TopicPartition(record.topic, record.partition), record.offset + 1)
            try:
                return ChangeSetAnnounced.model_validate_json(record.value)
            except ValidationError:
                _log.warning("a change that this version cannot read was passed over")
                self._finish_one_in_hand()

    async def _open(self) -> None:
        translate_lost_connections()
        async with contextlib.AsyncExitStack() as opening:
            consumer = AIOKafkaConsumer(
                bootstrap_servers=self._address.bootstrap_servers,
                **self._address.security.options(),
                group_id=self._group,
                enable_auto_commit=False,
                auto_offset_reset="earliest" if self._group else "latest",
                fetch_max_wait_ms=max(
                    self._address.fetch_maximum_wait_milliseconds, CHANGES_MINIMUM_WAIT_MILLISECONDS
                ),
                session_timeout_ms=_SESSION_MILLISECONDS,
                heartbeat_interval_ms=_SESSION_MILLISECONDS // 6,
            )
            opening.push_async_callback(consumer.stop)
            await connect_to_kafka(consumer.start(), self._address)
            partitions = await fetch_partitions(self._address, CHANGES)
            if self._group is None:
                await call_kafka(read_from_end(consumer, partitions), self._address)
            else:
                consumer.subscribe([self._address.physical(CHANGES)])
            self._consumer = consumer
            opening.pop_all()

    def _finish_one_in_hand(self) -> None:
        if self._in_hand is not None:
            partition, offset = self._in_hand
            self._done[partition] = offset
            self._in_hand = None

    async def _commit(self, consumer: AIOKafkaConsumer) -> None:
        self._committed_at = asyncio.get_running_loop().time()
        if self._group is None or not self._done:
            return
        # Refused after a rebalance: the partition's new owner reads these changes again.
        with contextlib.suppress(CommitFailedError):
            await call_kafka(consumer.commit(self._done), self._address)
        self._done = {}
