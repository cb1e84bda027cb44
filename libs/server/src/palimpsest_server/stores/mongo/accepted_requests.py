"""The accepted requests in MongoDB."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field, TypeAdapter

from palimpsest.events.conversations import RememberRequested
from palimpsest.events.feedback import RecallUsed
from palimpsest.model.erasure import ERASED_EPOCH
from palimpsest.model.value_types import STORED
from palimpsest_server.stores.accepted_requests import AcceptedRequest, request_id
from palimpsest_server.stores.collections import REQUESTS
from palimpsest_server.stores.erased_text import ERASED_TEXT
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.outbox import (
    MongoOutbox,
    OutboxEntry,
    OutboxState,
    build_pending_fields,
)

_EVENT: TypeAdapter[AcceptedRequest] = TypeAdapter(
    Annotated[AcceptedRequest, Field(discriminator="type")]
)

_LONG_AGO = datetime.fromtimestamp(0, UTC)

DROP_UPDATE: Document = {
    "$set": {"state": OutboxState.DROPPED.value},
    "$unset": {"pending_since": ""},
}
"""Update that drops an entry, whatever its state."""


def parse_accepted_event(document: Document) -> AcceptedRequest | None:
    """Return the accepted request; None if its key was destroyed.

    A backup may bring such requests back, for users who had everything erased since. A process that
    stood still during such an erasure may also write them.
    """
    text = document["event"]
    return None if text == ERASED_TEXT else _EVENT.validate_json(text, context=STORED)


class MongoAcceptedRequests(MongoOutbox[AcceptedRequest]):
    def __init__(self, database: MongoDatabase) -> None:
        super().__init__(database, REQUESTS)

    async def accept(
        self, events: Sequence[AcceptedRequest], *, now: datetime
    ) -> Mapping[str, OutboxEntry[AcceptedRequest]]:
        documents = {
            request_id(event.user_id, event.event_id): _document(event, now, position)
            for position, event in enumerate(events)
        }
        stood = await self._insert(list(documents.values()))
        return await self.standing(sorted(stood))

    async def standing(self, ids: Sequence[str]) -> Mapping[str, OutboxEntry[AcceptedRequest]]:
        kept = await super().standing(ids)
        unreadable = [each for each, entry in kept.items() if entry.item.epoch == ERASED_EPOCH]
        waiting = [each for each in unreadable if kept[each].pending_since is not None]
        if waiting:
            await self._collection.update_many({"_id": {"$in": waiting}}, DROP_UPDATE)
        return {**kept, **{each: _let_go(kept[each]) for each in waiting}}

    def _item(self, document: Document) -> AcceptedRequest:
        event = parse_accepted_event(document)
        return _erased(document) if event is None else event


def _document(event: AcceptedRequest, now: datetime, position: int) -> Document:
    return {
        "_id": request_id(event.user_id, event.event_id),
        "user_id": event.user_id,
        "session_id": event.session_id,
        "type": event.type,
        # Stored as text, because its free data may have keys that have a meaning in MongoDB.
        "event": event.model_dump_json(),
        # Used memories belong to a trace, and are deleted with it, whether or not the trace was ever stored.
        **({"told_at": now} if isinstance(event, RecallUsed) else {}),
        **build_pending_fields(now, position),
    }


def _let_go(kept: OutboxEntry[AcceptedRequest]) -> OutboxEntry[AcceptedRequest]:
    return OutboxEntry(kept.item, OutboxState.DROPPED, None)


def _erased(document: Document) -> AcceptedRequest:
    """Return a placeholder for an unreadable request, since its id was accepted once."""
    return RememberRequested(
        event_id=document["_id"],
        occurred_at=_LONG_AGO,
        received_at=_LONG_AGO,
        epoch=ERASED_EPOCH,
        user_id=document["user_id"],
        session_id=document["session_id"],
        content=ERASED_TEXT,
    )
