"""Sorted here or by the database: the same documents come first."""

import pytest

from palimpsest_server.stores.collections import MEMORIES
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.first_documents import Order, choose_first, find_first

ORDERS: tuple[Order, ...] = (
    (("pinned", -1), ("importance", -1), ("recorded_at", -1), ("_id", 1)),
    (("valid_until", -1), ("_id", 1)),
    (("valid_until", 1), ("_id", 1)),
    (("importance", 1), ("_id", -1)),
)


@pytest.mark.parametrize("order", ORDERS)
async def test_both_ways_find_the_same(database: MongoDatabase, order: Order) -> None:
    documents = [
        {
            "_id": f"{number:02}",
            "of": "alice" if number % 5 else "bob",
            "pinned": number % 7 == 0,
            "importance": number % 3 / 10,
            "recorded_at": number // 4,
            **({"valid_until": number % 4} if number % 2 else {}),
        }
        for number in range(40)
    ]
    collection = database.named(MEMORIES.name)
    await collection.insert_many(documents)
    found = await find_first(collection, {"of": "alice"}, order, 9)
    assert len(found) == 9
    assert await choose_first(collection, {"of": "alice"}, order, 9) == found
