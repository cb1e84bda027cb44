"""Stage: decodes records, calls a handler, and keeps each record until it is handled or dead-lettered."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import structlog

from palimpsest.events.envelope import Event
from palimpsest.events.topics import Topic
from palimpsest.model.clock import Clock
from palimpsest.model.errors import InvalidEvent, PermanentError
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.bisection import Bisection
from palimpsest_server.delivery.dead_letter_queue import DeadLetterQueue, FailedRecord
from palimpsest_server.delivery.error_classification import (
    describe_error,
    get_error_reason,
    is_transient,
)
from palimpsest_server.delivery.event_decoder import decode_event
from palimpsest_server.delivery.event_encryption import EventEncryption
from palimpsest_server.delivery.in_flight_batch import BatchDropped, InFlightBatch
from palimpsest_server.delivery.kafka_records import KafkaRecord
from palimpsest_server.delivery.reading_progress import ReadingProgress
from palimpsest_server.delivery.stage_metrics import StageMetrics
from palimpsest_server.delivery.tracing import Tracing, get_active_tracing
from palimpsest_server.error_places import locate_error
from palimpsest_server.stores.cooperative_iteration import (
    MAX_UNINTERRUPTED_SECONDS,
    iterate_cooperatively,
)
from palimpsest_server.stores.dead_letters import DeadLetter

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

_log = structlog.get_logger("palimpsest.stage")


@dataclass(frozen=True)
class EventRejection:
    """An event that the handler rejected although the rest of its batch succeeded."""

    event: Event
    error: PermanentError


BatchHandler = Callable[[Sequence[Event]], Awaitable[Sequence[EventRejection]]]
"""Takes a batch of decoded, valid events, in order for each user.

After a transient error the same batch is handed over again after a wait. After any other error the
batch is halved until the failing event alone is dead-lettered. Returned rejections are dead-lettered
one by one. Any event may be delivered again, so effects must be idempotent."""


@dataclass(frozen=True)
class _Delivered:
    record: KafkaRecord
    event: Event
    said: bytes | None
    """Plain text of the event if the record is sealed, as in `FailedRecord`."""

    def failure(self, error: Exception) -> FailedRecord:
        return FailedRecord(self.record, self.event, error, self.said)


class TopicStage:
    """Hands the records of one topic to their handler.

    `take` returns when every record was handled or dead-lettered, so that the offsets may be committed.
    If that is not possible, it raises BatchDropped, and they may not be committed.
    """

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        topic: Topic,
        handle: BatchHandler,
        *,
        dead_letter_queue: DeadLetterQueue,
        metrics: StageMetrics,
        clock: Clock,
        patience_seconds: float,
        backoff: Backoff | None = None,
        sealing: EventEncryption | None = None,
        progress: ReadingProgress | None = None,
        uninterrupted_seconds: float = MAX_UNINTERRUPTED_SECONDS,
    ) -> None:
        """`uninterrupted_seconds` is the time after which decoding lets other tasks run."""
        self.topic = topic
        self._uninterrupted_seconds = uninterrupted_seconds
        self._sealing = sealing
        self.in_flight = InFlightBatch()
        self.progress = progress or ReadingProgress()
        self._handle = handle
        self._dead_letter_queue = dead_letter_queue
        self._metrics = metrics
        self._clock = clock
        self._patience_seconds = patience_seconds
        self._backoff = backoff or Backoff()
        self._in_hand: Sequence[KafkaRecord] = ()
        metrics.oldest_pending(topic.name, self._oldest_age_seconds)
        metrics.waiting(topic.name, waiting=False)

    async def take(self, records: Sequence[KafkaRecord]) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        self._metrics.received(self.topic.name, len(records))
        self._in_hand = records
        try:
            await self.in_flight.run(self._work_through(records, started + self._patience_seconds))
        except BatchDropped:
            self._metrics.dropped(self.topic.name)
            _log.info("batch given back", topic=self.topic.name, records=len(records))
            raise
        finally:
            self._in_hand = ()
            self._metrics.waiting(self.topic.name, waiting=False)
            self._metrics.batch_took(self.topic.name, loop.time() - started)

    async def _work_through(self, records: Sequence[KafkaRecord], give_up_at: float) -> None:
        delivered, failures = await self._patiently(self._decoded, records, give_up_at)
        await self._dead_letter(failures, give_up_at)
        bisection = Bisection(delivered)
        while part := bisection.part:
            try:
                rejected = await self._patiently(self._handle_part, part, give_up_at)
            except BatchDropped:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, it stops nobody else
                self._note(error, len(part))
                if (poison := bisection.failed()) is not None:
                    await self._give_up(poison, error, give_up_at)
                continue
            await self._dead_letter(rejected, give_up_at)
            bisection.succeeded()
            self._count(part)

    async def _give_up(self, poison: _Delivered, error: Exception, give_up_at: float) -> None:
        """Dead-letter an event that failed alone. After an unknown error it is tried once more first.

        A failing database may answer with errors that do not name the cause, as on a full disk. When the
        letter can be stored the database is well again, and a second success clears the event.
        """
        failure = poison.failure(error)
        if isinstance(error, PermanentError):
            await self._dead_letter([failure], give_up_at)
            return
        letters = await self._patiently(self._keep, [failure], give_up_at, passes=_whatever)
        try:
            rejected = await self._patiently(self._handle_part, [poison], give_up_at)
        except BatchDropped:
            raise
        except Exception as again:  # noqa: BLE001 - it is the event's own fault
            await self._dead_letter([poison.failure(again)], give_up_at)
        else:
            await self._patiently(
                self._dead_letter_queue.withdraw, letters, give_up_at, passes=_whatever
            )
            await self._dead_letter(rejected, give_up_at)
            self._count([poison])

    async def _decoded(
        self, records: Sequence[KafkaRecord]
    ) -> tuple[list[_Delivered], list[FailedRecord]]:
        delivered: list[_Delivered] = []
        failures: list[FailedRecord] = []
        tracing = get_active_tracing()
        async for record in iterate_cooperatively(
            records, maximum_seconds=self._uninterrupted_seconds
        ):
            value = record.value
            try:
                if self._sealing is not None:
                    value = await self._sealing.opened(value)
                event = decode_event(self.topic, value)
                if tracing is not None:
                    event = tracing.traced(event, record)
                delivered.append(_Delivered(record, event, _said(value, record)))
            except InvalidEvent as error:
                self._note(error, 1)
                failures.append(FailedRecord(record, None, error, _said(value, record)))
        return delivered, failures

    async def _handle_part(self, part: Sequence[_Delivered]) -> list[FailedRecord]:
        events = [delivered.event for delivered in part]
        tracing = get_active_tracing()
        if tracing is None:
            rejections = await self._handle(events)
        else:
            rejections = await self._traced(events, tracing)
        if not rejections:
            return []
        of_event = {id(delivered.event): delivered for delivered in part}
        return [of_event[id(rejection.event)].failure(rejection.error) for rejection in rejections]

    async def _traced(self, events: Sequence[Event], tracing: Tracing) -> Sequence[EventRejection]:
        began = time.time_ns()
        try:
            rejections = await self._handle(events)
        except Exception as error:
            tracing.failed(self.topic, events, began=began, reason=get_error_reason(error))
            raise
        tracing.handled(self.topic, events, began=began)
        return rejections

    async def _dead_letter(self, failures: Sequence[FailedRecord], give_up_at: float) -> None:
        """Dead-letter records, trying until it succeeds: a record may not be committed without its letter."""
        if failures:
            await self._patiently(self._put_away, failures, give_up_at, passes=_whatever)

    async def _keep(self, failures: Sequence[FailedRecord]) -> Sequence[DeadLetter]:
        return await self._dead_letter_queue.keep(self.topic, failures)

    async def _put_away(self, failures: Sequence[FailedRecord]) -> None:
        await self._dead_letter_queue.dead_letter(self.topic, failures)

    async def _patiently(
        self,
        attempt: Callable[[Sequence[ItemT]], Awaitable[ResultT]],
        items: Sequence[ItemT],
        give_up_at: float,
        *,
        passes: Callable[[Exception], bool] = is_transient,
    ) -> ResultT:
        """Repeat an attempt after every error that passes, waiting in place; raise all other errors.

        Raises:
            BatchDropped: the partitions are revoked, or Kafka would soon consider the consumer stuck.
        """
        failures = 0
        while True:
            try:
                result = await attempt(items)
            except Exception as error:
                if not passes(error):
                    raise
                failures += 1
                await self._wait(error, failures, give_up_at)
            else:
                if failures:
                    self._metrics.waiting(self.topic.name, waiting=False)
                    _log.info("goes on", topic=self.topic.name, after_failures=failures)
                return result

    async def _wait(self, error: Exception, failures: int, give_up_at: float) -> None:
        delay = self._backoff.delay(failures, getattr(error, "retry_after_seconds", None))
        self._metrics.failed(self.topic.name, get_error_reason(error))
        self._metrics.waiting(self.topic.name, waiting=True)
        _log.warning(
            "waiting",
            topic=self.topic.name,
            seconds=delay,
            failures=failures,
            error=describe_error(error),
        )
        if asyncio.get_running_loop().time() + delay > give_up_at:
            raise BatchDropped from error
        await self.in_flight.pause(delay)

    def _note(self, error: Exception, events: int) -> None:
        self._metrics.failed(self.topic.name, get_error_reason(error))
        _log.warning(
            "events failed",
            topic=self.topic.name,
            events=events,
            reason=get_error_reason(error),
            error=describe_error(error),
            place=None if isinstance(error, PermanentError) else locate_error(error),
        )

    def _count(self, part: Sequence[_Delivered]) -> None:
        now = self._clock()
        self._metrics.handled(self.topic.name, len(part))
        for delivered in part:
            if (received_at := delivered.event.received_at) is not None:
                self._metrics.fresh(self.topic.name, (now - received_at).total_seconds())

    def _oldest_age_seconds(self) -> float:
        if not self._in_hand:
            return self.progress.unread_seconds
        oldest = min(record.timestamp for record in self._in_hand)
        return max(self._clock().timestamp() - oldest / 1000, 0.0)


def _whatever(_error: Exception) -> bool:
    return True


def _said(value: bytes | None, record: KafkaRecord) -> bytes | None:
    return None if value is record.value else value
