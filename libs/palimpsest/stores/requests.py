"""Accepted events that are no messages: "remember this", feedback, and the marks of sessions."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeAlias

from palimpsest.contracts.conversations import (
    RememberRequested,
    SessionEnded,
    SessionStarted,
    SummaryPublished,
)
from palimpsest.contracts.feedback import FeedbackGiven, RecallUsed
from palimpsest.contracts.skills import SkillFailed, SkillSucceeded
from palimpsest.domain.identifiers import derive
from palimpsest.stores.outbox import Kept, Outbox

ForTheWriter: TypeAlias = (
    RememberRequested | SummaryPublished | FeedbackGiven | RecallUsed | SkillSucceeded | SkillFailed
)
"""Sent on as they are: the one writer decides about them, and nothing else follows."""

AcceptedRequest: TypeAlias = ForTheWriter | SessionStarted | SessionEnded


def request_id(user_id: str, event_id: str) -> str:
    """Event ids are the client's own: two users may use the same."""
    return derive("request", user_id, event_id)


class RequestStore(Outbox[AcceptedRequest], Protocol):
    """By `request_id`."""

    async def accept(
        self, events: Sequence[AcceptedRequest], *, now: datetime
    ) -> Mapping[str, Kept[AcceptedRequest]]:
        """Keep these, and return those that were kept before."""
        ...
