"""Sends queued deliveries to each webhook: signed, in order by record, with retries.

A lease lets one process at a time send to a webhook. It is kept while changes come. When its process
dies, another one takes it over; if it died between a request and its record, the request is repeated
under the same id.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import structlog

from palimpsest.api.change_events import ChangeEvent
from palimpsest.api.webhooks import WebhookDelivery
from palimpsest.model.clock import Clock
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.domain.change_events import list_change_events
from palimpsest_server.domain.webhook_schedule import (
    Attempt,
    compute_pause,
    record_attempt,
    record_outcome,
    select_deliveries,
)
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.webhooks import Deliveries, KnownWebhook, WebhookStore
from services.console.metrics import ConsoleMetrics
from services.console.recent_webhooks import RecentWebhooks
from services.console.reminder_notifier import ReminderNotifier, is_notification
from services.console.webhook_leases import REQUEST_SECONDS, WebhookLeases
from services.console.webhook_sender import WebhookSender

LOOK_EVERY = timedelta(seconds=2)
"""Time between looks for deliveries that are due again."""

BATCH = 64
SIDE_BY_SIDE = 8
"""Requests to one webhook at a time."""

_log = structlog.get_logger("palimpsest.webhooks")


class WebhookDispatcher:
    def __init__(
        self,
        webhooks: WebhookStore,
        recent: RecentWebhooks,
        change_sets: ChangeSetReader,
        users: UserStates,
        sender: WebhookSender,
        notifier: ReminderNotifier,
        *,
        metrics: ConsoleMetrics,
        clock: Clock,
    ) -> None:
        self._webhooks = webhooks
        self._recent = recent
        self._change_sets = change_sets
        self._users = users
        self._sender = sender
        self._notifier = notifier
        self._metrics = metrics
        self._clock = clock
        self._running: dict[str, asyncio.Task[None]] = {}
        self._queued_meanwhile: set[str] = set()
        """Webhooks whose task is to read once more."""
        self._leases = WebhookLeases(webhooks, clock)
        self._failures: dict[str, int] = {}
        self._paused_until: dict[str, datetime] = {}
        self.wake = asyncio.Event()

    async def watch(self) -> None:
        """Send whatever is due, until cancelled."""
        try:
            await run_periodically(
                self._start_all,
                every=LOOK_EVERY,
                log=_log,
                failure="could not look for webhooks",
                wake=self.wake,
            )
        finally:
            for task in self._running.values():
                task.cancel()
            await asyncio.gather(*self._running.values(), return_exceptions=True)
            await self._leases.release_all()

    async def look(self) -> None:
        """Send all due deliveries, and return when they are sent."""
        await self._start_all()
        await asyncio.gather(*self._running.values())
        await self._leases.release_all()

    async def _start_all(self) -> None:
        for webhook in await self._recent.list():
            task = self._running.get(webhook.id)
            if not webhook.enabled:
                continue
            if task is None or task.done():
                self._running[webhook.id] = asyncio.create_task(self._work_off(webhook.id))
            else:
                self._queued_meanwhile.add(webhook.id)

    async def _work_off(self, webhook_id: str) -> None:
        """Send batches to one webhook until nothing is due, or until it fails."""
        now = self._clock()
        paused = self._paused_until.get(webhook_id)
        if paused is not None and now < paused <= now + compute_pause(BATCH):
            return
        try:
            while await self._send_batch(webhook_id):
                pass
        except Exception as error:  # noqa: BLE001 - the next look may go better
            _log.warning("could not send to a webhook", **describe_failure(error))

    async def _send_batch(self, webhook_id: str) -> bool:
        """Send some due deliveries, and return whether to go on at once."""
        self._queued_meanwhile.discard(webhook_id)
        known = {webhook.id: webhook for webhook in await self._recent.list()}
        webhook = known.get(webhook_id)
        if webhook is None or not webhook.enabled:
            await self._leases.release([webhook_id])
            return False
        was_held = self._leases.holds(webhook_id)
        # A failing webhook gets one request, to learn whether it works again.
        limit = BATCH if webhook.failing_since is None else 1
        due, heads = await self._webhooks.due(webhook_id, now=self._clock(), limit=limit)
        if not due:
            await self._leases.release([webhook_id])
        elif not await self._leases.prolong(webhook_id):
            return False
        elif not was_held:
            # Until now another process may have sent what was read.
            return True
        elif not await self._send(webhook, due, heads):
            await self._leases.release([webhook_id])
            return False
        return len(due) == limit or webhook_id in self._queued_meanwhile

    async def _send(self, webhook: KnownWebhook, due: Deliveries, heads: Deliveries) -> bool:
        """Send these deliveries, record their outcomes, and return whether the webhook takes more."""
        selection = select_deliveries(due, heads)
        bodies = await self._write_bodies(webhook, due)
        turnstile = asyncio.Semaphore(SIDE_BY_SIDE)

        async def send(run: Sequence[WebhookDelivery]) -> list[WebhookDelivery]:
            async with turnstile:
                return await self._send_run(webhook, run, bodies)

        tried = [
            delivery for run in await asyncio.gather(*map(send, selection.runs)) for delivery in run
        ]
        await self._webhooks.record([*selection.postponed, *tried])
        if tried:
            webhook = await self._note(webhook, tried)
        return webhook.enabled and webhook.id not in self._paused_until

    async def _send_run(
        self, webhook: KnownWebhook, run: Sequence[WebhookDelivery], bodies: Mapping[str, str]
    ) -> list[WebhookDelivery]:
        """Send these deliveries one after another, up to the first failure or the end of the lease."""
        tried: list[WebhookDelivery] = []
        for delivery in run:
            if not await self._leases.keep(webhook.id):
                break
            attempt = await self._attempt(webhook, delivery.event_id, bodies[delivery.id])
            self._metrics.webhook_tries.labels(attempt.failure or "delivered").inc()
            tried.append(record_attempt(delivery, attempt, self._clock()))
            if attempt.failure is not None:
                break
        return tried

    async def _attempt(self, webhook: KnownWebhook, event_id: str, body: str) -> Attempt:
        if is_notification(webhook):
            try:
                async with asyncio.timeout(REQUEST_SECONDS):
                    return await self._notifier.send(webhook, body)
            except TimeoutError:
                return Attempt(failure="timed_out")
        return await self._sender.send(webhook.url, webhook.secret, event_id, body)

    async def _note(self, webhook: KnownWebhook, tried: Sequence[WebhookDelivery]) -> KnownWebhook:
        now = self._clock()
        attempts = [Attempt(delivery.response_status, delivery.failure) for delivery in tried]
        after = record_outcome(webhook, attempts, now)
        if after != webhook:
            changed = {"failing_since"}
            if not after.enabled:
                changed |= {"enabled", "disabled_reason"}
                _log.warning("a webhook was switched off", reason=after.disabled_reason)
            await self._webhooks.write(after, changed)
            self._recent.forget()
        if after.failing_since is None:
            self._failures.pop(webhook.id, None)
            self._paused_until.pop(webhook.id, None)
        else:
            failures = self._failures.get(webhook.id, 0) + 1
            self._failures[webhook.id] = failures
            self._paused_until[webhook.id] = now + compute_pause(failures)
        return after

    async def _write_bodies(
        self, webhook: KnownWebhook, deliveries: Sequence[WebhookDelivery]
    ) -> dict[str, str]:
        """Return the body of each delivery by its id, with content read now: none that was erased."""
        words = await self._read_words(deliveries) if webhook.content else {}
        return {
            delivery.id: ChangeEvent(
                id=delivery.event_id,
                type=delivery.type,
                timestamp=delivery.timestamp,
                data=delivery.changed.model_copy(update={"content": words.get(delivery.event_id)}),
            ).model_dump_json(exclude_none=True)
            for delivery in deliveries
        }

    async def _read_words(self, deliveries: Sequence[WebhookDelivery]) -> dict[str, str | None]:
        change_set_ids = list({delivery.changed.change_set_id for delivery in deliveries})
        change_sets = await self._change_sets.by_ids(change_set_ids)
        states = await self._users.of({change_set.user_id for change_set in change_sets})
        return {
            event.id: event.data.content
            for change_set in change_sets
            for event in list_change_events(change_set, states[change_set.user_id])
        }
