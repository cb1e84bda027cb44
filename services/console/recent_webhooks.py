"""The webhooks as they were read lately, so that not every change reads all of them."""

from collections.abc import Sequence
from datetime import timedelta
from time import monotonic

from palimpsest_server.stores.webhooks import KnownWebhook, WebhookStore

READ_EVERY = timedelta(seconds=2)
"""Time after which a webhook that another process added, changed or disabled is heard of."""


class RecentWebhooks:
    def __init__(self, webhooks: WebhookStore, read_every: timedelta = READ_EVERY) -> None:
        self._webhooks = webhooks
        self._lifetime = read_every.total_seconds()
        self._known: Sequence[KnownWebhook] = ()
        self._read_at: float | None = None

    async def list(self) -> Sequence[KnownWebhook]:
        """Return all webhooks of all users, the oldest first."""
        now = monotonic()
        if self._read_at is None or now - self._read_at >= self._lifetime:
            # Before the read: what is forgotten meanwhile is read again.
            self._read_at = now
            self._known = await self._webhooks.list()
        return self._known

    def forget(self) -> None:
        """Read the webhooks again at the next call, because this process changed one."""
        self._read_at = None
