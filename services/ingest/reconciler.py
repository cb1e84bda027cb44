"""Reconciler of stored items without effect: published again, confirmed, or dropped.

A broker may lose its log (`BrokerLimit.LOG_IN_MEMORY`), and a publisher may die between storing and
publishing. Either way an item stays stored or published for too long.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from itertools import compress
from operator import not_
from typing import TypeVar

import structlog

from palimpsest.events.envelope import Event
from palimpsest.events.extraction_requests import derive_extraction_request_id
from palimpsest.events.topics import CANDIDATES, CONVERSATIONS
from palimpsest.events.writes import build_turn_stored
from palimpsest.model.clock import Clock
from palimpsest.model.turn import Turn
from palimpsest.model.window import Window
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.reconciliation import PeriodicReconciliation, ReconcilerTimes
from palimpsest_server.runtime.vector_backends import describe_server_backends
from palimpsest_server.stores.accepted_requests import (
    AcceptedRequest,
    ConsolidatorRequest,
    request_id,
)
from palimpsest_server.stores.dead_letters import EventKey
from palimpsest_server.stores.outbox import Outbox, OutboxState
from palimpsest_server.stores.sessions import SessionKey
from palimpsest_server.stores.user_states import UserStates
from services.ingest.ingest_stores import IngestStores
from services.ingest.metrics import IngestMetrics
from services.ingest.overdue_entries import (
    HandleEntries,
    OverdueEntryHandling,
    OverdueEntryScan,
)
from services.ingest.publication_effects import PublicationEffects
from services.ingest.publish_windows import WindowPublisher
from services.ingest.receive_events import ConversationEvent
from services.ingest.turn_conversion import rebuild_message

TURNS_PER_BATCH = 256

FAILURE = "ingest could not be reconciled"

ItemT = TypeVar("ItemT")

_log = structlog.get_logger("palimpsest.ingest")


class IngestReconciler:
    """Reconciles turns, requests and windows with their effects."""

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        stores: IngestStores,
        *,
        effects: PublicationEffects,
        users: UserStates,
        publisher: Publisher,
        windows: WindowPublisher,
        metrics: IngestMetrics,
        clock: Clock,
        times: ReconcilerTimes,
        take: Callable[[Sequence[ConversationEvent]], Awaitable[object]],
        close_idle_sessions: Callable[[], Awaitable[None]],
    ) -> None:
        """Make a reconciler.

        `take` takes in events as the consumer of `conversations` does. `close_idle_sessions` runs
        after each look, because its windows must not overtake those that the look publishes again.
        """
        self._close_idle_sessions = close_idle_sessions
        self._take = take
        self._stores = stores
        self._effects = effects
        self._users = users
        self._publisher = publisher
        self._windows = windows
        self._metrics = metrics
        self._clock = clock
        self._times = times
        self._loop = PeriodicReconciliation(self._look_and_close, times, log=_log, failure=FAILURE)
        self.check = self._loop.check

    async def watch(self, *, log_was_lost: bool) -> None:
        """Reconcile periodically, until cancelled.

        With `log_was_lost` everything stored before now is checked first.
        """
        if not self._effects.sees_turns:
            _log.warning(
                "nobody confirms turns: this process cannot see whether they became searchable, "
                "so one that is lost on its way is not published again",
                advice=f"{describe_server_backends()}, or one process for ingest and consolidator",
            )
        await self._loop.run(lost_before=self._clock() if log_was_lost else None)

    async def _look_and_close(self, lost_before: datetime | None) -> None:
        try:
            await self.look(lost_before)
        except Exception:
            # Idle sessions are closed even while those stores are away.
            await self._close_idle_sessions()
            raise
        await self._close_idle_sessions()

    async def take_in_unnumbered_turns(self) -> None:
        """Take in turns that an earlier process accepted and Kafka lost, before anything new.

        Later their numbers would be higher than those of newer turns. A failure is left to the next
        look.
        """
        turns = await self._stores.turns.unnumbered()
        for start in range(0, len(turns), TURNS_PER_BATCH):
            part = turns[start : start + TURNS_PER_BATCH]
            try:
                await self._take([rebuild_message(turn) for turn in part])
            except Exception as error:  # noqa: BLE001 - the next look may succeed
                _log.warning(FAILURE, **describe_failure(error))
                return

    async def look(self, lost_before: datetime | None = None) -> None:
        """Reconcile everything that has been pending for longer than the grace.

        With `lost_before` everything pending at that moment is reconciled, because Kafka has lost
        its events.
        """
        due = lost_before or self._clock() - self._times.grace
        stored, published = OutboxState.STORED, OutboxState.PUBLISHED
        turns, requests, windows = (
            self._stores.turns,
            self._stores.requests,
            self._stores.windows,
        )
        pages = OverdueEntryScan(before=due, metrics=self._metrics, clock=self._clock)
        try:
            # Windows first: turns make new windows, which must not overtake these.
            # `published` before `stored`: an item that leaves `stored` in this look must not be met
            # again.
            await pages.through(windows, published, _windows(self._windows_published))
            await pages.through(windows, stored, _windows(self._send))
            if self._effects.sees_turns:
                await pages.through(turns, published, _turns(self._turns_published))
            await pages.through(requests, published, _requests(self._requests_published))
            await pages.through(turns, stored, _turns(self._turns_stored))
            await pages.through(requests, stored, _requests(self._requests_stored))
        finally:
            # Also if Kafka takes nothing: then the age of the oldest entry is the only sign.
            pages.measure("turn", "request", "window")

    async def _turns_stored(self, turns: Sequence[Turn]) -> None:
        keys = [SessionKey.of(turn) for turn in turns]
        sessions = await self._stores.sessions.of(keys)
        published = [
            0 < (turn.sequence or 0) <= sessions[key].published_through
            for turn, key in zip(turns, keys, strict=True)
        ]
        await self._turns_published(list(compress(turns, published)))
        await self._turns_to_conversations(list(compress(turns, map(not_, published))))

    async def _turns_to_conversations(self, turns: Sequence[Turn]) -> None:
        """Publish turns as if they had just been accepted; unnumbered ones then get a number."""
        await self._publisher.publish(CONVERSATIONS, [rebuild_message(turn) for turn in turns])
        await self._mark(self._stores.turns, [turn.id for turn in turns], OutboxState.STORED)

    async def _requests_stored(self, requests: Sequence[AcceptedRequest]) -> None:
        """Settle the consolidator's requests; publish those about sessions to the pipeline again."""
        remembered = [
            accepted_request
            for accepted_request in requests
            if isinstance(accepted_request, ConsolidatorRequest)
        ]
        marks = [
            accepted_request
            for accepted_request in requests
            if not isinstance(accepted_request, ConsolidatorRequest)
        ]
        await self._requests_published(remembered)
        await self._publisher.publish(CONVERSATIONS, marks)
        await self._mark(self._stores.requests, _ids(marks), OutboxState.STORED)

    async def _turns_published(self, turns: Sequence[Turn]) -> None:
        outbox = self._stores.turns
        if not self._effects.sees_turns:
            await self._mark(outbox, [turn.id for turn in turns], OutboxState.PUBLISHED)
            return
        following = {turn.id: build_turn_stored(turn) for turn in turns}
        await self._settle("turn", outbox, following, seen=await self._effects.turns(turns))

    async def _requests_published(self, requests: Sequence[AcceptedRequest]) -> None:
        following = dict(zip(_ids(requests), requests, strict=True))
        seen = await self._effects.requests(requests)
        await self._settle("request", self._stores.requests, following, seen=seen)

    async def _settle(
        self, what: str, outbox: Outbox[ItemT], following: Mapping[str, Event], *, seen: set[str]
    ) -> None:
        """Confirm items with effect, drop those that will have none, and publish the rest again."""
        users = await self._users.of({event.user_id for event in following.values()})
        over = {
            each
            for each, event in following.items()
            if (event.epoch or 0) < users[event.user_id].epoch
        }
        waiting = {each: event for each, event in following.items() if each not in seen | over}
        keys = {each: (event.user_id, event.event_id) for each, event in waiting.items()}
        dead_lettered = await self._find_dead_lettered(what, keys)
        lost = {each: event for each, event in waiting.items() if each not in dead_lettered}
        await self._publisher.publish(CANDIDATES, list(lost.values()))
        await self._mark(outbox, sorted(seen - over), OutboxState.CONFIRMED)
        await self._mark(outbox, sorted(over | dead_lettered), OutboxState.DROPPED)
        await self._mark(outbox, sorted(lost), OutboxState.PUBLISHED)

    async def _windows_published(self, windows: Sequence[Window]) -> None:
        seen = await self._effects.windows(windows)
        waiting = {window.id: window for window in windows if window.id not in seen}
        keys = {
            each: (window.user_id, derive_extraction_request_id(window))
            for each, window in waiting.items()
        }
        dead_lettered = await self._find_dead_lettered("window", keys)
        await self._mark(self._stores.windows, sorted(seen), OutboxState.CONFIRMED)
        await self._mark(self._stores.windows, sorted(dead_lettered), OutboxState.DROPPED)
        await self._send([window for each, window in waiting.items() if each not in dead_lettered])

    async def _find_dead_lettered(self, what: str, events: Mapping[str, EventKey]) -> set[str]:
        """Return events that a later stage dead-lettered. Only a replay may help them."""
        known = await self._effects.dead_lettered(list(events.values()))
        dead_lettered = {each for each, event in events.items() if event in known}
        self._metrics.reconciled(what, "set_aside", len(dead_lettered))
        return dead_lettered

    async def _send(self, windows: Sequence[Window]) -> None:
        users = await self._users.of({window.user_id for window in windows})
        await self._windows.publish_again([(window, users[window.user_id]) for window in windows])

    async def _mark(self, outbox: Outbox[ItemT], ids: Sequence[str], state: OutboxState) -> None:
        await outbox.mark(ids, state, now=self._clock())


def _turns(handle: HandleEntries[Turn]) -> OverdueEntryHandling[Turn]:
    return OverdueEntryHandling("turn", lambda turn: turn.id, handle)


def _requests(handle: HandleEntries[AcceptedRequest]) -> OverdueEntryHandling[AcceptedRequest]:
    return OverdueEntryHandling(
        "request", lambda request: request_id(request.user_id, request.event_id), handle
    )


def _windows(handle: HandleEntries[Window]) -> OverdueEntryHandling[Window]:
    return OverdueEntryHandling("window", lambda window: window.id, handle)


def _ids(requests: Sequence[AcceptedRequest]) -> list[str]:
    return [request_id(request.user_id, request.event_id) for request in requests]
