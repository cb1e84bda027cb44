"""The ledger: every request to a language model, from its first note until its effect is confirmed.

pending → leased → answered → published → confirmed, or failed. The answer is
stored before anything follows from it, and an answered request is never asked
again. An answer may be confirmed before it was marked as published.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Protocol

from palimpsest.events.extractor_answers import ExtractorAnswer
from palimpsest.events.extractor_requests import ExtractionRequested, ExtractorRequest


class ModelRequestState(StrEnum):
    PENDING = "pending"
    LEASED = "leased"
    ANSWERED = "answered"
    PUBLISHED = "published"
    CONFIRMED = "confirmed"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class ModelRequestLease:
    """The right to work on one request and to hand in its answer."""

    request: ExtractorRequest
    token: str
    attempt: int
    """Number of this attempt, from 1; counted before the work."""

    @property
    def request_id(self) -> str:
        return self.request.request_id


@dataclass(frozen=True, kw_only=True)
class LeasedAnswer:
    """An answer to a request, handed in under the lease that allowed the work."""

    lease: ModelRequestLease
    event: ExtractorAnswer


@dataclass(frozen=True, kw_only=True)
class AnsweredRequest:
    """An answered request whose effect is not confirmed, without the answer's content."""

    request_id: str
    user_id: str
    event_id: str
    since: datetime
    """When the request entered its state."""


@dataclass(frozen=True, kw_only=True)
class LedgerBacklog:
    """The number of waiting requests, and the time since which the oldest waits."""

    counts: Mapping[ModelRequestState, int]
    """Number of requests by state. Confirmed requests are left out, as their number only grows."""
    oldest_pending: datetime | None
    """When the longest waiting pending request was written down."""


class LedgerBacklogReader(Protocol):
    async def backlog(self) -> LedgerBacklog:
        """Count the requests that are not confirmed, in the whole deployment."""
        ...


class LedgerReader(Protocol):
    async def known(self, request_ids: Sequence[str]) -> set[str]:
        """Return those of `request_ids` that were ever written down, whatever their state."""
        ...


class Ledger(LedgerReader, LedgerBacklogReader, Protocol):
    """Requests by id; the request of a window has the window's id. Callers pass in every time."""

    async def write_down(self, requests: Sequence[ExtractorRequest], *, now: datetime) -> int:
        """Write requests down as pending; return how many of them are waiting now.

        A known id changes nothing, unless its request failed: then the request is pending again, which
        is how the replay of a dead letter works.
        """
        ...

    async def lease(self, *, limit: int, until: datetime, now: datetime) -> list[ModelRequestLease]:
        """Lease up to `limit` pending requests that are due, and count the attempt.

        At most one request per session is leased at any time, across processes. Users take turns;
        one user's requests are leased oldest first. Fewer may be leased than are due (another
        process was faster, one session filled the page): call again until none are returned.
        """
        ...

    async def answer(self, answers: Sequence[LeasedAnswer], *, now: datetime) -> set[str]:
        """Store answers; return the ids of those accepted. An answer is refused if its lease was lost.

        The same answer under the same lease is accepted again.
        """
        ...

    async def postpone(
        self, lease: ModelRequestLease, *, until: datetime, now: datetime, tried: bool = True
    ) -> None:
        """Give a request back until `until`; do nothing if the lease is lost.

        With `tried=False` the attempt does not count.
        """
        ...

    async def fail(self, lease: ModelRequestLease, *, reason: str, now: datetime) -> None:
        """Mark a request as failed and drop its texts; do nothing if the lease is lost."""
        ...

    async def mark_published(self, request_ids: Sequence[str], *, now: datetime) -> None:
        """Mark answers as published to Kafka, possibly once more; confirmed requests stay as they are."""
        ...

    async def confirm(self, request_ids: Sequence[str], *, now: datetime) -> None:
        """Mark requests as confirmed, their effect having been seen; texts are dropped, answers kept."""
        ...

    async def drop(
        self, requests: Sequence[tuple[str, str]], *, reason: str, now: datetime
    ) -> None:
        """Drop requests, given as (request id, user id): erase their texts and answers.

        Nothing follows from a dropped request. Its id stays known, even if it was never seen before.
        """
        ...

    async def release(self, *, now: datetime, leased_before: datetime | None = None) -> int:
        """Return requests whose lease has ended to the pending ones; return how many.

        With `leased_before`, leases taken before that moment end too, for a caller that knows that
        their holder is gone.
        """
        ...

    async def underway(self, state: ModelRequestState, *, limit: int) -> list[AnsweredRequest]:
        """Return answered or published requests, longest in that state first."""
        ...

    async def answers(self, request_ids: Sequence[str]) -> list[ExtractorAnswer]:
        """Return the stored answers of these requests; requests without an answer are left out."""
        ...


MILLISECONDS_PER_KILOBYTE = 40
"""Processor time of the local rules for a kilobyte of message text."""

MAXIMUM_MESSAGE_MILLISECONDS = 1_000
"""Bound on the estimate of one message: the rules cut a message that takes longer."""


class QueuedRequest(NamedTuple):
    user_id: str
    cost: int
    """Estimated milliseconds of processor time, at least 1."""


def estimate_request_cost(request: ExtractorRequest) -> QueuedRequest:
    """Estimate what a request costs by the lengths of its new messages."""
    turns = request.fresh if isinstance(request, ExtractionRequested) else ()
    cost = sum(
        min(
            len(turn.full_text.encode()) * MILLISECONDS_PER_KILOBYTE // 1_024,
            MAXIMUM_MESSAGE_MILLISECONDS,
        )
        for turn in turns
    )
    return QueuedRequest(request.user_id, max(cost, 1))


def assign_queue_places(
    requests: Sequence[QueuedRequest], *, next_places: Mapping[str, int], current_place: int
) -> list[int]:
    """Assign places in the queue to new requests, in order; the lowest place is served first.

    Start-time fair queueing: a user's requests are spaced by the cost of the one before, and a user
    without waiting requests starts at the head of the queue. So users with work get equal time, however
    much each of them brings, and one query finds the next requests. Places are stored with the requests,
    so the order outlives the process.

    Args:
        requests: the new requests, oldest first.
        next_places: for each user with waiting requests, the place after the last of them.
        current_place: the lowest place that waits.
    """
    following = dict(next_places)
    places: list[int] = []
    for user_id, cost in requests:
        place = max(current_place, following.get(user_id, current_place))
        following[user_id] = place + cost
        places.append(place)
    return places
