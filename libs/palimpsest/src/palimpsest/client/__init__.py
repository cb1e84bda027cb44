"""The client that a chat service imports."""

from typing import TYPE_CHECKING

from palimpsest.client.client import PalimpsestClient
from palimpsest.client.errors import (
    ClientError,
    Conflict,
    EventsRefused,
    InvalidRequest,
    NotAllowed,
    NotConnected,
    NotFound,
    PermissionDenied,
    RequestTooLarge,
    ServerFailed,
    TimedOut,
    TooManyRequests,
    Unavailable,
)
from palimpsest.client.messages import Message
from palimpsest.events.kafka_security import KafkaSecurity, SaslMechanism, SecurityProtocol

if TYPE_CHECKING:
    from palimpsest.client.subscription import Subscription
    from palimpsest.client.sync_client import SyncPalimpsestClient

__all__ = [
    "ClientError",
    "Conflict",
    "EventsRefused",
    "InvalidRequest",
    "KafkaSecurity",
    "Message",
    "NotAllowed",
    "NotConnected",
    "NotFound",
    "PalimpsestClient",
    "PermissionDenied",
    "RequestTooLarge",
    "SaslMechanism",
    "SecurityProtocol",
    "ServerFailed",
    "Subscription",
    "SyncPalimpsestClient",
    "TimedOut",
    "TooManyRequests",
    "Unavailable",
]


def __getattr__(name: str) -> object:
    """Load what few need when it is asked for: `Subscription` loads aiokafka."""
    if name == "Subscription":
        from palimpsest.client.subscription import Subscription  # noqa: PLC0415 - loads aiokafka

        return Subscription
    if name == "SyncPalimpsestClient":
        from palimpsest.client.sync_client import SyncPalimpsestClient  # noqa: PLC0415 - for some

        return SyncPalimpsestClient
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
