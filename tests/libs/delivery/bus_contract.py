"""What a bus promises, held against every Kafka there is: embedded here, Apache's in `tests/stack`."""

import asyncio
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from prometheus_client import CollectorRegistry

from palimpsest.contracts.envelope import Event
from palimpsest.contracts.events import ChangeSetAnnounced, DeadLetterAnnounced, MessageAdded
from palimpsest.contracts.recall import (
    RecallReplied,
    RecallRequest,
    RecallRequested,
    RecallResponse,
)
from palimpsest.contracts.topics import (
    CHANGES,
    CONVERSATIONS,
    DEAD_LETTERS,
    RECALL_REQUESTS,
    REPLIES,
    Topic,
)
from palimpsest.delivery.answering import Asked, Replied
from palimpsest.delivery.bus import Bus
from palimpsest.delivery.connection import KafkaSettings
from palimpsest.delivery.decoding import decode
from palimpsest.delivery.kafka_publisher import encode
from palimpsest.delivery.replay import replay_dead_letters
from palimpsest.delivery.stage import Handler, Rejection
from palimpsest.domain.change_set import Cause, ChangeSet
from palimpsest.domain.clock import system_clock
from palimpsest.domain.errors import NotFound, PermanentError, TransientError
from palimpsest.domain.privacy.redaction import redact
from palimpsest.domain.turn import Role
from palimpsest.stores.dead_letters import DeadLetter, DeadLetterState, MemoryDeadLetters

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


class Heard:
    """A handler that remembers, and lets a test wait for what it heard."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._more = asyncio.Condition()

    async def __call__(self, events: Sequence[Event]) -> Sequence[Rejection]:
        async with self._more:
            self.ids += [event.event_id for event in events]
            self._more.notify_all()
        return ()

    async def until(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS), self._more:
            await self._more.wait_for(lambda: len(set(self.ids)) >= count)


class Announced(MemoryDeadLetters):
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

    async def consuming(self, handle: Handler, topic: Topic = CONVERSATIONS) -> Bus:
        bus = self.bus()
        bus.consume(topic, handle)
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


class BusContract:
    async def test_everything_said_is_handled_in_the_order_each_user_said_it(
        self, stand: Stand
    ) -> None:
        heard = Heard()
        bus = await stand.consuming(heard)
        events = [said(f"user-{number % 7}", number) for number in range(700)]
        for start in range(0, 700, 100):
            await bus.publisher.publish(CONVERSATIONS, events[start : start + 100])
        await heard.until(700)
        by_user = defaultdict(list)
        for event_id in heard.ids:
            user, _, number = event_id.rpartition("-")
            by_user[user].append(int(number))
        assert all(numbers == sorted(numbers) for numbers in by_user.values())
        assert len(by_user) == 7

    async def test_poison_is_set_aside_alone_and_the_rest_goes_on_in_order(
        self, stand: Stand
    ) -> None:
        heard = Heard()

        async def handle(events: Sequence[Event]) -> Sequence[Rejection]:
            for event in events:
                if event.event_id == "u-11":
                    raise ZeroDivisionError("a bug, quoting a secret")
                if event.event_id == "u-17":
                    raise PermanentError("it can't be done")
            await heard(events)
            return [
                Rejection(event, NotFound("nothing there"))
                for event in events
                if event.event_id == "u-23"
            ]

        bus = await stand.consuming(handle)
        await bus.publisher.publish(CONVERSATIONS, [said("u", number) for number in range(30)])
        letters = await stand.letters.until(3)
        await heard.until(28)
        assert heard.ids == [f"u-{number}" for number in range(30) if number not in (11, 17)]
        assert [(letter.event_id, letter.reason) for letter in letters] == [
            ("u-11", "unexpected"),
            ("u-17", "permanent"),
            ("u-23", "not_found"),
        ]
        assert letters[0].message.startswith("ZeroDivisionError at bus_contract.py:")
        assert all(
            letter.stage == "ingest" and letter.topic == "conversations" for letter in letters
        )
        announced = [
            decode(DEAD_LETTERS, record.value) for record in await stand.read(DEAD_LETTERS, 3)
        ]
        assert all(isinstance(event, DeadLetterAnnounced) for event in announced)
        assert not any(b"morning" in encode(event) for event in announced)

    async def test_bad_bytes_are_set_aside_with_the_reason_and_the_service_goes_on(
        self, stand: Stand
    ) -> None:
        heard = Heard()
        bus = await stand.consuming(heard)
        secret = "password: hunter2hunter2"
        fields = json.loads(encode(said("u", 1, secret)))
        await stand.send(
            CONVERSATIONS,
            b'{"type": "MessageAdded", "text": "password: hunter2hunter2',
            json.dumps(fields | {"type": "NoSuchThing"}).encode(),
            json.dumps(fields | {"schema_version": 2}).encode(),
            json.dumps(fields | {"session_id": "a\u0007b"}).encode(),
            json.dumps(fields | {"user_id": "x" * 257}).encode(),
            json.dumps(fields | {"text": "  "}).encode(),
            json.dumps(fields | {"text": "好" * 30_000}).encode(),
            json.dumps(fields | {"occurred_at": "2026-03-02T12:00:00"}).encode(),
            b"\xff\xfe\x00",
        )
        await stand.send(CONVERSATIONS, encode(said("u", 2)), event_type="\u0007")
        await heard.until(1)
        letters = await stand.letters.until(9)
        assert [letter.reason for letter in letters] == [
            "undecodable",
            "unknown_type",
            "unknown_major",
            "invalid_event",
            "invalid_event",
            "invalid_event",
            "too_large",
            "invalid_event",
            "undecodable",
        ]
        assert "occurred_at" in letters[7].message
        assert not any("hunter2" in letter.body for letter in letters)
        assert [letter.replayable for letter in letters].count(False) == 3
        await bus.check()

    async def test_a_transient_failure_is_waited_out_and_nothing_is_lost_or_overtaken(
        self, stand: Stand
    ) -> None:
        heard = Heard()
        calls: list[int] = []

        async def handle(events: Sequence[Event]) -> Sequence[Rejection]:
            calls.append(len(events))
            if len(calls) <= 3:
                raise TransientError("MongoDB elects a leader")
            return await heard(events)

        bus = await stand.consuming(handle)
        await bus.publisher.publish(CONVERSATIONS, [said("u", number) for number in range(20)])
        await heard.until(20)
        assert heard.ids == [f"u-{number}" for number in range(20)]
        assert calls[0] == calls[1] == calls[2] == calls[3]
        assert await stand.letters.list() == []

    async def test_nothing_is_committed_while_the_dead_letter_is_not_kept(
        self, stand: Stand
    ) -> None:
        heard = Heard()
        stand.letters.away = True
        await stand.consuming(heard)
        await stand.send(CONVERSATIONS, b"no json", encode(said("u", 1)))
        await asyncio.wait_for(stand.letters.refused.wait(), PATIENCE_SECONDS)
        assert await stand.committed(CONVERSATIONS) == 0
        stand.letters.away = False
        await heard.until(1)
        assert len(await stand.letters.until(1)) == 1

    async def test_a_process_killed_between_handling_and_commit_is_given_the_batch_again(
        self, stand: Stand, tmp_path: Path
    ) -> None:
        publishing = stand.bus("chat")
        await publishing.start()
        await publishing.publisher.publish(CONVERSATIONS, [said("u", n) for n in range(10)])
        handled = tmp_path / "handled"
        killed = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "tests.libs.delivery.dying_consumer", str(handled)],
            input=_as_json(stand.settings),
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        assert killed.returncode == -9
        assert handled.read_text().split() == [f"u-{number}" for number in range(10)]
        heard = Heard()
        await stand.consuming(heard)
        await heard.until(10)
        assert heard.ids == [f"u-{number}" for number in range(10)]

    async def test_a_dead_letter_is_replayed_to_its_topic_and_handled(self, stand: Stand) -> None:
        heard = Heard()
        broken = True

        async def handle(events: Sequence[Event]) -> Sequence[Rejection]:
            if broken:
                raise PermanentError("not yet understood")
            return await heard(events)

        bus = await stand.consuming(handle)
        await bus.publisher.publish(CONVERSATIONS, [said("u", 1), said("u", 2)])
        letters = await stand.letters.until(2)
        rehearsed = await replay_dead_letters(
            stand.letters, bus.publisher, clock=system_clock, dry_run=True
        )
        assert [letter.id for letter in rehearsed.replayed] == [letter.id for letter in letters]
        broken = False
        await replay_dead_letters(stand.letters, bus.publisher, clock=system_clock)
        await heard.until(2)
        assert heard.ids == ["u-1", "u-2"]
        assert len(await stand.letters.list(state=DeadLetterState.REPLAYED)) == 2

    async def test_requests_over_kafka_are_answered_where_they_ask_errors_included(
        self, stand: Stand
    ) -> None:
        async def answer(request: Asked) -> Replied:
            if request.request.query == "broken":
                raise ZeroDivisionError
            if request.request.query == "away":
                raise TransientError("Qdrant is away")
            return RecallReplied(
                event_id=request.event_id,
                occurred_at=NOON,
                user_id=request.user_id,
                response=RecallResponse(recall_id="r", results=(), took_ms=1),
            )

        bus = stand.bus("recall")
        bus.answer(answer)
        await bus.start()
        partition = 2

        async def ask(number: int, value: bytes) -> None:
            await stand.send(
                RECALL_REQUESTS, value, correlation_id=f"c{number}", reply_partition=str(partition)
            )

        await ask(1, encode(asking("fine")))
        await ask(2, encode(asking("broken")))
        await ask(3, encode(asking("away")))
        await ask(4, encode(asking("fine", deadline=NOON)))
        await ask(5, encode(asking("fine")).replace(b'"query":"fine"', b'"query":""'))
        await stand.send(RECALL_REQUESTS, encode(asking("fine")), correlation_id="nowhere")
        await ask(6, encode(asking("fine")))
        replies = {}
        for record in await stand.read(REPLIES, 5):
            assert record.partition == partition
            headers = dict(record.headers)
            replies[headers["correlation-id"].decode()] = decode(REPLIES, record.value)
        assert sorted(replies) == ["c1", "c2", "c3", "c5", "c6"]
        outcomes = {}
        for correlation, reply in replies.items():
            assert isinstance(reply, RecallReplied)
            outcomes[correlation] = reply.error.status if reply.error else 200
        assert outcomes == {"c1": 200, "c2": 500, "c3": 503, "c5": 422, "c6": 200}
        late = stand.registry.get_sample_value(
            "palimpsest_stage_replies_total", {"stage": "recall", "outcome": "deadline_passed"}
        )
        assert late == 1

    async def test_the_feed_of_changes_begins_where_start_returned_and_misses_nothing(
        self, stand: Stand
    ) -> None:
        writer = stand.bus("consolidator")
        await writer.start()
        await writer.publisher.publish(CHANGES, [change("before", "u1"), change("before", "u2")])
        seen: list[str] = []
        enough = asyncio.Event()

        async def failing(_event: ChangeSetAnnounced) -> None:
            raise RuntimeError("one listener's trouble")

        async def listening(event: ChangeSetAnnounced) -> None:
            seen.append(event.event_id)
            if len(seen) == 30:
                enough.set()

        readers = [stand.bus(f"reader-{number}") for number in range(2)]
        for reader in readers:
            reader.changes.listen(failing)
        readers[0].changes.listen(listening)
        await asyncio.gather(*(reader.start() for reader in readers))
        changes = [change(f"after-{number}", f"user-{number}") for number in range(30)]
        await writer.publisher.publish(CHANGES, changes)
        await asyncio.wait_for(enough.wait(), PATIENCE_SECONDS)
        assert sorted(seen) == sorted(event.event_id for event in changes)
        await readers[0].check()

    async def test_a_second_member_takes_over_half_and_what_waits_in_place_is_dropped_at_once(
        self, stand: Stand
    ) -> None:
        heard = Heard()
        away = True
        tried = asyncio.Event()

        async def handle(events: Sequence[Event]) -> Sequence[Rejection]:
            tried.set()
            if away:
                raise TransientError("away", retry_after_seconds=15)
            return await heard(events)

        bus = await stand.consuming(handle)
        await bus.publisher.publish(CONVERSATIONS, [said(f"u{n % 9}", n) for n in range(90)])
        await asyncio.wait_for(tried.wait(), PATIENCE_SECONDS)
        away = False
        loop = asyncio.get_running_loop()
        started = loop.time()
        await stand.consuming(heard)
        await heard.until(90)
        assert loop.time() - started < 12, "the wait of 15 s was not ended by the rebalance"
        assert sorted(heard.ids) == sorted(f"u{n % 9}-{n}" for n in range(90))


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


def _as_json(settings: KafkaSettings) -> str:
    return json.dumps({name: each for name, each in vars(settings).items() if name != "security"})
