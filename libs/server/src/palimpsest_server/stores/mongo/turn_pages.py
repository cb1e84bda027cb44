"""Every turn there is, page by page, for whoever has to look at all of them."""

from collections.abc import Sequence

from palimpsest.model.turn import Turn
from palimpsest_server.stores.collections import TURNS
from palimpsest_server.stores.mongo.database import Document, MongoDatabase, from_document


class MongoTurnPages:
    def __init__(self, database: MongoDatabase) -> None:
        self._turns = database.collection(TURNS)

    async def page(self, *, limit: int, after: str | None) -> Sequence[Turn]:
        """Return turns by id after `after`.

        A turn without a number still belongs to ingest alone.
        """
        later: Document = {} if after is None else {"_id": {"$gt": after}}
        found = self._turns.find({"sequence": {"$gt": 0}, **later}).sort("_id", 1).limit(limit)
        return [from_document(Turn, document) async for document in found]
