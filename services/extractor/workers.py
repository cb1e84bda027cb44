"""Workers: lease pending requests, have them answered, and hand the answers in."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter

import structlog

from palimpsest.events.extractor_requests import SummaryRequested
from palimpsest.events.topics import EXTRACTIONS
from palimpsest.model.clock import Clock
from palimpsest.model.errors import PalimpsestError
from palimpsest_server.delivery.error_classification import (
    describe_failure,
    get_error_reason,
)
from palimpsest_server.delivery.tracing import get_active_tracing
from palimpsest_server.models.attempt_context import RequestAttempt, bind_attempt
from palimpsest_server.stores.ledger import LeasedAnswer, Ledger, ModelRequestLease
from services.extractor.answer_routes import (
    AnswerRoute,
    AnswerRoutes,
    DraftAnswer,
    QuestionAnswerer,
    find_answer_route,
)
from services.extractor.metrics import ExtractorMetrics
from services.extractor.publish_answers import DeadLetterCallback
from services.extractor.retry_policy import (
    AbandonRequest,
    AttemptsExhausted,
    RetryLater,
    decide_after_failure,
    is_fallback_needed,
)
from services.extractor.settle_answers import AnswerSettlement
from services.extractor.summary_schedule import SummaryScheduler
from services.extractor.task_providers import Capacity

LEASE_CHECK_SECONDS = 0.1
"""The longest wait between looks while fewer requests wait than may be taken. Requests that come
meanwhile are leased together, because a look is five commands to the database for one request or
fifty.
"""

POLL_SECONDS = 1.0
"""Seconds between looks for requests that nobody announces: delayed ones, and those another process
gave back.
"""

WORKING_SHARE_OF_LEASE = 0.8
"""The share of the lease that a provider may take; the rest is for storing the answer."""

FALLBACK_SUFFIX = "-fallback"
"""Added to the name of a provider that answered as a fallback."""

_log = structlog.get_logger("palimpsest.extractor")


@dataclass(frozen=True, kw_only=True)
class WorkerLimits:
    requests_at_once: int
    """The most requests in hand: leased, and neither settled nor given back."""
    lease: timedelta
    maximum_attempts: int


class ModelRequestWorkers:
    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        ledger: Ledger,
        ways: AnswerRoutes,
        settling: AnswerSettlement,
        *,
        room: Capacity,
        summing_up: SummaryScheduler,
        dead_letter: DeadLetterCallback,
        wake: asyncio.Event,
        metrics: ExtractorMetrics,
        clock: Clock,
        limits: WorkerLimits,
    ) -> None:
        self._ledger = ledger
        self._ways = ways
        self._room = room
        self._settling = settling
        self._summing_up = summing_up
        self._dead_letter = dead_letter
        self._wake = wake
        self._metrics = metrics
        self._clock = clock
        self._limits = limits
        self._in_hand: dict[str, asyncio.Task[None]] = {}
        self._idle = asyncio.Event()
        self._idle.set()

    async def run(self) -> None:
        """Lease and work until cancelled."""
        while True:
            began = perf_counter()
            self._wake.clear()
            wanted = self._wanted()
            leases = await self._leased(wanted)
            for lease in leases:
                self._begin(lease)
            if len(leases) < wanted or wanted == 0:
                with suppress(TimeoutError):
                    # Not wait_for: Python 3.11's swallows a cancellation that meets the wake.
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._wake.wait()
                await asyncio.sleep(LEASE_CHECK_SECONDS - (perf_counter() - began))

    def _wanted(self) -> int:
        """Return how many requests to lease; others stay pending."""
        places = self._limits.requests_at_once - len(self._in_hand)
        room = self._room()
        return places if room is None else min(places, room)

    async def settle(self) -> None:
        """Settle answers until cancelled."""
        await self._settling.run(
            settled=lambda answer: self._let_go(answer.lease), failed=self._failed
        )

    async def finish(self, *, within: timedelta) -> None:
        """Return when nothing is in hand. Requests unfinished after `within` are given back."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within.total_seconds()):
                await self._idle.wait()
        for task in self._in_hand.values():
            task.cancel()
        await asyncio.gather(*self._in_hand.values(), return_exceptions=True)

    async def _leased(self, wanted: int) -> Sequence[ModelRequestLease]:
        if not wanted:
            return []
        now = self._clock()
        try:
            return await self._ledger.lease(limit=wanted, until=now + self._limits.lease, now=now)
        except Exception as error:  # noqa: BLE001 - the next look may go better
            _log.warning("no leases to be had", **describe_failure(error))
            return []

    def _begin(self, lease: ModelRequestLease) -> None:
        self._in_hand[lease.request_id] = asyncio.create_task(self._work(lease))
        self._counted()

    def _let_go(self, lease: ModelRequestLease) -> None:
        self._in_hand.pop(lease.request_id, None)
        self._counted()
        self._wake.set()

    def _counted(self) -> None:
        self._metrics.in_hand.set(len(self._in_hand))
        if self._in_hand:
            self._idle.clear()
        else:
            self._idle.set()

    async def _work(self, lease: ModelRequestLease) -> None:
        try:
            with bind_attempt(_attempt_of(lease)):
                await self._worked(lease)
        except Exception as error:  # noqa: BLE001 - the lease ends, and the request is leased anew
            _log.error("a request is let go of", **describe_failure(error))
            self._let_go(lease)

    async def _worked(self, lease: ModelRequestLease) -> None:
        try:
            proposed = await self._understood(lease)
        except asyncio.CancelledError:
            now = self._clock()
            await self._ledger.postpone(lease, until=now, now=now)
            raise
        except Exception as error:  # noqa: BLE001 - of whatever kind, it is this request's alone
            if not isinstance(error, PalimpsestError):
                _log.warning("a request failed", attempt=lease.attempt, **describe_failure(error))
            next_step = self._next_step(lease, error)
            self._count(lease, error, next_step)
            instead = await self._instead(lease, error, next_step)
            if instead is None:
                await self._take(next_step, lease)
                self._let_go(lease)
            else:
                self._hand_in(lease, instead)
        else:
            self._hand_in(lease, proposed)

    def _hand_in(self, lease: ModelRequestLease, answered: DraftAnswer) -> None:
        self._metrics.flaws(answered.event.provider, answered.dropped)
        self._settling.hand_in(LeasedAnswer(lease=lease, event=answered.event))

    async def _understood(self, lease: ModelRequestLease) -> DraftAnswer:
        if lease.attempt > self._limits.maximum_attempts:
            # Every earlier holder of the lease died with it.
            raise AttemptsExhausted(f"lost with its worker {self._limits.maximum_attempts} times")
        first = self._way(lease).first
        return await self._asked(first, lease, marked=first.name)

    async def _asked(
        self, answerer: QuestionAnswerer, lease: ModelRequestLease, *, marked: str
    ) -> DraftAnswer:
        self._metrics.attempts.labels(answerer.name).inc()
        started = perf_counter()
        async with asyncio.timeout(self._limits.lease.total_seconds() * WORKING_SHARE_OF_LEASE):
            tracing = get_active_tracing()
            if tracing is None:
                answered = await answerer.answer(lease.request, marked=marked)
            else:
                with tracing.span("extractor asks", lease.request.trace):
                    answered = await answerer.answer(lease.request, marked=marked)
        self._metrics.duration.labels(answerer.name).observe(perf_counter() - started)
        return answered

    async def _instead(
        self, lease: ModelRequestLease, error: Exception, next_step: RetryLater | AbandonRequest
    ) -> DraftAnswer | None:
        """Return the fallback's answer, if there is a fallback and the error calls for it."""
        fallback = self._way(lease).fallback
        if fallback is None or not is_fallback_needed(error, next_step):
            return await self._given_up(lease, error, next_step)
        try:
            marked = f"{fallback.name}{FALLBACK_SUFFIX}"
            answered = await self._asked(fallback, lease, marked=marked)
        except Exception as trouble:  # noqa: BLE001 - then all is as without a fallback
            _log.warning("the fallback failed too", **describe_failure(trouble))
            return await self._given_up(lease, error, next_step)
        self._metrics.fallbacks.labels(get_error_reason(error)).inc()
        return answered

    async def _given_up(
        self, lease: ModelRequestLease, error: Exception, next_step: RetryLater | AbandonRequest
    ) -> DraftAnswer | None:
        """Return the substitute for an abandoned summary; a later attempt may replace it."""
        if not isinstance(next_step, AbandonRequest) or not isinstance(
            lease.request, SummaryRequested
        ):
            return None
        try:
            stand_in = await self._way(lease).first.instead(lease.request)
            if stand_in is not None:
                await self._summing_up.again(lease.request)
                self._metrics.set_aside.labels(get_error_reason(error)).inc()
        except Exception as trouble:  # noqa: BLE001 - then it is set aside like any other
            _log.warning("nothing stands in for a summary", **describe_failure(trouble))
            return None
        return None if stand_in is None else DraftAnswer(stand_in)

    def _way(self, lease: ModelRequestLease) -> AnswerRoute:
        return find_answer_route(self._ways, lease.request)

    def _next_step(self, lease: ModelRequestLease, error: Exception) -> RetryLater | AbandonRequest:
        return decide_after_failure(
            error, attempt=lease.attempt, maximum_attempts=self._limits.maximum_attempts
        )

    def _count(
        self, lease: ModelRequestLease, error: Exception, next_step: RetryLater | AbandonRequest
    ) -> None:
        if isinstance(next_step, RetryLater) and not next_step.tried:
            self._metrics.held_back.labels(get_error_reason(error)).inc()
        else:
            name = self._way(lease).first.name
            self._metrics.failures.labels(name, get_error_reason(error)).inc()

    async def _failed(self, lease: ModelRequestLease, error: Exception) -> None:
        await self._take(self._next_step(lease, error), lease)

    async def _take(self, next_step: RetryLater | AbandonRequest, lease: ModelRequestLease) -> None:
        """Postpone or abandon the request. If even that fails, its lease ends and it is pending again."""
        now = self._clock()
        try:
            if isinstance(next_step, AbandonRequest):
                await self._give_up(lease, next_step.error)
            else:
                await self._ledger.postpone(
                    lease, until=now + next_step.after, now=now, tried=next_step.tried
                )
        except Exception as trouble:  # noqa: BLE001 - see above
            _log.warning("a failed request keeps its lease", **describe_failure(trouble))

    async def _give_up(self, lease: ModelRequestLease, error: Exception) -> None:
        reason = get_error_reason(error)
        await self._dead_letter(EXTRACTIONS, lease.request, error)
        await self._ledger.fail(lease, reason=reason, now=self._clock())
        self._metrics.set_aside.labels(reason).inc()


def _attempt_of(lease: ModelRequestLease) -> RequestAttempt:
    return RequestAttempt(
        request_id=lease.request_id,
        lease=lease.token,
        agent_id=lease.request.agent_id,
        epoch=lease.request.epoch or 0,
    )
