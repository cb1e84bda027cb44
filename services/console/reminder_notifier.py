"""Sends reminders by mail and chat apps: Apprise delivers them to the addresses of a setting.

Each address is a webhook in the ledger of webhooks, named by the key of the setting. A reminder is
therefore tried again and survives a restart. The address itself may hold a password, so it stays in
the setting.
"""

import logging
from collections.abc import Mapping
from datetime import datetime
from importlib.util import find_spec
from urllib.parse import quote

from pydantic import SecretStr

from palimpsest.api.change_events import ChangeEvent, ChangeEventType
from palimpsest.model.errors import PermanentError
from palimpsest.model.identifiers import derive_id
from palimpsest_server.domain.webhook_schedule import Attempt
from palimpsest_server.stores.webhooks import KnownWebhook

EVERYBODY_ELSE = "*"

_SCHEME = "apprise:"


class AppriseMissing(PermanentError):
    """The settings ask for Apprise, which is not installed."""

    reason = "apprise_missing"


def is_notification(webhook: KnownWebhook) -> bool:
    """Tell whether a webhook stands for an address of the setting, and is not for people to edit."""
    return webhook.url.startswith(_SCHEME)


class ReminderNotifier:
    def __init__(self, urls: Mapping[str, SecretStr]) -> None:
        """`urls` are Apprise's addresses by user id; `*` stands for all other users.

        Raises:
            AppriseMissing: `urls` is not empty, and Apprise is not installed.
        """
        if urls and find_spec("apprise") is None:
            raise AppriseMissing(
                "PALIMPSEST_NOTIFICATION_URLS needs Apprise: uv sync --extra notifications"
            )
        self._urls = urls

    def build_webhooks(self, now: datetime) -> list[KnownWebhook]:
        """Return one webhook for each address; reminders are queued by them."""
        return [
            KnownWebhook(
                id=derive_id("notification", name),
                user_id=None if name == EVERYBODY_ELSE else name,
                url=f"{_SCHEME}{name}",
                types=frozenset({ChangeEventType.TODO_REMINDED}),
                content=True,
                description="reminders by Apprise",
                secret="",
                created_at=now,
                queued_through=now,
            )
            for name in self._urls
        ]

    async def send(self, webhook: KnownWebhook, body: str) -> Attempt:
        """Tell the address of this webhook of a reminder."""
        import apprise  # noqa: PLC0415 - a second that only who sends needs

        # Apprise logs addresses, and on some levels content.
        logging.getLogger("apprise").setLevel(logging.CRITICAL)
        name = webhook.url.removeprefix(_SCHEME)
        event = ChangeEvent.model_validate_json(body)
        user_id, text = event.data.user_id, event.data.content
        named = name == EVERYBODY_ELSE and user_id in self._urls
        if text is None or named:
            # The reminder was erased meanwhile, or its user has an address of their own.
            return Attempt()
        address = self._urls[name].get_secret_value().replace("{user_id}", quote(user_id, safe=""))
        notifier = apprise.Apprise()
        if not notifier.add(address):
            return Attempt(failure="no_address")
        sent = await notifier.async_notify(body=text)
        return Attempt() if sent else Attempt(failure="not_sent")
