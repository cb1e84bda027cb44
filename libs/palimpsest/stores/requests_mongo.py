"""The accepted requests in MongoDB."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

from pydantic import Field, TypeAdapter

from palimpsest.contracts.collections import REQUESTS
from palimpsest.stores.mongo import Document, MongoDatabase
from palimpsest.stores.outbox import Kept, MongoOutbox, pending_fields
from palimpsest.stores.requests import AcceptedRequest, request_id

_EVENT: TypeAdapter[AcceptedRequest] = TypeAdapter(
    Annotated[AcceptedRequest, Field(discriminator="type")]
)


class MongoRequests(MongoOutbox[AcceptedRequest]):
    def __init__(self, database: MongoDatabase) -> None:
        super().__init__(database, REQUESTS)

    async def accept(
        self, events: Sequence[AcceptedRequest], *, now: datetime
    ) -> Mapping[str, Kept[AcceptedRequest]]:
        documents = {
            request_id(event.user_id, event.event_id): _document(event, now, position)
            for position, event in enumerate(events)
        }
        stood = await self._insert(list(documents.values()))
        return await self.standing(sorted(stood))

    def _item(self, document: Document) -> AcceptedRequest:
        return _EVENT.validate_json(document["event"])


def _document(event: AcceptedRequest, now: datetime, position: int) -> Document:
    return {
        "_id": request_id(event.user_id, event.event_id),
        "user_id": event.user_id,
        "session_id": event.session_id,
        "type": event.type,
        # As text: its free data may have keys that mean something to MongoDB.
        "event": event.model_dump_json(),
        **pending_fields(now, position),
    }
