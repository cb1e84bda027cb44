"""The windows in MongoDB."""

from collections.abc import Sequence
from datetime import datetime

from pymongo.errors import BulkWriteError

from palimpsest.model.window import Window
from palimpsest_server.stores.collections import WINDOWS
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)
from palimpsest_server.stores.mongo.failures import require_only_duplicates
from palimpsest_server.stores.outbox import MongoOutbox, OutboxState, build_pending_fields
from palimpsest_server.stores.windows import NewWindow


class MongoWindows(MongoOutbox[Window]):
    def __init__(self, database: MongoDatabase) -> None:
        super().__init__(database, WINDOWS)

    async def add(self, windows: Sequence[NewWindow], *, now: datetime) -> int:
        if not windows:
            return 0
        try:
            # In order, so that no window is stored without the one before it.
            await self._collection.insert_many(
                [_document(new, now, position) for position, new in enumerate(windows)]
            )
        except BulkWriteError as error:
            return int(require_only_duplicates(error)[0]["index"])
        return len(windows)

    def _item(self, document: Document) -> Window:
        return from_document(Window, document)


def _document(new: NewWindow, now: datetime, position: int) -> Document:
    fate = (
        build_pending_fields(now, position)
        if new.sendable
        else {"state": OutboxState.DROPPED.value}
    )
    return {**to_document(new.window), **fate}
