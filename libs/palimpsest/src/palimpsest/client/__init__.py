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
    "TimedOut",
    "TooManyRequests",
    "Unavailable",
]


def __getattr__(name: str) -> object:
    """Load `Subscription` when it is asked for, because it loads aiokafka."""
    if name == "Subscription":
        from palimpsest.client.subscription import Subscription  # noqa: PLC0415 - loads aiokafka

        return Subscription
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
