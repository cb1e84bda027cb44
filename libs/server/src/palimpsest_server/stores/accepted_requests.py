"""Accepted events that are not messages: requests to remember, feedback, starts and ends of sessions."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeAlias

from palimpsest.events.conversations import (
    RememberRequested,
    SessionEnded,
    SessionStarted,
    SummaryPublished,
)
from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.events.skills import SkillFailed, SkillSucceeded
from palimpsest.model.identifiers import derive_id
from palimpsest_server.stores.outbox import Outbox, OutboxEntry

ConsolidatorRequest: TypeAlias = (
    RememberRequested | SummaryPublished | FeedbackGiven | RecallUsed | SkillSucceeded | SkillFailed
)
"""Requests that ingest publishes unchanged. The consolidator alone decides about them."""

AcceptedRequest: TypeAlias = ConsolidatorRequest | SessionStarted | SessionEnded


def request_id(user_id: str, event_id: str) -> str:
    """Derive the id of a request from its user and its event id, since two clients may use one event id."""
    return derive_id("request", user_id, event_id)


class AcceptedRequestStore(Outbox[AcceptedRequest], Protocol):
    """Store accepted requests by `request_id`."""

    async def accept(
        self, events: Sequence[AcceptedRequest], *, now: datetime
    ) -> Mapping[str, OutboxEntry[AcceptedRequest]]:
        """Store these events, and return the entries of those that were stored before."""
        ...
