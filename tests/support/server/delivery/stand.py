"""Buses on one Kafka for a test, what is said on them, and who hears it."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from prometheus_client import CollectorRegistry

from palimpsest.api.recall import RecallRequest
from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.conversations import MessageAdded
from palimpsest.events.envelope import Event
from palimpsest.events.recall_exchange import RecallRequested
from palimpsest.events.topics import CONVERSATIONS, Topic
from palimpsest.model.change_set import Cause, ChangeSet
from palimpsest.model.clock import system_clock
from palimpsest.model.errors import TransientError
from palimpsest.model.turn import Role
from palimpsest_language.redaction.redactor import redact
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.stage import BatchHandler, EventRejection
from palimpsest_server.stores.dead_letters import DeadLetter, InMemoryDeadLetters

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
PATIENCE_SECONDS = 30


def said(user: str, number: int, text: str = "早上好, good morning") -> MessageAdded:
    return MessageAdded(
        event_id=f"{user}-{number}",
        occurred_at=NOON,
        received_at=NOON,
        user_id=user,
        session_id="s",
        message_id=str(number),
        role=Role.USER,
        text=text,
    )


def asking(query: str, deadline: datetime | None = None) -> RecallRequested:
    return RecallRequested(
        event_id="e",
        occurred_at=NOON,
        user_id="u",
        request=RecallRequest(user_id="u", query=query),
        deadline=deadline or datetime.now(UTC) + timedelta(minutes=1),
    )


def change(event_id: str, user: str) -> ChangeSetAnnounced:
    change_set = ChangeSet(
        id=event_id,
        user_id=user,
        revision=1,
        epoch=0,
        cause=Cause(event_id=event_id, type="MessageAdded", occurred_at=NOON, received_at=NOON),
        actor="test",
        reason="test",
        decided_at=NOON,
        changes=(),
    )
    return ChangeSetAnnounced(
        event_id=event_id, occurred_at=NOON, user_id=user, change_set=change_set
    )


class Heard:
    """A handler that remembers, and lets a test wait for what it heard."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._more = asyncio.Condition()

    async def __call__(self, events: Sequence[Event]) -> Sequence[EventRejection]:
        async with self._more:
            self.ids += [event.event_id for event in events]
            self._more.notify_all()
        return ()

    async def until(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS), self._more:
            await self._more.wait_for(lambda: len(set(self.ids)) >= count)


class Announced(InMemoryDeadLetters):
    """Dead letters, and a way to wait for them."""

    def __init__(self) -> None:
        super().__init__()
        self.away = False
        self.refused = asyncio.Event()
        self._more = asyncio.Condition()

    async def put(self, letters: Sequence[DeadLetter]) -> None:
        if self.away:
            self.refused.set()
            raise TransientError("MongoDB is away")
        await super().put(letters)
        async with self._more:
            self._more.notify_all()

    async def until(self, count: int) -> list[DeadLetter]:
        async with asyncio.timeout(PATIENCE_SECONDS), self._more:
            while len(letters := await self.list()) < count:
                await self._more.wait()
        return sorted(letters, key=lambda letter: (letter.partition, letter.offset))


class Stand:
    """Buses on one Kafka, with the letters they set aside; all stopped in the end."""

    def __init__(self, settings: KafkaSettings) -> None:
        self.settings = settings
        self.letters = Announced()
        self.registry = CollectorRegistry()
        self._buses: list[Bus] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(bus.stop() for bus in self._buses))

    def bus(self, service: str = "ingest") -> Bus:
        bus = Bus(
            service,
            settings=self.settings,
            dead_letters=self.letters,
            registry=self.registry,
            clock=system_clock,
            redact=lambda text: redact(text).text,
        )
        self._buses.append(bus)
        return bus

    async def consuming(
        self,
        handle: BatchHandler,
        topic: Topic = CONVERSATIONS,
        *,
        batch_interval_seconds: float = 0.0,
    ) -> Bus:
        bus = self.bus()
        bus.consume(topic, handle, batch_interval_seconds=batch_interval_seconds)
        await bus.start()
        return bus

    async def send(self, topic: Topic, *values: bytes, user: str = "u", **headers: str) -> None:
        """Bytes as they are, as somebody else's client might send them."""
        producer = AIOKafkaProducer(
            bootstrap_servers=self.settings.bootstrap_servers,
            max_request_size=16 * 1024 * 1024,
        )
        await producer.start()
        try:
            for value in values:
                await producer.send_and_wait(
                    self.settings.physical(topic),
                    value,
                    key=user.encode(),
                    headers=[
                        (name.replace("_", "-"), text.encode()) for name, text in headers.items()
                    ],
                )
        finally:
            await producer.stop()

    async def read(self, topic: Topic, count: int) -> list[Any]:
        """The first records of a topic, from all its partitions."""
        consumer = AIOKafkaConsumer(
            self.settings.physical(topic),
            bootstrap_servers=self.settings.bootstrap_servers,
            auto_offset_reset="earliest",
            fetch_max_wait_ms=20,
        )
        await consumer.start()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return [await consumer.getone() for _ in range(count)]
        finally:
            await consumer.stop()

    async def committed(self, topic: Topic, service: str = "ingest") -> int:
        """How many records the service's group has put behind it."""
        consumer = AIOKafkaConsumer(
            bootstrap_servers=self.settings.bootstrap_servers,
            group_id=self.settings.topic_prefix + service,
        )
        await consumer.start()
        try:
            offsets = [
                await consumer.committed(TopicPartition(self.settings.physical(topic), number))
                for number in range(self.settings.partitions or topic.partitions)
            ]
        finally:
            await consumer.stop()
        return sum(offset or 0 for offset in offsets)
