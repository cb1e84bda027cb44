"""Outbox of webhooks: queues changes, sends them, and sends test events."""

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import uuid4

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.clock import Clock
from palimpsest_server.delivery.supervisor import BackgroundTask
from palimpsest_server.domain.webhook_schedule import Attempt
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.webhooks import KnownWebhook, WebhookStore
from services.console.metrics import ConsoleMetrics
from services.console.public_addresses import is_public_address
from services.console.recent_webhooks import READ_EVERY, RecentWebhooks
from services.console.reminder_notifier import ReminderNotifier
from services.console.webhook_dispatcher import WebhookDispatcher
from services.console.webhook_queue import WebhookQueue
from services.console.webhook_sender import WebhookSender

TEST_TYPE = "webhook.test"


class WebhookOutbox:
    def __init__(
        self,
        webhooks: WebhookStore,
        change_sets: ChangeSetReader,
        users: UserStates,
        sender: WebhookSender,
        notifier: ReminderNotifier,
        *,
        metrics: ConsoleMetrics,
        clock: Clock,
        read_every: timedelta = READ_EVERY,
    ) -> None:
        """`read_every` is the time after which webhooks of other processes are heard of."""
        self._clock = clock
        self._sender = sender
        self._recent = RecentWebhooks(webhooks, read_every)
        self.dispatcher = WebhookDispatcher(
            webhooks,
            self._recent,
            change_sets,
            users,
            sender,
            notifier,
            metrics=metrics,
            clock=clock,
        )
        self.queue = WebhookQueue(
            webhooks,
            self._recent,
            change_sets,
            users,
            clock=clock,
            on_queued=self.dispatcher.wake.set,
            notifier=notifier,
        )

    @property
    def tasks(self) -> Mapping[str, BackgroundTask]:
        """The background tasks, by name."""
        return {
            "changes for webhooks": self.queue.watch,
            "requests to webhooks": self.dispatcher.watch,
        }

    async def on_change(self, event: ChangeSetAnnounced) -> None:
        """Queue an announced change set. Subscribe this method to `changes`."""
        await self.queue.on_change(event)

    def wake(self) -> None:
        """Check the webhooks now, because one was changed."""
        self._recent.forget()
        self.queue.wake.set()
        self.dispatcher.wake.set()

    async def close(self) -> None:
        await self._sender.close()

    def allows(self, url: str) -> bool:
        """Tell whether an endpoint may have this address, as far as the address itself shows."""
        if self._sender.allows_private:
            return True
        address = urlsplit(url)
        host = address.hostname or ""
        with suppress(ValueError):
            return address.scheme == "https" and is_public_address(host)
        return address.scheme == "https" and "." in host

    async def send_test(self, webhook: KnownWebhook) -> Attempt:
        """Send one test event, which tells of no change and is not stored."""
        event_id = str(uuid4())
        event = {
            "id": event_id,
            "type": TEST_TYPE,
            "timestamp": self._clock().isoformat(),
            "data": {"webhook_id": webhook.id},
        }
        return await self._sender.send(webhook.url, webhook.secret, event_id, json.dumps(event))
