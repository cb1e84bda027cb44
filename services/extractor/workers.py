"""Workers: lease what is pending, have it understood, hand the answers in."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter

import structlog

from palimpsest.contracts.questions import SummaryRequested
from palimpsest.contracts.topics import EXTRACTIONS
from palimpsest.delivery.failures import reason_of, words_of
from palimpsest.delivery.tracing import active
from palimpsest.domain.clock import Clock
from palimpsest.providers.models.attempts import Attempt, attempting
from palimpsest.stores.ledger import Answer, Lease, Ledger
from services.extractor.answering import Answered, Answerer, Way, Ways, way_of
from services.extractor.metrics import ExtractorMetrics
from services.extractor.proposals import SetAside
from services.extractor.providers import Room
from services.extractor.retries import (
    AttemptsExhausted,
    GiveUp,
    TryAgain,
    after_failure,
    calls_for_fallback,
)
from services.extractor.settling import Settling
from services.extractor.summing_up import SummingUp

LOOK_EVERY_SECONDS = 0.1
"""At most, while no more waits than is taken: what comes meanwhile is leased together, for a look is
five commands to the database, whether it finds one request or fifty."""

POLL_SECONDS = 1.0
"""For what nobody announces: requests whose delay is over, and those another process gave back."""

WORKING_SHARE_OF_LEASE = 0.8
"""A provider may take so much of the lease; the rest is for storing what it said."""

MARK_OF_FALLBACK = "-fallback"
"""After the name of a provider that answered in another one's place."""

_log = structlog.get_logger("palimpsest.extractor")


@dataclass(frozen=True, kw_only=True)
class Limits:
    requests_at_once: int
    """In hand: leased, and neither settled nor given back."""
    lease: timedelta
    maximum_attempts: int


class Workers:
    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        ledger: Ledger,
        ways: Ways,
        settling: Settling,
        *,
        room: Room,
        summing_up: SummingUp,
        set_aside: SetAside,
        wake: asyncio.Event,
        metrics: ExtractorMetrics,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._ledger = ledger
        self._ways = ways
        self._room = room
        self._settling = settling
        self._summing_up = summing_up
        self._set_aside = set_aside
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
                await asyncio.sleep(LOOK_EVERY_SECONDS - (perf_counter() - began))

    def _wanted(self) -> int:
        """What cannot be worked on is left where it waits."""
        places = self._limits.requests_at_once - len(self._in_hand)
        room = self._room()
        return places if room is None else min(places, room)

    async def settle(self) -> None:
        """Settle answers until cancelled."""
        await self._settling.run(
            settled=lambda answer: self._let_go(answer.lease), failed=self._failed
        )

    async def finish(self, *, within: timedelta) -> None:
        """Return when nothing is in hand any more; what is not done by then is given back."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within.total_seconds()):
                await self._idle.wait()
        for task in self._in_hand.values():
            task.cancel()
        await asyncio.gather(*self._in_hand.values(), return_exceptions=True)

    async def _leased(self, wanted: int) -> Sequence[Lease]:
        if not wanted:
            return []
        now = self._clock()
        try:
            return await self._ledger.lease(limit=wanted, until=now + self._limits.lease, now=now)
        except Exception as error:  # noqa: BLE001 - the next look may go better
            _log.warning("no leases to be had", error=words_of(error))
            return []

    def _begin(self, lease: Lease) -> None:
        self._in_hand[lease.request_id] = asyncio.create_task(self._work(lease))
        self._counted()

    def _let_go(self, lease: Lease) -> None:
        self._in_hand.pop(lease.request_id, None)
        self._counted()
        self._wake.set()

    def _counted(self) -> None:
        self._metrics.in_hand.set(len(self._in_hand))
        if self._in_hand:
            self._idle.clear()
        else:
            self._idle.set()

    async def _work(self, lease: Lease) -> None:
        with attempting(_attempt_of(lease)):
            await self._worked(lease)

    async def _worked(self, lease: Lease) -> None:
        try:
            proposed = await self._understood(lease)
        except asyncio.CancelledError:
            now = self._clock()
            await self._ledger.postpone(lease, until=now, now=now)
            raise
        except Exception as error:  # noqa: BLE001 - of whatever kind, it is this request's alone
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

    def _hand_in(self, lease: Lease, answered: Answered) -> None:
        self._metrics.flaws(answered.event.provider, answered.dropped)
        self._settling.hand_in(Answer(lease=lease, event=answered.event))

    async def _understood(self, lease: Lease) -> Answered:
        if lease.attempt > self._limits.maximum_attempts:
            # Whoever had it before never came back, again and again.
            raise AttemptsExhausted(f"lost with its worker {self._limits.maximum_attempts} times")
        first = self._way(lease).first
        return await self._asked(first, lease, marked=first.name)

    async def _asked(self, answerer: Answerer, lease: Lease, *, marked: str) -> Answered:
        self._metrics.attempts.labels(answerer.name).inc()
        started = perf_counter()
        async with asyncio.timeout(self._limits.lease.total_seconds() * WORKING_SHARE_OF_LEASE):
            tracing = active()
            if tracing is None:
                answered = await answerer.answer(lease.request, marked=marked)
            else:
                with tracing.span("extractor asks", lease.request.trace):
                    answered = await answerer.answer(lease.request, marked=marked)
        self._metrics.duration.labels(answerer.name).observe(perf_counter() - started)
        return answered

    async def _instead(
        self, lease: Lease, error: Exception, next_step: TryAgain | GiveUp
    ) -> Answered | None:
        """What the fallback makes of it, where there is one and this is a case for it."""
        fallback = self._way(lease).fallback
        if fallback is None or not calls_for_fallback(error, next_step):
            return await self._given_up(lease, error, next_step)
        try:
            marked = f"{fallback.name}{MARK_OF_FALLBACK}"
            answered = await self._asked(fallback, lease, marked=marked)
        except Exception as trouble:  # noqa: BLE001 - then all is as without a fallback
            _log.warning("the fallback failed too", error=words_of(trouble))
            return await self._given_up(lease, error, next_step)
        self._metrics.fallbacks.labels(reason_of(error)).inc()
        return answered

    async def _given_up(
        self, lease: Lease, error: Exception, next_step: TryAgain | GiveUp
    ) -> Answered | None:
        """What stands in its place where nobody could answer it: a later attempt may replace it."""
        if not isinstance(next_step, GiveUp) or not isinstance(lease.request, SummaryRequested):
            return None
        try:
            stand_in = await self._way(lease).first.instead(lease.request)
            if stand_in is not None:
                await self._summing_up.again(lease.request)
                self._metrics.set_aside.labels(reason_of(error)).inc()
        except Exception as trouble:  # noqa: BLE001 - then it is set aside like any other
            _log.warning("nothing stands in for a summary", error=words_of(trouble))
            return None
        return None if stand_in is None else Answered(stand_in)

    def _way(self, lease: Lease) -> Way:
        return way_of(self._ways, lease.request)

    def _next_step(self, lease: Lease, error: Exception) -> TryAgain | GiveUp:
        return after_failure(
            error, attempt=lease.attempt, maximum_attempts=self._limits.maximum_attempts
        )

    def _count(self, lease: Lease, error: Exception, next_step: TryAgain | GiveUp) -> None:
        if isinstance(next_step, TryAgain) and not next_step.tried:
            self._metrics.held_back.labels(reason_of(error)).inc()
        else:
            name = self._way(lease).first.name
            self._metrics.failures.labels(name, reason_of(error)).inc()

    async def _failed(self, lease: Lease, error: Exception) -> None:
        await self._take(self._next_step(lease, error), lease)

    async def _take(self, next_step: TryAgain | GiveUp, lease: Lease) -> None:
        """Postpone or set aside. If even that fails the lease ends, and all is as before."""
        now = self._clock()
        try:
            if isinstance(next_step, GiveUp):
                await self._give_up(lease, next_step.error)
            else:
                await self._ledger.postpone(
                    lease, until=now + next_step.after, now=now, tried=next_step.tried
                )
        except Exception as trouble:  # noqa: BLE001 - see above
            _log.warning("a failed request keeps its lease", error=words_of(trouble))

    async def _give_up(self, lease: Lease, error: Exception) -> None:
        reason = reason_of(error)
        await self._set_aside(EXTRACTIONS, lease.request, error)
        await self._ledger.fail(lease, reason=reason, now=self._clock())
        self._metrics.set_aside.labels(reason).inc()


def _attempt_of(lease: Lease) -> Attempt:
    return Attempt(
        request_id=lease.request_id,
        lease=lease.token,
        agent_id=lease.request.agent_id,
        epoch=lease.request.epoch or 0,
    )
