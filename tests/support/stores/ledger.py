"""The ledger in memory: the twin for tests."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from palimpsest.events.extractor_answers import ExtractorAnswer
from palimpsest.events.extractor_requests import ExtractorRequest
from palimpsest_server.stores.ledger import (
    AnsweredRequest,
    LeasedAnswer,
    LedgerBacklog,
    ModelRequestLease,
    ModelRequestState,
    assign_queue_places,
    estimate_request_cost,
)


@dataclass
class _Entry:
    request_id: str
    user_id: str
    state: ModelRequestState
    since: datetime
    session: tuple[str, str | None] | None = None
    request: ExtractorRequest | None = None
    answer: ExtractorAnswer | None = None
    answered_under: str | None = None
    reason: str | None = None
    place: int = 0
    cost: int = 1
    written_at: datetime | None = None
    next_attempt_at: datetime | None = None
    attempts: int = 0
    lease_token: str | None = None
    lease_until: datetime | None = None
    leased_at: datetime | None = None

    def move(self, state: ModelRequestState, now: datetime) -> None:
        self.state = state
        self.since = now
        self.lease_token = self.lease_until = self.leased_at = None


class InMemoryLedger:
    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}

    async def known(self, request_ids: Sequence[str]) -> set[str]:
        return {request_id for request_id in request_ids if request_id in self._entries}

    async def write_down(self, requests: Sequence[ExtractorRequest], *, now: datetime) -> int:
        by_id = {request.request_id: request for request in requests}
        waiting = [
            request for request_id, request in by_id.items() if self._is_new_or_failed(request_id)
        ]
        due_places = [entry.place for entry in self._due(now)]
        next_places: dict[str, int] = {}
        for entry in self._in(ModelRequestState.PENDING):
            behind = entry.place + entry.cost
            next_places[entry.user_id] = max(next_places.get(entry.user_id, 0), behind)
        queued = [estimate_request_cost(request) for request in waiting]
        places = assign_queue_places(
            queued, next_places=next_places, current_place=min(due_places, default=0)
        )
        for request, place, each in zip(waiting, places, queued, strict=True):
            self._entries[request.request_id] = _Entry(
                request_id=request.request_id,
                user_id=request.user_id,
                session=(request.user_id, request.session_id),
                state=ModelRequestState.PENDING,
                since=now,
                request=request,
                place=place,
                cost=each.cost,
                written_at=now,
                next_attempt_at=now,
            )
        return len(waiting)

    def _is_new_or_failed(self, request_id: str) -> bool:
        entry = self._entries.get(request_id)
        return entry is None or entry.state is ModelRequestState.FAILED

    def _in(self, *states: ModelRequestState) -> Iterator[_Entry]:
        return (entry for entry in list(self._entries.values()) if entry.state in states)

    def _due(self, now: datetime) -> list[_Entry]:
        due = [
            entry
            for entry in self._in(ModelRequestState.PENDING)
            if entry.next_attempt_at is not None and entry.next_attempt_at <= now
        ]
        return sorted(due, key=lambda entry: (entry.place, entry.written_at))

    async def lease(self, *, limit: int, until: datetime, now: datetime) -> list[ModelRequestLease]:
        sessions = {entry.session for entry in self._in(ModelRequestState.LEASED)}
        leases: list[ModelRequestLease] = []
        for entry in self._due(now):
            if len(leases) == limit:
                break
            if entry.session in sessions or entry.request is None:
                continue
            sessions.add(entry.session)
            entry.move(ModelRequestState.LEASED, now)
            entry.attempts += 1
            entry.lease_token, entry.lease_until, entry.leased_at = uuid4().hex, until, now
            leases.append(
                ModelRequestLease(
                    request=entry.request, token=entry.lease_token, attempt=entry.attempts
                )
            )
        return leases

    def _held(self, lease: ModelRequestLease) -> _Entry | None:
        entry = self._entries.get(lease.request_id)
        return entry if entry is not None and entry.lease_token == lease.token else None

    async def answer(self, answers: Sequence[LeasedAnswer], *, now: datetime) -> set[str]:
        accepted: set[str] = set()
        for answer in answers:
            if entry := self._held(answer.lease):
                entry.move(ModelRequestState.ANSWERED, now)
                entry.answer = answer.event
                entry.answered_under = answer.lease.token
            known = self._entries.get(answer.lease.request_id)
            if known is not None and known.answered_under == answer.lease.token:
                accepted.add(known.request_id)
        return accepted

    async def postpone(
        self, lease: ModelRequestLease, *, until: datetime, now: datetime, tried: bool = True
    ) -> None:
        if entry := self._held(lease):
            entry.move(ModelRequestState.PENDING, now)
            entry.attempts -= 0 if tried else 1
            entry.next_attempt_at = until

    async def fail(self, lease: ModelRequestLease, *, reason: str, now: datetime) -> None:
        if entry := self._held(lease):
            entry.move(ModelRequestState.FAILED, now)
            entry.reason = reason
            entry.request = None

    async def mark_published(self, request_ids: Sequence[str], *, now: datetime) -> None:
        for entry in self._in(ModelRequestState.ANSWERED, ModelRequestState.PUBLISHED):
            if entry.request_id in request_ids:
                entry.move(ModelRequestState.PUBLISHED, now)

    async def confirm(self, request_ids: Sequence[str], *, now: datetime) -> None:
        for entry in self._in(ModelRequestState.ANSWERED, ModelRequestState.PUBLISHED):
            if entry.request_id in request_ids:
                entry.move(ModelRequestState.CONFIRMED, now)
                entry.request = None

    async def drop(
        self, requests: Sequence[tuple[str, str]], *, reason: str, now: datetime
    ) -> None:
        for request_id, user_id in requests:
            self._entries[request_id] = _Entry(
                request_id=request_id,
                user_id=user_id,
                state=ModelRequestState.CONFIRMED,
                since=now,
                reason=reason,
            )

    async def release(self, *, now: datetime, leased_before: datetime | None = None) -> int:
        released = 0
        for entry in self._in(ModelRequestState.LEASED):
            ended = entry.lease_until is not None and entry.lease_until <= now
            orphaned = (
                leased_before is not None
                and entry.leased_at is not None
                and entry.leased_at < leased_before
            )
            if ended or orphaned:
                entry.move(ModelRequestState.PENDING, now)
                released += 1
        return released

    async def underway(self, state: ModelRequestState, *, limit: int) -> list[AnsweredRequest]:
        oldest_first = sorted(self._in(state), key=lambda entry: entry.since)
        return [
            AnsweredRequest(
                request_id=entry.request_id,
                user_id=entry.user_id,
                event_id=entry.answer.event_id,
                since=entry.since,
            )
            for entry in oldest_first[:limit]
            if entry.answer is not None
        ]

    async def answers(self, request_ids: Sequence[str]) -> list[ExtractorAnswer]:
        entries = (self._entries.get(request_id) for request_id in request_ids)
        return [entry.answer for entry in entries if entry is not None and entry.answer is not None]

    async def backlog(self) -> LedgerBacklog:
        states = Counter(entry.state for entry in self._entries.values())
        waiting = (entry.written_at for entry in self._in(ModelRequestState.PENDING))
        return LedgerBacklog(
            counts={
                state: states[state]
                for state in ModelRequestState
                if state is not ModelRequestState.CONFIRMED
            },
            oldest_pending=min((moment for moment in waiting if moment), default=None),
        )
