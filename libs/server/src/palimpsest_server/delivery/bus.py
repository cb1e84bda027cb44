"""A service's connection to Kafka: one broker object, one ack policy, one group."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial

import structlog
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from faststream.kafka import KafkaBroker
from prometheus_client import CollectorRegistry

from palimpsest.events.envelope import Event
from palimpsest.events.kafka_clients import translate_lost_connections
from palimpsest.events.topics import RECALL_REQUESTS, Topic
from palimpsest.model.clock import Clock
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.abandon_clients import abandon_admin
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.changes_feed import KafkaChangesFeed
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.dead_letter_queue import (
    DeadLetterQueue,
    FailedRecord,
    TextRedactor,
    redact_everything,
)
from palimpsest_server.delivery.erasure_worker import ErasureWorker
from palimpsest_server.delivery.error_classification import describe_error, is_transient
from palimpsest_server.delivery.event_encryption import EventEncryption
from palimpsest_server.delivery.faststream_adapter import abandon_broker, flush_producer
from palimpsest_server.delivery.in_flight_batch import InFlightBatch
from palimpsest_server.delivery.kafka_connection import connect_admin_client, create_broker
from palimpsest_server.delivery.kafka_publisher import KafkaPublisher, encode_event
from palimpsest_server.delivery.kafka_records import EventRecord
from palimpsest_server.delivery.missing_acls import find_missing_consumer_acl
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.delivery.reading_progress import ReadingProgress
from palimpsest_server.delivery.recall_responder import RecallResponder, RequestAnswerer
from palimpsest_server.delivery.shutdown import CLOSING_SECONDS, close_within
from palimpsest_server.delivery.stage import BatchHandler, TopicStage
from palimpsest_server.delivery.stage_metrics import StageMetrics
from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.delivery.topic_consumer import BatchReceiver, TopicConsumer
from palimpsest_server.delivery.topic_creation import ensure_topics
from palimpsest_server.stores.dead_letters import DeadLetterStore

LAG_INTERVAL = timedelta(seconds=5)
CHECK_SECONDS = 3.0

AWAY_SECONDS = 1.0
"""A Kafka that does not answer within this time is away, and is not waited for on leaving."""

_log = structlog.get_logger("palimpsest.bus")


class Bus:
    """Consumes, answers, publishes and listens for one service.

    Handlers are registered before `start`. `start` waits for a Kafka that is away and logs it. Until
    `start` has returned, publishing raises TransientError.
    """

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        service: str,
        *,
        settings: KafkaSettings,
        dead_letters: DeadLetterStore,
        registry: CollectorRegistry,
        clock: Clock,
        redact: TextRedactor = redact_everything,
        erasure_worker: ErasureWorker | None = None,
        changes: KafkaChangesFeed | None = None,
        sealing: EventEncryption | None = None,
        supervisor: Supervisor | None = None,
    ) -> None:
        self._service = service
        self._sealing = sealing
        self._erasure_worker = erasure_worker
        self._settings = settings
        self._clock = clock
        self._metrics = StageMetrics(registry, service)
        translate_lost_connections()
        self._broker = create_broker(service, settings)
        self._consumptions: list[TopicConsumer] = []
        self._answering: RecallResponder | None = None
        self._backoff = Backoff(first_seconds=0.5, maximum_seconds=15)
        self._stopping = asyncio.Event()
        self._has_given_up = False
        self._admin: AIOKafkaAdminClient | None = None
        self._why_not_joined: str | None = None
        self._supervisor = supervisor or Supervisor(f"the bus of {service}")
        self.publisher = KafkaPublisher(
            self._broker, settings=settings, metrics=self._metrics, sealing=sealing
        )
        self.changes = changes or KafkaChangesFeed(settings, self._metrics, sealing)
        self._dead_letter_queue = DeadLetterQueue(
            stage=service,
            store=dead_letters,
            publisher=self.publisher,
            redact=redact,
            metrics=self._metrics,
            clock=clock,
        )

    @property
    def service(self) -> str:
        return self._service

    @property
    def broker(self) -> KafkaBroker:
        """The FastStream broker, with a subscriber for each topic that the service consumes."""
        return self._broker

    @property
    def republisher(self) -> KafkaPublisher:
        """The publisher, for events that were stored as bytes."""
        return self.publisher

    @property
    def consumed_topics(self) -> list[Topic]:
        return [consumption.topic for consumption in self._consumptions]

    @property
    def erasure_worker(self) -> ErasureWorker:
        """The worker that erases this service's data; the bus starts and stops it."""
        if self._erasure_worker is None:
            raise TypeError("this bus was given no erasure worker")
        return self._erasure_worker

    def consume(
        self, topic: Topic, handle: BatchHandler, *, batch_interval_seconds: float = 0.0
    ) -> None:
        """Register `handle` for batches of this topic's events; call it before `start`.

        Args:
            topic: the topic.
            handle: takes the batches.
            batch_interval_seconds: minimum time between the beginnings of two batches, for topics that
                nobody waits for and whose larger batches cost little more.
        """
        stage = TopicStage(
            topic,
            handle,
            dead_letter_queue=self._dead_letter_queue,
            metrics=self._metrics,
            clock=self._clock,
            patience_seconds=self._settings.waiting_patience_seconds,
            sealing=self._sealing,
            progress=self._follow_reading(),
        )
        self._add(topic, stage.take, stage.in_flight, stage.progress, batch_interval_seconds)

    def answer(self, handle: RequestAnswerer) -> None:
        """Register `handle` for recall requests, several at a time; call it before `start`."""
        self._answering = RecallResponder(
            handle, publisher=self.publisher, metrics=self._metrics, clock=self._clock
        )
        self._add(RECALL_REQUESTS, self._answering.take, InFlightBatch(), self._follow_reading())

    def _follow_reading(self) -> ReadingProgress:
        return ReadingProgress(stalled_seconds=self._settings.stalled_seconds)

    def _add(
        self,
        topic: Topic,
        take: BatchReceiver,
        in_flight: InFlightBatch,
        progress: ReadingProgress,
        batch_interval_seconds: float = 0.0,
    ) -> None:
        group = self._settings.group(self._service)
        self._consumptions.append(
            TopicConsumer(
                self._broker,
                topic,
                take,
                in_flight=in_flight,
                progress=progress,
                group=group,
                settings=self._settings,
                batch_interval_seconds=batch_interval_seconds,
            )
        )

    def owns(self, topic: Topic, user_id: str) -> bool:
        """Return whether this process consumes a user's events on this topic."""
        return any(
            consumption.owns(user_id)
            for consumption in self._consumptions
            if consumption.topic is topic
        )

    async def dead_letter(self, topic: Topic, event: Event, error: Exception) -> None:
        """Dead-letter an event that was given up outside of a handler.

        Raises:
            TransientError: MongoDB or Kafka is away; call again.
        """
        said = encode_event(event)
        # The bytes identify the event. Sealed bytes would differ each time, and a digest of the plain
        # ones would reveal content, so the event's id takes their place.
        value = said if self._sealing is None else event.event_id.encode()
        record = EventRecord(key=event.user_id.encode(), value=value)
        await self._dead_letter_queue.dead_letter(topic, [FailedRecord(record, event, error, said)])

    async def start(self) -> None:
        """Join Kafka; waits, with log messages, for as long as Kafka is away.

        Raises:
            TransientError: `stop` was called before Kafka answered.
            KafkaRefused: Kafka refuses this service, which waiting does not change.
        """
        failures = 0
        while not self._stopping.is_set():
            try:
                await self._join()
            except BaseException as error:
                waiting_may_help = is_transient(error)
                if waiting_may_help:
                    self._why_not_joined = await self._missing_right() or describe_error(error)
                await self._leave()
                if not waiting_may_help:
                    raise
                failures += 1
                delay = self._backoff.delay(failures)
                _log.warning(
                    "Kafka is not ready",
                    service=self._service,
                    bootstrap_servers=self._settings.bootstrap_servers,
                    error=self._why_not_joined,
                    trying_again_in_seconds=delay,
                )
                await self._rest(delay)
            else:
                self._supervisor.start("lag", self._watch_lag)
                if self._erasure_worker is not None and not self._erasure_worker.is_left_to_others:
                    self._supervisor.start("erasures", self._erasure_worker.watch)
                _log.info("joined Kafka", service=self._service)
                return
        raise TransientError("stopped before Kafka was there")

    async def stop(self, *, last: Callable[[], Awaitable[None]] | None = None) -> None:
        """Finish work in hand, leave the group and close. Never raises.

        Args:
            last: called when no more records are handed over and publishing is still possible.
        """
        self._stopping.set()
        for consumption in self._consumptions:
            consumption.in_flight.stop()
        await self._supervisor.stop()
        await self._leave(last)

    def give_up(self) -> None:
        """Give up a Kafka that has gone for good, at once; only `stop` may follow.

        Pending publications fail, and their callers may try again. Nothing more is read.
        """
        self._has_given_up = True
        self.publisher.disconnected()
        abandon_broker(self._broker)
        for consumption in self._consumptions:
            consumption.in_flight.stop()
            consumption.abandon()

    async def check(self) -> None:
        """Check that Kafka answers and every consumer has its partitions.

        Raises:
            TransientError: the message says what is missing.
        """
        if self._admin is None:
            why = f": {self._why_not_joined}" if self._why_not_joined else ""
            raise TransientError(f"{self._service} has not reached Kafka yet{why}")
        if waiting := next(self._unassigned(), None):
            missing = await self._missing_right()
            raise TransientError(
                missing or f"{self._service} has no partitions of {waiting.topic.name} yet"
            )
        for consumption in self._consumptions:
            await consumption.check()
        if self.changes.listened_to:
            await self.changes.check()
        await self._supervisor.check()
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                await self._admin.describe_cluster()
        except (KafkaError, OSError, TimeoutError) as error:
            raise TransientError(f"Kafka does not answer: {describe_error(error)}") from error

    def _unassigned(self) -> Iterator[TopicConsumer]:
        return (
            consumption for consumption in self._consumptions if not consumption.in_flight.assigned
        )

    async def _missing_right(self) -> str | None:
        """Return, in words and in bounded time, the first missing right that keeps partitions away."""
        # Without other readers there are no rights to check, and an empty log may have no topics yet.
        if self._admin is None or self._settings.is_only_reader:
            return None
        # A client closed during the request never answers.
        with suppress(TimeoutError):
            async with asyncio.timeout(CHECK_SECONDS):
                for topic_consumer in self._unassigned():
                    missing = await find_missing_consumer_acl(
                        self._admin, self._settings, topic_consumer.topic, self._service
                    )
                    if missing:
                        return missing
        return None

    async def _join(self) -> None:
        self._admin = await connect_admin_client(self._settings)
        await ensure_topics(self._admin, self._settings, self._service)
        await self._broker.connect()
        self.publisher.connected()
        joining = [self._broker.start()]
        if self.changes.listened_to:
            joining.append(self.changes.start(self._service))
        # Wait for all of them, so that none is still joining while it is closed.
        for outcome in await asyncio.gather(*joining, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome
        for consumption in self._consumptions:
            consumption.started()

    async def _leave(self, last: Callable[[], Awaitable[None]] | None = None) -> None:
        """Close all connections, in bounded time, whatever state Kafka is in.

        If Kafka is away, work in hand is not waited for: it could not finish, and its records come again.
        """
        try:
            if await self._is_away():
                await self._leave_within(AWAY_SECONDS, AWAY_SECONDS, last)
            else:
                await self._leave_within(
                    self._settings.graceful_timeout_seconds, CLOSING_SECONDS, last
                )
        finally:
            # Also after a cancellation: a consumer left behind would join its group again.
            for consumption in self._consumptions:
                consumption.abandon()
            abandon_broker(self._broker)
            if self._admin is not None:
                abandon_admin(self._admin)
                self._admin = None

    async def _leave_within(
        self, grace: float, closing: float, last: Callable[[], Awaitable[None]] | None
    ) -> None:
        close = partial(close_within, self._service, seconds=closing)
        # In this order, because work in hand may still publish.
        await close(lambda: self.changes.stop(self._service))
        await asyncio.gather(
            *(
                close(consumption.stop, seconds=grace + closing)
                for consumption in self._consumptions
            )
        )
        for consumption in self._consumptions:
            # Otherwise the broker would be waited for if a consumer could not be closed.
            consumption.abandon()
        if self._answering is not None:
            await self._answering.stop(grace)
        if last is not None:
            await close(last, seconds=CLOSING_SECONDS)
        self.publisher.disconnected()
        flushing = min(self._settings.publish_timeout_seconds, grace)
        await close(lambda: flush_producer(self._broker), seconds=flushing)
        await close(self._broker.stop)
        if self._admin is not None:
            await close(self._admin.close)

    async def _is_away(self) -> bool:
        """Return whether Kafka does not answer; if so, give up pending publications."""
        if self._admin is None or self._has_given_up:
            return True
        try:
            async with asyncio.timeout(AWAY_SECONDS):
                await self._admin.describe_cluster()
        except (KafkaError, OSError, TimeoutError):
            self.publisher.disconnected()
            abandon_broker(self._broker)
            return True
        return False

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _watch_lag(self) -> None:
        await run_periodically(
            self._measure_lag, every=LAG_INTERVAL, log=_log, failure="lag is not known"
        )

    async def _measure_lag(self) -> None:
        for consumption in self._consumptions:
            try:
                async with asyncio.timeout(CHECK_SECONDS):
                    lag = await consumption.measure_lag()
            except (KafkaError, OSError, TimeoutError) as error:
                _log.debug("lag is not known", error=describe_error(error))
            else:
                self._metrics.lag(consumption.topic.name, lag)
