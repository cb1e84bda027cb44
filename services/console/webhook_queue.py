"""Queue of webhooks: every change is queued once for each webhook that asks for it.

Announcements only save waiting. A scan reads what was decided since the last scan, so a change is
queued as well if nobody heard its announcement, or if the log was lost. Ids of deliveries are
derived, so queueing twice changes nothing.
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
from services.console.recent_webhooks import RecentWebhooks
from services.console.reminder_notifier import ReminderNotifier, is_notification

LOOK_EVERY = timedelta(seconds=5)
"""Longest time between looks."""

SCAN_EVERY = timedelta(minutes=1)

ORDER_GRACE = timedelta(minutes=1)
"""Overlap of two scans: clocks of writers differ, and a change set is stored a moment after its
decision.
"""

ARRIVED = 2_000
"""The most announced change sets that wait. Above it all of them are dropped, and an immediate scan
finds them.
"""

HANDLED = 20_000
"""The most handled change sets and users that are remembered. A remembered change set is not read
again.
"""

PAGE = 100

_log = structlog.get_logger("palimpsest.webhooks")


class WebhookQueue:
    def __init__(
        self,
        webhooks: WebhookStore,
        recent: RecentWebhooks,
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
        self._recent = recent
        self._change_sets = change_sets
        self._users = users
        self._clock = clock
        self._on_queued = on_queued
        self._told: Sequence[KnownWebhook] = ()
        self._arrived: deque[ChangeSet] = deque()
        self._handled: OrderedDict[str, None] = OrderedDict()
        self._revisions: OrderedDict[str, int] = OrderedDict()
        """The last announced revision of each user."""
        self._scan_at: datetime | None = None
        """The time of the next scan; None for at once."""
        self.wake = asyncio.Event()

    async def on_change(self, event: ChangeSetAnnounced) -> None:
        """Queue an announced change set. Subscribe this method to `changes`."""
        if not self._told:
            return
        if len(self._arrived) >= ARRIVED:
            self._arrived.clear()
            self._scan_at = None
        else:
            self._arrived.append(event.change_set)
        self.wake.set()

    async def watch(self) -> None:
        """Queue announced and found changes, until cancelled."""
        await run_periodically(
            self.look,
            every=LOOK_EVERY,
            log=_log,
            failure="could not queue changes for webhooks",
            wake=self.wake,
        )

    async def look(self) -> None:
        """Queue announced changes; if a scan is due, also those whose announcement was missed."""
        if not self._is_registered:
            await self._register()
        told = [webhook for webhook in await self._recent.list() if webhook.enabled]
        if {webhook.id for webhook in told} != {webhook.id for webhook in self._told}:
            # Known webhooks were told of the handled change sets. A new webhook was not.
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
        """Make the stored webhooks of the setting equal to its addresses."""
        wanted = {webhook.id: webhook for webhook in self._notifier.build_webhooks(self._clock())}
        for known in await self._webhooks.list():
            if is_notification(known) and known.id not in wanted:
                await self._webhooks.delete(known.id)
        for webhook in wanted.values():
            await self._webhooks.add(webhook)
        self._recent.forget()
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
        """Return these change sets, each behind those of its user whose announcement was missed."""
        change_sets: list[ChangeSet] = []
        for change_set in arrived:
            last = self._revisions.get(change_set.user_id, change_set.revision - 1)
            missed = change_set.revision - last - 1
            if missed > 0:
                change_sets += await self._change_sets.later(
                    change_set.user_id, revision=last, limit=missed
                )
            change_sets.append(change_set)
            self._revisions[change_set.user_id] = max(last, change_set.revision)
            self._revisions.move_to_end(change_set.user_id)
        while len(self._revisions) > HANDLED:
            self._revisions.popitem(last=False)
        return change_sets

    async def _queue(self, change_sets: Sequence[ChangeSet]) -> None:
        fresh = [change_set for change_set in change_sets if change_set.id not in self._handled]
        states = await self._users.of({change_set.user_id for change_set in fresh})
        events = [
            event
            for change_set in fresh
            for event in list_change_events(change_set, states[change_set.user_id])
        ]
        now, bare = self._clock(), without_content(events)
        deliveries = [
            delivery for webhook in self._told for delivery in build_deliveries(webhook, bare, now)
        ]
        if deliveries:
            await self._webhooks.queue(deliveries)
            # Also where another process was first: the one that holds the lease is not told by it.
            self._on_queued()
        self._handled |= dict.fromkeys(change_set.id for change_set in fresh)
        while len(self._handled) > HANDLED:
            self._handled.popitem(last=False)
