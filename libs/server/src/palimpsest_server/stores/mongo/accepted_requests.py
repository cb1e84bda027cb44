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
"""Of what is not to be published, whatever it was."""


def parse_accepted_event(document: Document) -> AcceptedRequest | None:
    """Return the accepted request; None if its key was destroyed.

    Such are those that a backup brings back of users who were forgotten since, and whatever a
    process had in hand that stood still while its user was.
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
        unreadable = [each for each, one in kept.items() if one.item.epoch == ERASED_EPOCH]
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
        # As text: its free data may have keys that mean something to MongoDB.
        "event": event.model_dump_json(),
        # What was used belongs to a trace, and is gone with it, whether or not that was ever written.
        **({"told_at": now} if isinstance(event, RecallUsed) else {}),
        **build_pending_fields(now, position),
    }


def _let_go(kept: OutboxEntry[AcceptedRequest]) -> OutboxEntry[AcceptedRequest]:
    return OutboxEntry(kept.item, OutboxState.DROPPED, None)


def _erased(document: Document) -> AcceptedRequest:
    """Return a tombstone of an unreadable request: its id was accepted once."""
    return RememberRequested(
        event_id=document["_id"],
        occurred_at=_LONG_AGO,
        received_at=_LONG_AGO,
        epoch=ERASED_EPOCH,
        user_id=document["user_id"],
        session_id=document["session_id"],
        content=ERASED_TEXT,
    )
