"""Many documents changed some at a time: the database has others to serve meanwhile."""

import asyncio
from typing import Any

from palimpsest.stores.mongo import Document

AT_ONCE = 64


async def update_all(collection: Any, query: Document, change: Document) -> None:
    ids = [document["_id"] for document in await collection.find(query, {"_id": 1}).to_list(None)]
    for start in range(0, len(ids), AT_ONCE):
        await collection.update_many({"_id": {"$in": ids[start : start + AT_ONCE]}}, change)
        await asyncio.sleep(0)


async def delete_all(collection: Any, query: Document) -> None:
    ids = [document["_id"] for document in await collection.find(query, {"_id": 1}).to_list(None)]
    for start in range(0, len(ids), AT_ONCE):
        await collection.delete_many({"_id": {"$in": ids[start : start + AT_ONCE]}})
        await asyncio.sleep(0)
