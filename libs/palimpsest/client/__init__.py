"""What a chat service imports."""

from palimpsest.client.client import PalimpsestClient
from palimpsest.client.errors import (
    ClientError,
    Conflict,
    EventsRefused,
    InvalidRequest,
    NotConnected,
    NotFound,
    RequestTooLarge,
    ServerFailed,
    TimedOut,
    Unavailable,
)
from palimpsest.client.messages import Message
from palimpsest.client.subscription import Subscription

__all__ = [
    "ClientError",
    "Conflict",
    "EventsRefused",
    "InvalidRequest",
    "Message",
    "NotConnected",
    "NotFound",
    "PalimpsestClient",
    "RequestTooLarge",
    "ServerFailed",
    "Subscription",
    "TimedOut",
    "Unavailable",
]
