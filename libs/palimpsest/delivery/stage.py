"""A stage: records in, a handler called, and nothing let go of before it is done with."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import structlog

from palimpsest.contracts.envelope import Event
from palimpsest.contracts.topics import Topic
from palimpsest.delivery.bisecting import Bisection
from palimpsest.delivery.dead_lettering import DeadLettering, Failure
from palimpsest.delivery.decoding import decode
from palimpsest.delivery.failures import is_transient, place_of, reason_of, words_of
from palimpsest.delivery.hold import BatchDropped, Hold
from palimpsest.delivery.metrics import StageMetrics
from palimpsest.delivery.records import Record
from palimpsest.delivery.sealing import EventSealing
from palimpsest.delivery.tracing import Tracing, active
from palimpsest.delivery.waiting import Backoff
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import InvalidEvent, PermanentError
from palimpsest.stores.dead_letters import DeadLetter
from palimpsest.stores.pacing import paced

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

_log = structlog.get_logger("palimpsest.stage")


@dataclass(frozen=True)
class Rejection:
    """One event of a batch that the handler set aside, while the others went well."""

    event: Event
    error: PermanentError


Handler = Callable[[Sequence[Event]], Awaitable[Sequence[Rejection]]]
"""Takes a batch of decoded, valid events, in order for each user.

Raising a transient error has the same batch handed over again after a wait;
raising any other has it halved until the poison event alone is set aside;
events answered as rejections are set aside one by one. Redelivery can always
happen, so effects are idempotent.
"""


@dataclass(frozen=True)
class _Delivered:
    record: Record
    event: Event
    said: bytes | None
    """As in `Failure`."""

    def failure(self, error: Exception) -> Failure:
        return Failure(self.record, self.event, error, self.said)


class Stage:
    """One topic and its handler.

    `take` returns when every record was handled or set aside, so that the
    offsets may be committed, and raises BatchDropped when that was not to be
    had: then they may not.
    """

    def __init__(
        self,
        topic: Topic,
        handle: Handler,
        *,
        dead_lettering: DeadLettering,
        metrics: StageMetrics,
        clock: Clock,
        patience_seconds: float,
        backoff: Backoff | None = None,
        sealing: EventSealing | None = None,
    ) -> None:
        self.topic = topic
        self._sealing = sealing
        self.hold = Hold()
        self._handle = handle
        self._dead_lettering = dead_lettering
        self._metrics = metrics
        self._clock = clock
        self._patience_seconds = patience_seconds
        self._backoff = backoff or Backoff()
        self._in_hand: Sequence[Record] = ()
        metrics.oldest_pending(topic.name, self._oldest_age_seconds)
        metrics.waiting(topic.name, waiting=False)

    async def take(self, records: Sequence[Record]) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        self._metrics.received(self.topic.name, len(records))
        self._in_hand = records
        try:
            await self.hold.run(self._work_through(records, started + self._patience_seconds))
        except BatchDropped:
            self._metrics.dropped(self.topic.name)
            _log.info("batch given back", topic=self.topic.name, records=len(records))
            raise
        finally:
            self._in_hand = ()
            self._metrics.waiting(self.topic.name, waiting=False)
            self._metrics.batch_took(self.topic.name, loop.time() - started)

    async def _work_through(self, records: Sequence[Record], give_up_at: float) -> None:
        delivered, failures = await self._patiently(self._decoded, records, give_up_at)
        await self._set_aside(failures, give_up_at)
        bisection = Bisection(delivered)
        while part := bisection.part:
            try:
                rejected = await self._patiently(self._hand_over, part, give_up_at)
            except BatchDropped:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, it stops nobody else
                self._note(error, len(part))
                if (poison := bisection.failed()) is not None:
                    await self._give_up(poison, error, give_up_at)
                continue
            await self._set_aside(rejected, give_up_at)
            bisection.succeeded()
            self._count(part)

    async def _give_up(self, poison: _Delivered, error: Exception, give_up_at: float) -> None:
        """Set aside what failed alone. What we have no name for gets another chance before.

        An ill database may answer with errors that speak of nothing: one on a full disk does.
        Where the letter can be written it is well again, and the event is not to blame for it.
        """
        failure = poison.failure(error)
        if isinstance(error, PermanentError):
            await self._set_aside([failure], give_up_at)
            return
        letters = await self._patiently(self._keep, [failure], give_up_at, passes=_whatever)
        try:
            rejected = await self._patiently(self._hand_over, [poison], give_up_at)
        except BatchDropped:
            raise
        except Exception as again:  # noqa: BLE001 - it is the event's own fault
            await self._set_aside([poison.failure(again)], give_up_at)
        else:
            await self._patiently(
                self._dead_lettering.withdraw, letters, give_up_at, passes=_whatever
            )
            await self._set_aside(rejected, give_up_at)
            self._count([poison])

    async def _decoded(self, records: Sequence[Record]) -> tuple[list[_Delivered], list[Failure]]:
        delivered: list[_Delivered] = []
        failures: list[Failure] = []
        tracing = active()
        async for record in paced(records):
            value = record.value
            try:
                if self._sealing is not None:
                    value = await self._sealing.opened(value)
                event = decode(self.topic, value)
                if tracing is not None:
                    event = tracing.traced(event, record)
                delivered.append(_Delivered(record, event, _said(value, record)))
            except InvalidEvent as error:
                self._note(error, 1)
                failures.append(Failure(record, None, error, _said(value, record)))
        return delivered, failures

    async def _hand_over(self, part: Sequence[_Delivered]) -> list[Failure]:
        events = [delivered.event for delivered in part]
        tracing = active()
        if tracing is None:
            rejections = await self._handle(events)
        else:
            rejections = await self._traced(events, tracing)
        if not rejections:
            return []
        of_event = {id(delivered.event): delivered for delivered in part}
        return [of_event[id(rejection.event)].failure(rejection.error) for rejection in rejections]

    async def _traced(self, events: Sequence[Event], tracing: Tracing) -> Sequence[Rejection]:
        began = time.time_ns()
        try:
            rejections = await self._handle(events)
        except Exception as error:
            tracing.failed(self.topic, events, began=began, reason=reason_of(error))
            raise
        tracing.handled(self.topic, events, began=began)
        return rejections

    async def _set_aside(self, failures: Sequence[Failure], give_up_at: float) -> None:
        """Until it is done: without its letter no record may be let go of, whatever is in the way."""
        if failures:
            await self._patiently(self._put_away, failures, give_up_at, passes=_whatever)

    async def _keep(self, failures: Sequence[Failure]) -> Sequence[DeadLetter]:
        return await self._dead_lettering.keep(self.topic, failures)

    async def _put_away(self, failures: Sequence[Failure]) -> None:
        await self._dead_lettering.set_aside(self.topic, failures)

    async def _patiently(
        self,
        attempt: Callable[[Sequence[ItemT]], Awaitable[ResultT]],
        items: Sequence[ItemT],
        give_up_at: float,
        *,
        passes: Callable[[Exception], bool] = is_transient,
    ) -> ResultT:
        """Try again after every failure that passes, waiting in place; other errors are raised.

        Raises:
            BatchDropped: the partitions are asked back, or Kafka would soon call us stuck.
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
        self._metrics.failed(self.topic.name, reason_of(error))
        self._metrics.waiting(self.topic.name, waiting=True)
        _log.warning(
            "waiting",
            topic=self.topic.name,
            seconds=delay,
            failures=failures,
            error=words_of(error),
        )
        if asyncio.get_running_loop().time() + delay > give_up_at:
            raise BatchDropped from error
        await self.hold.pause(delay)

    def _note(self, error: Exception, events: int) -> None:
        self._metrics.failed(self.topic.name, reason_of(error))
        _log.warning(
            "events failed",
            topic=self.topic.name,
            events=events,
            reason=reason_of(error),
            error=words_of(error),
            place=None if isinstance(error, PermanentError) else place_of(error),
        )

    def _count(self, part: Sequence[_Delivered]) -> None:
        now = self._clock()
        self._metrics.handled(self.topic.name, len(part))
        for delivered in part:
            if (received_at := delivered.event.received_at) is not None:
                self._metrics.fresh(self.topic.name, (now - received_at).total_seconds())

    def _oldest_age_seconds(self) -> float:
        if not self._in_hand:
            return 0.0
        oldest = min(record.timestamp for record in self._in_hand)
        return max(self._clock().timestamp() - oldest / 1000, 0.0)


def _whatever(_error: Exception) -> bool:
    return True


def _said(value: bytes | None, record: Record) -> bytes | None:
    return None if value is record.value else value
