"""Data that is left of a user once every erasure is completed."""

import asyncio
from collections.abc import Collection as Collected
from pathlib import Path
from typing import Any

import httpx
import qdrant_edge as edge

from palimpsest_server.embedded.instance import EmbeddedInstance
from palimpsest_server.stores.collections import MongoCollection
from palimpsest_server.stores.edge import shard as edge_shard
from palimpsest_server.stores.edge.directory import EdgeDirectory
from palimpsest_server.stores.mongo.database import MongoDatabase


async def until_obeyed(instance: EmbeddedInstance, user_id: str) -> None:
    """Return when something of theirs was to be erased, and nobody is waited for."""
    async with (
        httpx.AsyncClient(base_url=instance.http_url, trust_env=False, timeout=30) as http,
        asyncio.timeout(60),
    ):
        while True:
            found = await http.get("/v1/erasures", params={"user_id": user_id})
            erasures = found.json()["erasures"]
            if erasures and not any(erasure["waiting_for"] for erasure in erasures):
                return
            await asyncio.sleep(0.2)


async def kept_of(
    instance: EmbeddedInstance, user_id: str, *, besides: Collected[MongoCollection] = ()
) -> list[str]:
    """All documents in which this user is named, as text; `besides` those of these collections."""
    database = MongoDatabase(instance.mongodb_url, "palimpsest")
    try:
        names = set(await database._database.list_collection_names())
        names -= {beside.name for beside in besides}
        found = [str(each) for name in names async for each in database.named(name).find({})]
        return [one for one in found if user_id in one]
    finally:
        database.close()


def points_in(directory: Path) -> dict[str, Any]:
    """All points of the projection, by id: nothing but its user's ever was there."""
    served = EdgeDirectory(directory)
    identity = served.identity()
    assert identity is not None
    shard = edge_shard.load_shard(served.shard(identity))
    records, _ = shard.scroll(edge.ScrollRequest(limit=1000, with_payload=True))
    shard.close()
    return {str(record.id): record.payload for record in records}
