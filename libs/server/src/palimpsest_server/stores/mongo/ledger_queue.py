"""The queue of requests to language models in MongoDB: assigns places and finds the next requests."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from pymongo import ASCENDING, DESCENDING

from palimpsest_server.stores.ledger import (
    ModelRequestState,
    QueuedRequest,
    assign_queue_places,
)
from palimpsest_server.stores.mongo.database import Document
from palimpsest_server.stores.mongo.ledger_documents import build_due_filter

QUEUE_HEAD_LIFETIME = timedelta(seconds=1)
"""Time for which the first place is cached, because the embedded database reads all waiting requests
to find it: 10 ms for some hundred requests. A user who comes meanwhile is placed by the cached place,
usually a little too far ahead. If another process ended and restarted the queue within this second,
the user is placed behind the new requests."""

_PAGE_PER_LEASE = 4
"""Candidates read for each wanted lease, because most of a page may belong to a few sessions."""


class MongoLedgerQueue:
    """Places in the queue, fair between users: see `assign_queue_places`."""

    def __init__(self, requests: Any) -> None:
        self._requests = requests
        self._seen: tuple[int, datetime] | None = None
        """The first place, and when it was read."""

    async def places(self, requests: Sequence[QueuedRequest], now: datetime) -> list[int]:
        current = await self._current_place(now)
        if current is None:
            return assign_queue_places(requests, next_places={}, current_place=0)
        users = sorted({request.user_id for request in requests})
        # One query per user: a joint query reads all their requests ever made. DatabaseLimit.NO_INDEXED_SORT.
        following = await asyncio.gather(*map(self._next_place, users))
        return assign_queue_places(
            requests,
            next_places={
                user: place
                for user, place in zip(users, following, strict=True)
                if place is not None
            },
            current_place=current,
        )

    async def _current_place(self, now: datetime) -> int | None:
        """Return the current place of the queue, at most a second old; None if nothing is pending."""
        if self._seen is not None and timedelta(0) < now - self._seen[1] < QUEUE_HEAD_LIFETIME:
            return self._seen[0]
        self._seen = None
        lowest = await self._lowest({"state": ModelRequestState.PENDING.value})
        if lowest is None:
            return None
        if lowest["next_attempt_at"] > now:
            # A request postponed to a later time does not tell where the queue is.
            lowest = await self._lowest(build_due_filter(now))
        self._seen = (lowest["place"] if lowest else 0, now)
        return self._seen[0]

    async def _lowest(self, which: Document) -> Document | None:
        found: Document | None = await self._requests.find_one(
            which,
            {"place": 1, "next_attempt_at": 1},
            sort=[("place", ASCENDING), ("written_at", ASCENDING)],
        )
        return found

    async def _next_place(self, user_id: str) -> int | None:
        """Return the place behind the last pending request of a user; None if the user has none."""
        found = await self._requests.find_one(
            {"user_id": user_id, "state": ModelRequestState.PENDING.value},
            {"place": 1, "cost": 1},
            sort=[("place", DESCENDING)],
        )
        return int(found["place"]) + int(found.get("cost", 1)) if found else None

    async def first(self, limit: int, now: datetime) -> list[str]:
        """Return ids of the first requests that may be leased now, one for each session without a lease."""
        page = await self._page(build_due_filter(now), limit)
        # A worker that finished a request looks for more, and mostly there are none.
        if not page:
            return []
        leased = self._requests.find({"state": ModelRequestState.LEASED.value}, {"session_key": 1})
        taken_sessions = {document["session_key"] async for document in leased}
        free = [document for document in page if document["session_key"] not in taken_sessions]
        if len(free) < len(page) == limit * _PAGE_PER_LEASE:
            others = {"session_key": {"$nin": list(taken_sessions)}}
            free = await self._page({**build_due_filter(now), **others}, limit)
        by_session: dict[str, str] = {}
        for document in free:
            by_session.setdefault(document["session_key"], document["_id"])
        return list(by_session.values())[:limit]

    async def _page(self, which: Document, limit: int) -> list[Document]:
        found = self._requests.find(which, {"session_key": 1})
        in_line = found.sort([("place", ASCENDING), ("written_at", ASCENDING)])
        page: list[Document] = await in_line.limit(limit * _PAGE_PER_LEASE).to_list(None)
        return page
