"""Leases of webhooks: one process at a time sends to a webhook, for as long as it has its lease."""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import uuid4

import structlog

from palimpsest.model.clock import Clock
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.stores.webhooks import WebhookStore

LEASE = timedelta(seconds=30)
"""For so long a process that died keeps others from sending to a webhook."""

PROLONGED_EVERY = timedelta(seconds=5)
"""Age of a lease at which it is prolonged. A write for each batch would cost as much as its outcomes."""

REQUEST_SECONDS = 15.0
"""The longest time of one request. With the record of its outcome it ends before a lease that was
prolonged before it began, even if all requests of a batch time out.
"""

_log = structlog.get_logger("palimpsest.webhooks")


class WebhookLeases:
    def __init__(self, webhooks: WebhookStore, clock: Clock) -> None:
        self._webhooks = webhooks
        self._clock = clock
        self._holder = str(uuid4())
        self._prolonged_at: dict[str, datetime] = {}

    def holds(self, webhook_id: str) -> bool:
        """Tell whether this process has had the lease without a gap until now."""
        return self._is_younger(webhook_id, LEASE)

    async def prolong(self, webhook_id: str) -> bool:
        """Take or prolong a lease; return False if another process has it, or nobody knows."""
        if self._is_younger(webhook_id, PROLONGED_EVERY):
            return True
        now = self._clock()
        try:
            taken = await self._webhooks.lease(webhook_id, self._holder, now=now, until=now + LEASE)
        except Exception as error:  # noqa: BLE001 - what was sent so far is still to be recorded
            _log.warning("could not prolong the lease of a webhook", **describe_failure(error))
            return False
        if taken:
            self._prolonged_at[webhook_id] = now
        else:
            self._prolonged_at.pop(webhook_id, None)
        return taken

    async def keep(self, webhook_id: str) -> bool:
        """Prolong a lease; return False if this process has not had it without a gap."""
        return self.holds(webhook_id) and await self.prolong(webhook_id)

    async def release(self, webhook_ids: Collection[str]) -> None:
        """Give back those of these leases that this process has."""
        for webhook_id in webhook_ids:
            if self._prolonged_at.pop(webhook_id, None) is not None:
                await self._webhooks.release(webhook_id, self._holder)

    async def release_all(self) -> None:
        try:
            await self.release(list(self._prolonged_at))
        except Exception as error:  # noqa: BLE001 - they end by themselves
            _log.warning("could not give back a lease of a webhook", **describe_failure(error))

    def _is_younger(self, webhook_id: str, age: timedelta) -> bool:
        at = self._prolonged_at.get(webhook_id)
        return at is not None and at <= self._clock() < at + age
