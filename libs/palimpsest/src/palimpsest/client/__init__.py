"""What a chat service imports."""

from palimpsest.client.client import PalimpsestClient
from palimpsest.client.errors import (
    ClientError,
    Conflict,
    EventsRefused,
    InvalidRequest,
    NotAllowed,
    NotConnected,
    NotFound,
    RequestTooLarge,
    ServerFailed,
    TimedOut,
    Unavailable,
)
from palimpsest.client.messages import Message
from palimpsest.client.subscription import Subscription
from palimpsest.events.kafka_security import KafkaSecurity, SaslMechanism, SecurityProtocol

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
    "RequestTooLarge",
    "SaslMechanism",
    "SecurityProtocol",
    "ServerFailed",
    "Subscription",
    "TimedOut",
    "Unavailable",
]
