"""The outbox of webhooks: every change is queued for whoever asks for it, once.

Announcements save waiting. What none was heard of is found by a look at what was decided since
the last look: so a change that was announced while nobody listened, or on a log that was lost,
is queued all the same. Ids of deliveries are derived, so queueing twice changes nothing.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.clock import Clock
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.domain.change_events import list_change_events, without_content
from palimpsest_server.domain.webhook_schedule import build_deliveries
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.webhooks import KnownWebhook, WebhookStore
from services.console.change_streams import TELLABLE
from services.console.reminder_notifier import ReminderNotifier, is_notification

LOOK_EVERY = timedelta(seconds=5)
"""Time between looks for webhooks that other processes were given."""

SCAN_EVERY = timedelta(minutes=1)

ORDER_GRACE = timedelta(minutes=1)
"""Clocks of writers differ, and what is decided is written down a moment later."""

ARRIVED = 2_000
"""Announced change sets that wait; what is dropped is found by the next scan, which is at once."""

HANDLED = 20_000
"""Ids of change sets that need not be read again."""

PAGE = 100

_log = structlog.get_logger("palimpsest.webhooks")


class WebhookQueue:
    def __init__(
        self,
        webhooks: WebhookStore,
        change_sets: ChangeSetReader,
        users: UserStates,
        *,
        clock: Clock,
        on_queued: Callable[[], None],
        notifier: ReminderNotifier,
    ) -> None:
        self._notifier = notifier
        self._is_registered = False
        self._webhooks = webhooks
        self._change_sets = change_sets
        self._users = users
        self._clock = clock
        self._on_queued = on_queued
        self._told: Sequence[KnownWebhook] = ()
        self._arrived: deque[ChangeSet] = deque()
        self._handled: OrderedDict[str, None] = OrderedDict()
        self._revisions: OrderedDict[str, int] = OrderedDict()
        """The last revision of each user that was heard of."""
        self._scan_at: datetime | None = None
        """When the next scan is due; None for at once."""
        self.wake = asyncio.Event()

    async def on_change(self, event: ChangeSetAnnounced) -> None:
        """Listen with this to `changes`."""
        if not self._told:
            return
        if len(self._arrived) >= ARRIVED:
            self._arrived.clear()
            self._scan_at = None
        else:
            self._arrived.append(event.change_set)
        self.wake.set()

    async def watch(self) -> None:
        """Queue whatever is announced or found, until cancelled."""
        await run_periodically(
            self.look,
            every=LOOK_EVERY,
            log=_log,
            failure="could not queue changes for webhooks",
            wake=self.wake,
        )

    async def look(self) -> None:
        """Queue what has arrived, and what nobody heard of if it is time to look for that."""
        if not self._is_registered:
            await self._register()
        told = [webhook for webhook in await self._webhooks.list() if webhook.enabled]
        if {each.id for each in told} != {each.id for each in self._told}:
            # Known webhooks have been told of what was handled; a new one has not.
            self._handled.clear()
            self._scan_at = None
        self._told = told
        if not told:
            self._arrived.clear()
            return
        now = self._clock()
        if self._scan_at is None or not now < self._scan_at <= now + SCAN_EVERY:
            await self._scan(now)
            self._scan_at = now + SCAN_EVERY
        while self._arrived:
            page = [self._arrived.popleft() for _ in range(min(PAGE, len(self._arrived)))]
            try:
                await self._queue(await self._with_missed(page))
            except Exception:
                self._scan_at = None
                raise

    async def _register(self) -> None:
        """Keep the webhooks that the settings stand for, and no others of the kind."""
        wanted = {webhook.id: webhook for webhook in self._notifier.build_webhooks(self._clock())}
        for known in await self._webhooks.list():
            if is_notification(known) and known.id not in wanted:
                await self._webhooks.delete(known.id)
        for webhook in wanted.values():
            await self._webhooks.add(webhook)
        self._is_registered = True

    async def _scan(self, now: datetime) -> None:
        through = now
        since = min(now, *(webhook.queued_through for webhook in self._told)) - ORDER_GRACE
        unread: list[str] = []
        async for mark in self._change_sets.marks_since(since):
            if mark.progress not in TELLABLE:
                through = min(through, mark.decided_at)
            elif mark.change_set_id not in self._handled:
                unread.append(mark.change_set_id)
            if len(unread) >= PAGE:
                await self._read(unread)
                unread = []
        await self._read(unread)
        await self._webhooks.queued([webhook.id for webhook in self._told], through)

    async def _read(self, change_set_ids: Sequence[str]) -> None:
        if change_set_ids:
            await self._queue(await self._change_sets.by_ids(change_set_ids))

    async def _with_missed(self, arrived: Sequence[ChangeSet]) -> list[ChangeSet]:
        """Return these, each behind those of its user that should have been heard of before."""
        found: list[ChangeSet] = []
        for change_set in arrived:
            last = self._revisions.get(change_set.user_id, change_set.revision - 1)
            missed = change_set.revision - last - 1
            if missed > 0:
                found += await self._change_sets.later(
                    change_set.user_id, revision=last, limit=missed
                )
            found.append(change_set)
            self._revisions[change_set.user_id] = max(last, change_set.revision)
            self._revisions.move_to_end(change_set.user_id)
        while len(self._revisions) > HANDLED:
            self._revisions.popitem(last=False)
        return found

    async def _queue(self, change_sets: Sequence[ChangeSet]) -> None:
        fresh = [change_set for change_set in change_sets if change_set.id not in self._handled]
        states = await self._users.of({change_set.user_id for change_set in fresh})
        events = [
            event
            for change_set in fresh
            for event in list_change_events(change_set, states[change_set.user_id])
        ]
        now, bare = self._clock(), without_content(events)
        deliveries = [each for one in self._told for each in build_deliveries(one, bare, now)]
        if await self._webhooks.queue(deliveries):
            self._on_queued()
        self._handled |= dict.fromkeys(change_set.id for change_set in fresh)
        while len(self._handled) > HANDLED:
            self._handled.popitem(last=False)
