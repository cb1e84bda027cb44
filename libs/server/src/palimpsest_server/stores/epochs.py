"""Epochs: the number of times that a user had everything erased, stored apart from rebuildable data."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from palimpsest_server.stores.collections import EPOCHS
from palimpsest_server.stores.mongo.database import MongoDatabase


class EpochStore(Protocol):
    async def of(self, user_ids: Iterable[str]) -> Mapping[str, int]:
        """Return the epoch of each user; 0 for a user who never had everything erased."""
        ...

    async def raise_to(self, user_id: str, epoch: int) -> None:
        """Raise a user's epoch; an epoch that is not higher than the stored one changes nothing."""
        ...


class MongoEpochs:
    def __init__(self, database: MongoDatabase) -> None:
        self._epochs = database.collection(EPOCHS)

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, int]:
        epochs = dict.fromkeys(user_ids, 0)
        found = self._epochs.find({"_id": {"$in": list(epochs)}})
        for document in await found.to_list(None):
            epochs[document["_id"]] = document["epoch"]
        return epochs

    async def raise_to(self, user_id: str, epoch: int) -> None:
        await self._epochs.update_one({"_id": user_id}, {"$max": {"epoch": epoch}}, upsert=True)


class InMemoryEpochs:
    def __init__(self) -> None:
        self._epochs: dict[str, int] = {}

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, int]:
        return {user_id: self._epochs.get(user_id, 0) for user_id in user_ids}

    async def raise_to(self, user_id: str, epoch: int) -> None:
        self._epochs[user_id] = max(epoch, self._epochs.get(user_id, 0))
