"""Change many documents in chunks, so that the database can serve others in between."""

import asyncio
from typing import Any

from palimpsest_server.stores.mongo.database import Document

DOCUMENTS_PER_CHUNK = 64


async def update_in_chunks(collection: Any, query: Document, change: Document) -> None:
    ids = [document["_id"] for document in await collection.find(query, {"_id": 1}).to_list(None)]
    for start in range(0, len(ids), DOCUMENTS_PER_CHUNK):
        await collection.update_many(
            {"_id": {"$in": ids[start : start + DOCUMENTS_PER_CHUNK]}}, change
        )
        await asyncio.sleep(0)


async def delete_in_chunks(collection: Any, query: Document) -> None:
    ids = [document["_id"] for document in await collection.find(query, {"_id": 1}).to_list(None)]
    for start in range(0, len(ids), DOCUMENTS_PER_CHUNK):
        await collection.delete_many({"_id": {"$in": ids[start : start + DOCUMENTS_PER_CHUNK]}})
        await asyncio.sleep(0)
