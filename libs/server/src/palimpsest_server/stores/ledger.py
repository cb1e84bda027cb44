"""The ledger: every request to a language model, from being asked to having had its effect.

pending → leased → answered → published → confirmed, or failed. The answer is
stored before anything follows from it, and what was answered is never asked
again. What has had its effect soon enough was never marked as published.
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
    """From 1, this one included: counted before the work."""

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
    """An answer whose way is not over, without its content."""

    request_id: str
    user_id: str
    event_id: str
    since: datetime
    """When the request entered the state it is in."""


@dataclass(frozen=True, kw_only=True)
class LedgerBacklog:
    """The number of waiting requests, and the time since which the oldest waits."""

    counts: Mapping[ModelRequestState, int]
    """Of every state but confirmed, which only grows."""
    oldest_pending: datetime | None
    """When the longest waiting request was written down."""


class LedgerReader(Protocol):
    async def known(self, request_ids: Sequence[str]) -> set[str]:
        """Return those of `request_ids` that were ever written down, in whatever state they are."""
        ...


class Ledger(LedgerReader, Protocol):
    """Requests by id, which is the window's. Every moment is handed in."""

    async def write_down(self, requests: Sequence[ExtractorRequest], *, now: datetime) -> int:
        """Note requests as pending and return how many are waiting because of this.

        A known id changes nothing, unless it had failed: then it is tried anew,
        which is what replaying a dead letter means.
        """
        ...

    async def lease(self, *, limit: int, until: datetime, now: datetime) -> list[ModelRequestLease]:
        """Take up to `limit` pending requests that are due, and count the attempt.

        One per session at any time, across processes. Users take turns; one
        user's requests are taken oldest first. It may be fewer than could be had
        (another process was quicker, one session filled the page): call again
        until none come.
        """
        ...

    async def answer(self, answers: Sequence[LeasedAnswer], *, now: datetime) -> set[str]:
        """Store answers; the ids of those accepted. Refused is whoever lost the lease.

        The same answer handed in again under the same lease is accepted again.
        """
        ...

    async def postpone(
        self, lease: ModelRequestLease, *, until: datetime, now: datetime, tried: bool = True
    ) -> None:
        """Give a request back, not to be tried before `until`. Nothing, if the lease is lost.

        Where it was not even tried, this was no attempt.
        """
        ...

    async def fail(self, lease: ModelRequestLease, *, reason: str, now: datetime) -> None:
        """Give a request up, its texts dropped. Nothing, if the lease is lost."""
        ...

    async def mark_published(self, request_ids: Sequence[str], *, now: datetime) -> None:
        """Kafka took what follows from these answers (maybe once more); not of what is confirmed."""
        ...

    async def confirm(self, request_ids: Sequence[str], *, now: datetime) -> None:
        """The effect of what was answered was seen: texts are dropped, answers are kept."""
        ...

    async def drop(
        self, requests: Sequence[tuple[str, str]], *, reason: str, now: datetime
    ) -> None:
        """Drop requests (request id, user id).

        Erase their texts and answers, so that nothing follows.

        They stay known. Ids never seen before become known by this.
        """
        ...

    async def release(self, *, now: datetime, leased_before: datetime | None = None) -> int:
        """Return requests whose lease has ended to the pending ones; how many these were.

        With `leased_before` also every lease taken before that moment, for whoever
        knows that its holder is gone.
        """
        ...

    async def underway(self, state: ModelRequestState, *, limit: int) -> list[AnsweredRequest]:
        """The requests answered or published, those longest in that state first."""
        ...

    async def answers(self, request_ids: Sequence[str]) -> list[ExtractorAnswer]:
        """The stored answers of these requests; those that have none are left out."""
        ...

    async def backlog(self) -> LedgerBacklog: ...


MILLISECONDS_PER_KILOBYTE = 40
"""Processor time that the rules take for a kilobyte of what people write."""

MAXIMUM_MESSAGE_MILLISECONDS = 1_000
"""A message that takes longer is cut."""


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
    """Places in the queue for new requests, in order; the lowest is next.

    Start-time fair queueing: a user's requests stand as far apart as the one before costs, and a
    user who comes anew starts where the queue stands now. So users with work get equal time, however
    much each has brought, and taking the next ones is one query. Places are stored with what waits:
    the order outlives the process.

    Args:
        requests: the new requests, oldest first.
        next_places: the place behind the last one of each user who has requests waiting.
        current_place: the lowest place that waits.
    """
    following = dict(next_places)
    places: list[int] = []
    for user_id, cost in requests:
        place = max(current_place, following.get(user_id, current_place))
        following[user_id] = place + cost
        places.append(place)
    return places
