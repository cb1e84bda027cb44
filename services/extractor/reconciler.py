"""Move on what stopped on its way: leases without holder, answers unsent or without effect."""

import asyncio
from collections.abc import Awaitable, Callable, Container, Iterable, Sequence
from datetime import datetime, timedelta

import structlog

from palimpsest.model.change_set import change_set_id
from palimpsest.model.clock import Clock
from palimpsest_server.delivery.reconciliation import PeriodicReconciliation, ReconcilerTimes
from palimpsest_server.stores.dead_letters import DeadLetterReader
from palimpsest_server.stores.ledger import AnsweredRequest, Ledger, ModelRequestState
from services.extractor.metrics import ExtractorMetrics
from services.extractor.publish_answers import AnswerPublisher

CONFIRMATION_INTERVAL = timedelta(seconds=5)
"""At most between two looks: what they read and write grows with what was asked since the last, and
of half a minute at 200 messages a second they took two seconds: `DatabaseLimit.ONE_COMMAND_AT_A_TIME`."""

UNPUBLISHED_GRACE = timedelta(seconds=10)
"""An answer is published right after it was stored: whoever did that is gone by then."""

REQUESTS_AT_ONCE = 5_000
"""Without content; those longest in their state come first, and move back when sent again."""

CONFIRMED_AT_ONCE = 64
"""Asked of at a time whether they had their effect: `DatabaseLimit.ONE_COMMAND_AT_A_TIME`."""

PUBLISHED_MARK_DELAY = timedelta(seconds=8)
"""How far the marks trail that answers were published. By then most have had their effect and are
confirmed, so that there is nothing to mark; before `UNPUBLISHED_GRACE` they have to be written, or
another process sends those answers again."""

ANSWERS_AT_ONCE = 100

DEAD_LETTERED_REASON = "set_aside"

FindDecidedIds = Callable[[Sequence[str]], Awaitable[set[str]]]
"""Tells which of these change sets were decided."""

_log = structlog.get_logger("palimpsest.extractor")


class ExtractorReconciler:
    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        ledger: Ledger,
        *,
        decided: FindDecidedIds,
        dead_letters: DeadLetterReader,
        proposals: AnswerPublisher,
        wake: asyncio.Event,
        metrics: ExtractorMetrics,
        clock: Clock,
        times: ReconcilerTimes,
        confirmed: Callable[[Sequence[str]], None],
        waiting: Callable[[Iterable[str]], Container[str]],
    ) -> None:
        """`confirmed` is told the requests of which nothing more is to be marked.

        `waiting` tells of which it is to be marked yet that their answers were published.
        """
        self._confirmed = confirmed
        self._waiting = waiting
        self._ledger = ledger
        self._decided = decided
        self._dead_letters = dead_letters
        self._proposals = proposals
        self._wake = wake
        self._metrics = metrics
        self._clock = clock
        self._times = times
        self._loop = PeriodicReconciliation(
            self.look, times, log=_log, failure="the ledger could not be reconciled"
        )
        self.check = self._loop.check

    async def watch(self, *, lost_before: datetime | None) -> None:
        """Look again and again, until cancelled.

        Args:
            lost_before: set where Kafka's log and every other holder of a lease
                ended with the process before this one: whatever is older is
                moved on at once.
        """
        await self._loop.run(lost_before=lost_before)

    async def look(self, lost_before: datetime | None = None) -> None:
        """Once over the whole ledger."""
        await self._release(lost_before)
        now = self._clock()
        unpublished = lost_before or now - UNPUBLISHED_GRACE
        await self._follow_up(ModelRequestState.ANSWERED, unpublished, "published")
        without_effect = lost_before or now - self._times.grace
        await self._follow_up(ModelRequestState.PUBLISHED, without_effect, "published_again")

    async def _release(self, lost_before: datetime | None) -> None:
        released = await self._ledger.release(now=self._clock(), leased_before=lost_before)
        if released:
            self._metrics.reconciled.labels("released").inc(released)
            self._wake.set()

    async def _follow_up(self, state: ModelRequestState, before: datetime, outcome: str) -> None:
        """Confirm answers that had their effect, mostly before they were marked as published."""
        underway = await self._ledger.underway(state, limit=REQUESTS_AT_ONCE)
        for start in range(0, len(underway), CONFIRMED_AT_ONCE):
            page = underway[start : start + CONFIRMED_AT_ONCE]
            await self._send(await self._confirm(page, before), outcome)

    async def _confirm(
        self, underway: Sequence[AnsweredRequest], before: datetime
    ) -> Sequence[AnsweredRequest]:
        """Return answers that have had no effect since the moment and still may."""
        effects = {
            answered_request.request_id: change_set_id(
                answered_request.user_id, answered_request.event_id
            )
            for answered_request in underway
        }
        decided = await self._decided(list(effects.values()))
        done = [
            answered_request.request_id
            for answered_request in underway
            if effects[answered_request.request_id] in decided
        ]
        await self._ledger.confirm(done, now=self._clock())
        self._confirmed(done)
        self._metrics.reconciled.labels("confirmed").inc(len(done))
        # What we have just sent is not sent at each look until its mark is written.
        sent = self._waiting(effects)
        without_effect = [
            answered_request
            for answered_request in underway
            if effects[answered_request.request_id] not in decided
            and answered_request.since <= before
            and answered_request.request_id not in sent
        ]
        return await self._without_dead_letter(without_effect)

    async def _without_dead_letter(
        self, requests: Sequence[AnsweredRequest]
    ) -> Sequence[AnsweredRequest]:
        """Let go of those a later stage set aside: only a replay of what it kept helps them."""
        known = await self._dead_letters.known(
            [(answered_request.user_id, answered_request.event_id) for answered_request in requests]
        )
        aside = [
            answered_request
            for answered_request in requests
            if (answered_request.user_id, answered_request.event_id) in known
        ]
        await self._ledger.drop(
            [(each.request_id, each.user_id) for each in aside],
            reason=DEAD_LETTERED_REASON,
            now=self._clock(),
        )
        self._metrics.dropped.labels(DEAD_LETTERED_REASON).inc(len(aside))
        return [
            answered_request
            for answered_request in requests
            if (answered_request.user_id, answered_request.event_id) not in known
        ]

    async def _send(self, requests: Sequence[AnsweredRequest], outcome: str) -> None:
        for start in range(0, len(requests), ANSWERS_AT_ONCE):
            page = [
                answered_request.request_id
                for answered_request in requests[start : start + ANSWERS_AT_ONCE]
            ]
            await self._proposals.send(await self._ledger.answers(page))
            self._metrics.reconciled.labels(outcome).inc(len(page))
