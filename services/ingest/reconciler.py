"""Looks after what was kept and never got on: published again, confirmed, or let go.

The embedded broker loses its log with its process, and a publisher may die
between keeping and publishing. Both leave the same trace: something stands
as stored or published for too long. Silent sessions are closed here too.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import compress
from operator import not_
from typing import TypeVar

import structlog

from palimpsest.events.envelope import Event
from palimpsest.events.extraction_requests import derive_extraction_request_id
from palimpsest.events.topics import CANDIDATES, CONVERSATIONS
from palimpsest.model.clock import Clock
from palimpsest.model.turn import Turn
from palimpsest.model.window import Window, WindowTrigger
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.stores.accepted_requests import (
    AcceptedRequest,
    ConsolidatorRequest,
    request_id,
)
from palimpsest_server.stores.dead_letters import EventKey
from palimpsest_server.stores.outbox import Outbox, OutboxState
from palimpsest_server.stores.sessions import Session, SessionKey
from palimpsest_server.stores.user_states import UserStates
from services.ingest.ingest_stores import IngestStores
from services.ingest.metrics import IngestMetrics
from services.ingest.overdue_entries import (
    ENTRIES_PER_PAGE,
    HandleEntries,
    OverdueEntryHandling,
    OverdueEntryScan,
)
from services.ingest.prepare_events import ConversationEvent
from services.ingest.publication_effects import PublicationEffects
from services.ingest.publish_windows import SessionToWindow, WindowPublisher, is_extraction_enabled
from services.ingest.turn_conversion import rebuild_message
from services.ingest.turn_events import build_turn_stored

_TAKEN_AT_ONCE = 256

ItemT = TypeVar("ItemT")

_log = structlog.get_logger("palimpsest.ingest")


@dataclass(frozen=True, kw_only=True)
class IngestReconcilerTimes:
    interval: timedelta
    """Between two looks."""
    grace: timedelta
    """How long anything may be without its effect before it is published again."""
    idle_after: timedelta
    """How long a session without extraction is left alone before it is looked at again."""


class IngestReconciler:
    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        keeping: IngestStores,
        effects: PublicationEffects,
        users: UserStates,
        publisher: Publisher,
        windowing: WindowPublisher,
        metrics: IngestMetrics,
        clock: Clock,
        times: IngestReconcilerTimes,
        take: Callable[[Sequence[ConversationEvent]], Awaitable[object]],
    ) -> None:
        self._take = take
        self._keeping = keeping
        self._effects = effects
        self._users = users
        self._publisher = publisher
        self._windowing = windowing
        self._metrics = metrics
        self._clock = clock
        self._times = times

    async def watch(self, *, log_was_lost: bool) -> None:
        """Look again and again, until cancelled.

        With `log_was_lost` whatever was kept before now is looked at first.
        """
        if not self._effects.sees_turns:
            _log.warning(
                "nobody confirms turns: this process cannot see whether they became searchable, "
                "so one that is lost on its way is not published again",
                advice="PALIMPSEST_VECTORS=server, or one process for ingest and consolidator",
            )
        lost_before = self._clock() if log_was_lost else None
        while True:
            if await self._went_well(self.look(before=lost_before)):
                lost_before = None
            # Whatever keeps effects from being seen, silent sessions need none of it.
            await self._went_well(self.close_silent())
            await asyncio.sleep(self._times.interval.total_seconds())

    async def _went_well(self, step: Awaitable[object]) -> bool:
        try:
            await step
        except Exception as error:  # noqa: BLE001 - the next look may go better
            _log.warning("ingest could not be reconciled", **describe_failure(error))
            return False
        return True

    async def number_what_was_accepted(self) -> None:
        """Take in what an earlier process had accepted and Kafka has lost, before anything new.

        Later it would get a number behind what was said after it. What cannot
        be taken in now is left to the next look.
        """
        turns = await self._keeping.turns.unnumbered()
        for start in range(0, len(turns), _TAKEN_AT_ONCE):
            part = turns[start : start + _TAKEN_AT_ONCE]
            if not await self._went_well(self._take([rebuild_message(turn) for turn in part])):
                return

    async def look(self, *, before: datetime | None = None) -> None:
        """Once over everything that has been pending for longer than the grace.

        With `before` over everything that was pending at that moment, for
        Kafka has lost what it had of it.
        """
        due = before or self._clock() - self._times.grace
        stored, published = OutboxState.STORED, OutboxState.PUBLISHED
        turns, requests, windows = (
            self._keeping.turns,
            self._keeping.requests,
            self._keeping.windows,
        )
        pages = OverdueEntryScan(before=due, metrics=self._metrics, clock=self._clock)
        # Windows first: of the turns that follow new ones are cut, which must not overtake them.
        # And what leaves `stored` in this look is not to be met as `published` in the same.
        await pages.through(windows, published, _windows(self._windows_published))
        await pages.through(windows, stored, _windows(self._send))
        if self._effects.sees_turns:
            await pages.through(turns, published, _turns(self._turns_published))
        await pages.through(requests, published, _requests(self._requests_published))
        await pages.through(turns, stored, _turns(self._turns_stored))
        await pages.through(requests, stored, _requests(self._requests_stored))
        pages.measure("turn", "request", "window")

    async def close_silent(self) -> None:
        """Window what is left in sessions that have been silent for long enough."""
        page: Sequence[Session] | None = None
        while page is None or len(page) == ENTRIES_PER_PAGE:
            now = self._clock()
            page = await self._keeping.sessions.idle(now=now, limit=ENTRIES_PER_PAGE)
            users = await self._users.of({session.user_id for session in page})
            await self._windowing.cut(
                [
                    SessionToWindow(
                        session=session, user=users[session.user_id], closing=WindowTrigger.IDLE
                    )
                    for session in page
                ]
            )
            for session in page:
                # Whoever has extraction switched off may switch it on again: then it is due.
                waits = not is_extraction_enabled(users[session.user_id])
                until = now + self._times.idle_after if waits else None
                await self._keeping.sessions.settle_idle(session, until=until)

    async def _turns_stored(self, turns: Sequence[Turn]) -> None:
        keys = [SessionKey.of(turn) for turn in turns]
        sessions = await self._keeping.sessions.of(keys)
        published = [
            0 < (turn.sequence or 0) <= sessions[key].published_through
            for turn, key in zip(turns, keys, strict=True)
        ]
        await self._turns_published(list(compress(turns, published)))
        await self._turns_to_conversations(list(compress(turns, map(not_, published))))

    async def _turns_to_conversations(self, turns: Sequence[Turn]) -> None:
        """As if they had just been accepted: the intake gives those their numbers that have none."""
        await self._publisher.publish(CONVERSATIONS, [rebuild_message(turn) for turn in turns])
        await self._mark(self._keeping.turns, [turn.id for turn in turns], OutboxState.STORED)

    async def _requests_stored(self, requests: Sequence[AcceptedRequest]) -> None:
        """Return what is to be remembered may have been sent on.

        The intake alone knows about sessions.
        """
        remembered = [each for each in requests if isinstance(each, ConsolidatorRequest)]
        marks = [each for each in requests if not isinstance(each, ConsolidatorRequest)]
        await self._requests_published(remembered)
        await self._publisher.publish(CONVERSATIONS, marks)
        await self._mark(self._keeping.requests, _ids(marks), OutboxState.STORED)

    async def _turns_published(self, turns: Sequence[Turn]) -> None:
        outbox = self._keeping.turns
        if not self._effects.sees_turns:
            await self._mark(outbox, [turn.id for turn in turns], OutboxState.PUBLISHED)
            return
        following = {turn.id: build_turn_stored(turn) for turn in turns}
        await self._settle("turn", outbox, following, seen=await self._effects.turns(turns))

    async def _requests_published(self, requests: Sequence[AcceptedRequest]) -> None:
        following = dict(zip(_ids(requests), requests, strict=True))
        seen = await self._effects.requests(requests)
        await self._settle("request", self._keeping.requests, following, seen=seen)

    async def _settle(
        self, what: str, outbox: Outbox[ItemT], following: Mapping[str, Event], *, seen: set[str]
    ) -> None:
        """Confirm what had its effect, let go of what will have none, publish the rest again."""
        users = await self._users.of({event.user_id for event in following.values()})
        over = {
            each
            for each, event in following.items()
            if (event.epoch or 0) < users[event.user_id].epoch
        }
        waiting = {each: event for each, event in following.items() if each not in seen | over}
        keys = {each: (event.user_id, event.event_id) for each, event in waiting.items()}
        aside = await self._find_dead_lettered(what, keys)
        lost = {each: event for each, event in waiting.items() if each not in aside}
        await self._publisher.publish(CANDIDATES, list(lost.values()))
        await self._mark(outbox, sorted(seen - over), OutboxState.CONFIRMED)
        await self._mark(outbox, sorted(over | aside), OutboxState.DROPPED)
        await self._mark(outbox, sorted(lost), OutboxState.PUBLISHED)

    async def _windows_published(self, windows: Sequence[Window]) -> None:
        seen = await self._effects.windows(windows)
        waiting = {window.id: window for window in windows if window.id not in seen}
        keys = {
            each: (window.user_id, derive_extraction_request_id(window))
            for each, window in waiting.items()
        }
        aside = await self._find_dead_lettered("window", keys)
        await self._mark(self._keeping.windows, sorted(seen), OutboxState.CONFIRMED)
        await self._mark(self._keeping.windows, sorted(aside), OutboxState.DROPPED)
        await self._send([window for each, window in waiting.items() if each not in aside])

    async def _find_dead_lettered(self, what: str, events: Mapping[str, EventKey]) -> set[str]:
        """Return those a later stage set aside.

        Published again they would be so again, a replay may do.
        """
        known = await self._effects.dead_lettered(list(events.values()))
        aside = {each for each, event in events.items() if event in known}
        self._metrics.reconciled(what, "set_aside", len(aside))
        return aside

    async def _send(self, windows: Sequence[Window]) -> None:
        users = await self._users.of({window.user_id for window in windows})
        await self._windowing.send_again([(window, users[window.user_id]) for window in windows])

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
