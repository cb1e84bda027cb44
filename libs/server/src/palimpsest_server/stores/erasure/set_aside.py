"""Erase the documents that migrations set aside, with the rest of their user, project or record."""

from palimpsest_server.stores.collections import SET_ASIDE
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.mongo.chunked_writes import delete_in_chunks
from palimpsest_server.stores.mongo.database import Document, MongoDatabase


class SetAsideEraser:
    def __init__(self, database: MongoDatabase) -> None:
        self._documents = database.raw(SET_ASIDE.name)

    async def erase(self, decided: DecidedErasure) -> None:
        erasure = decided.erasure
        own: Document = {"user_id": decided.user_id}
        if erasure.everything:
            # Services do not run while documents are set aside, so all of these came before the erasure.
            await delete_in_chunks(self._documents, own)
            return
        if erasure.project_id is not None:
            for field in ("document.project_id", "document.scope.project_id"):
                await delete_in_chunks(self._documents, {**own, field: erasure.project_id})
        if ids := [*erasure.memory_ids, *erasure.turn_ids, *erasure.summary_ids]:
            await delete_in_chunks(self._documents, {**own, "record_id": {"$in": ids}})
