"""Reconciler of requests that got stuck: expired leases, unsent answers, answers without effect."""

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
"""The longest time between two looks. A look reads and writes as much as was asked since the last
one: half a minute at 200 messages a second took it two seconds
(`DatabaseLimit.ONE_COMMAND_AT_A_TIME`).
"""

UNPUBLISHED_GRACE = timedelta(seconds=10)
"""An answer is published right after it is stored. After this time its publisher must have died."""

REQUESTS_AT_ONCE = 5_000
"""The most requests in a look, read without content, longest in their state first. A request that
is sent again moves back.
"""

CONFIRMED_AT_ONCE = 64
"""Requests whose effect is looked up at a time: `DatabaseLimit.ONE_COMMAND_AT_A_TIME`."""

PUBLISHED_MARK_DELAY = timedelta(seconds=8)
"""How long marks of published answers are buffered. By then most answers have had their effect and
are confirmed, so nothing is to be marked. The delay must stay below `UNPUBLISHED_GRACE`, or another
process sends those answers again.
"""

ANSWERS_AT_ONCE = 100

DEAD_LETTERED_REASON = "set_aside"

FindDecidedIds = Callable[[Sequence[str]], Awaitable[set[str]]]
"""Returns those of these change set ids that were decided."""

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
        """Make a reconciler.

        `confirmed` is called with requests that need no further mark. `waiting` returns those of
        these requests whose mark of publication is still buffered.
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
        """Reconcile periodically, until cancelled.

        Args:
            lost_before: set if Kafka's log and every other holder of a lease ended with the process
                before
                this one; everything older is moved on at once.
        """
        await self._loop.run(lost_before=lost_before)

    async def look(self, lost_before: datetime | None = None) -> None:
        """Reconcile the whole ledger once."""
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
        """Confirm answers that had their effect, and send the others again."""
        underway = await self._ledger.underway(state, limit=REQUESTS_AT_ONCE)
        for start in range(0, len(underway), CONFIRMED_AT_ONCE):
            page = underway[start : start + CONFIRMED_AT_ONCE]
            await self._send(await self._confirm(page, before), outcome)

    async def _confirm(
        self, underway: Sequence[AnsweredRequest], before: datetime
    ) -> Sequence[AnsweredRequest]:
        """Confirm answers with effect; return those published before the moment that still lack one."""
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
        # An answer sent a moment ago is not sent again while its mark is buffered.
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
        """Drop requests whose answer was dead-lettered, since only a replay helps; return the others."""
        known = await self._dead_letters.known(
            [(answered_request.user_id, answered_request.event_id) for answered_request in requests]
        )
        aside = [
            answered_request
            for answered_request in requests
            if (answered_request.user_id, answered_request.event_id) in known
        ]
        await self._ledger.drop(
            [(answered_request.request_id, answered_request.user_id) for answered_request in aside],
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
