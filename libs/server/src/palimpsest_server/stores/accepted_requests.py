"""Accepted events that are no messages: "remember this", feedback, and the marks of sessions."""

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
"""Sent on as they are: the one writer decides about them, and nothing else follows."""

AcceptedRequest: TypeAlias = ConsolidatorRequest | SessionStarted | SessionEnded


def request_id(user_id: str, event_id: str) -> str:
    """Event ids are the client's own: two users may use the same."""
    return derive_id("request", user_id, event_id)


class AcceptedRequestStore(Outbox[AcceptedRequest], Protocol):
    """Store accepted requests by `request_id`."""

    async def accept(
        self, events: Sequence[AcceptedRequest], *, now: datetime
    ) -> Mapping[str, OutboxEntry[AcceptedRequest]]:
        """Keep these, and return those that were kept before."""
        ...
