"""All stored turns, page by page, for tasks that look at each of them."""

from bisect import bisect_right
from collections.abc import Collection, Sequence

from palimpsest.model.scope import Scope
from palimpsest.model.turn import Turn
from palimpsest_server.stores.collections import TURNS
from palimpsest_server.stores.mongo.database import Document, MongoDatabase, from_document
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.turns import ConfirmedTurnPage

TURNS_PER_PAGE = 1_024
LISTED_TURNS_PER_PAGE = 256

_PLACE = {"user_id": 1, "agent_id": 1, "project_id": 1, "state": 1}


class MongoTurnPages:
    def __init__(self, database: MongoDatabase) -> None:
        self._turns = database.collection(TURNS)

    async def page(self, *, limit: int, after: str | None) -> Sequence[Turn]:
        """Return turns by id after `after`.

        Turns without a number are left out, because they still belong to ingest alone.
        """
        later: Document = {} if after is None else {"_id": {"$gt": after}}
        found = self._turns.find({"sequence": {"$gt": 0}, **later}).sort("_id", 1).limit(limit)
        return [from_document(Turn, document) async for document in found]

    async def confirmed(self, *, after: str | None) -> ConfirmedTurnPage:
        """Return confirmed turns by id after `after`: those that were searchable once."""
        later: Document = {} if after is None else {"_id": {"$gt": after}}
        found = self._turns.find(later, _PLACE).sort("_id", 1).limit(TURNS_PER_PAGE)
        documents = await found.to_list(None)
        last = documents[-1]["_id"] if len(documents) == TURNS_PER_PAGE else None
        return ConfirmedTurnPage(_confirmed_scopes(documents), last)

    async def by_ids(self, ids: Collection[str]) -> Sequence[Turn]:
        """Return numbered turns by id that are not withheld."""
        found = self._turns.find({"_id": {"$in": sorted(ids)}, "sequence": {"$gt": 0}})
        turns = [from_document(Turn, document) async for document in found]
        return [turn for turn in turns if not turn.withheld]


class ListedTurnPages(MongoTurnPages):
    """Turn pages for the embedded database, which has no sorted reads: `DatabaseLimit.NO_INDEXED_SORT`.

    All ids are listed once a round. Pages are small, because each page blocks all other calls.
    """

    def __init__(self, database: MongoDatabase) -> None:
        super().__init__(database)
        self._ids: list[str] = []

    async def confirmed(self, *, after: str | None) -> ConfirmedTurnPage:
        if after is None:
            listed = await self._turns.find({}, {"_id": 1}).to_list(None)
            self._ids = sorted(document["_id"] for document in listed)
        start = 0 if after is None else bisect_right(self._ids, after)
        ids = self._ids[start : start + LISTED_TURNS_PER_PAGE]
        documents = await self._turns.find({"_id": {"$in": ids}}, _PLACE).to_list(None)
        last = ids[-1] if len(ids) == LISTED_TURNS_PER_PAGE else None
        return ConfirmedTurnPage(_confirmed_scopes(documents), last)


def _confirmed_scopes(documents: Sequence[Document]) -> dict[str, Scope]:
    return {
        document["_id"]: Scope.model_construct(
            user_id=document["user_id"],
            agent_id=document["agent_id"],
            project_id=document["project_id"],
        )
        for document in documents
        if document["state"] == OutboxState.CONFIRMED.value
    }
