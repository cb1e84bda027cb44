"""Which messages of whom are not shown or told, by the memories that were forgotten or set right."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from pymongo.errors import DuplicateKeyError

from palimpsest.contracts.collections import WITHHELD
from palimpsest.domain.evolution.withholding import Withheld
from palimpsest.stores.mongo import MongoDatabase, from_document, to_document


class WithheldStore(Protocol):
    async def write(self, withheld: Sequence[Withheld]) -> None:
        """Say this of these memories, unless a later change set has said anything of them."""
        ...

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, tuple[Withheld, ...]]:
        """What is withheld of each of these users who has any."""
        ...


class MongoWithheld:
    def __init__(self, database: MongoDatabase) -> None:
        self._withheld = database.collection(WITHHELD)

    async def write(self, withheld: Sequence[Withheld]) -> None:
        await asyncio.gather(*map(self._write, withheld))

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, tuple[Withheld, ...]]:
        query = {"user_id": {"$in": list(user_ids)}}
        documents = await self._withheld.find(query).to_list(None)
        return _by_user(from_document(Withheld, document) for document in documents)

    async def _write(self, one: Withheld) -> None:
        older = {"_id": one.memory_id, "revision": {"$lt": one.revision}}
        try:
            await self._withheld.update_one(older, {"$set": to_document(one)}, upsert=True)
        except DuplicateKeyError:
            # What stands is as new, or newer.
            return


class InMemoryWithheld:
    def __init__(self) -> None:
        self._withheld: dict[str, Withheld] = {}

    async def write(self, withheld: Sequence[Withheld]) -> None:
        for one in withheld:
            standing = self._withheld.get(one.memory_id)
            if standing is None or standing.revision < one.revision:
                self._withheld[one.memory_id] = one

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, tuple[Withheld, ...]]:
        wanted = set(user_ids)
        return _by_user(one for one in self._withheld.values() if one.user_id in wanted)


def _by_user(withheld: Iterable[Withheld]) -> Mapping[str, tuple[Withheld, ...]]:
    found: dict[str, tuple[Withheld, ...]] = {}
    for one in withheld:
        if one.left_out or one.turn_ids:
            found[one.user_id] = (*found.get(one.user_id, ()), one)
    return found
