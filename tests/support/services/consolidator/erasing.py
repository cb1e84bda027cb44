"""All stored text, and one round of the consolidator's erasures."""

from palimpsest_server.stores.erasure.consolidator import MemoryEraser, ProfileEraser, SummaryEraser
from palimpsest_server.stores.erasure.history import HistoryEraser
from palimpsest_server.stores.erasure.vectors import VectorEraser
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.services.consolidator.stores import Stores


async def contents(database: MongoDatabase) -> str:
    """Everything in every collection, as text."""
    names = await database._database.list_collection_names()
    return "\n".join(
        [str(document) for name in names async for document in database.named(name).find({})]
    )


async def obey(stores: Stores, database: MongoDatabase) -> None:
    for decided in await stores.erasures.waiting("consolidator"):
        for eraser in (
            MemoryEraser(stores.memories, stores.namespaces),
            HistoryEraser(database),
            ProfileEraser(database),
            SummaryEraser(database, stores.vectors),
            VectorEraser(database, stores.vectors, stores.memories, stores.namespaces),
        ):
            await eraser.erase(decided)
