"""Memories that were stored before there were value keys: they get theirs where they are missed."""

from collections.abc import Collection
from time import monotonic
from typing import Any

from pymongo import UpdateOne

from palimpsest.domain.evolution.keys import value_keys
from palimpsest.stores.memories_listing import memories_of

REMEMBERED = 50_000
"""Attribute keys, each of one attribute in one scope: some 6 MB."""

SURE_FOR_SECONDS = 600.0
"""While processes are replaced one by one, a user goes to an older one that writes no keys, and back."""


class Valued:
    """Of which attributes all memories have their value keys; whatever we write now has them."""

    def __init__(self) -> None:
        self._complete: dict[str, float] = {}
        """When that was seen, the last seen last."""

    async def complete(self, collection: Any, attribute_keys: Collection[str]) -> None:
        """Give what is left of these their keys; looked up once in a while."""
        now = monotonic()
        sure = {key for key in attribute_keys if self._seen(key) > now - SURE_FOR_SECONDS}
        unsure = sorted({*attribute_keys} - sure)
        if not unsure:
            return
        left = {"attribute_key": {"$in": unsure}, "value_keys": {"$exists": False}}
        found = await memories_of(collection.find(left))
        # What was written meanwhile has its keys, and what was purged is to have none.
        keyed = [(one, value_keys(one)) for one in found]
        writes = [
            UpdateOne(
                {"_id": one.id, "version": one.version},
                {"$addToSet": {"value_keys": {"$each": keys}}},
            )
            for one, keys in keyed
            if keys
        ]
        if writes:
            await collection.bulk_write(writes, ordered=False)
        for key in unsure:
            self._complete.pop(key, None)
            self._complete[key] = now
        while len(self._complete) > REMEMBERED:
            del self._complete[next(iter(self._complete))]

    def _seen(self, key: str) -> float:
        return self._complete.get(key, float("-inf"))
