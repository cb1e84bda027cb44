"""Entities in MongoDB."""

from collections.abc import Collection, Sequence

from pymongo import InsertOne, ReplaceOne

from palimpsest.model.entity import Entity
from palimpsest.model.scope import Namespace
from palimpsest_server.stores.collections import ENTITIES
from palimpsest_server.stores.entities import Entities
from palimpsest_server.stores.mongo.batched_writes import write_in_batches
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)


class MongoEntities:
    def __init__(self, database: MongoDatabase) -> None:
        self._entities = database.collection(ENTITIES)

    async def with_keys(self, keys: Collection[str]) -> Entities:
        return await self._find({"key": {"$in": sorted(keys)}}) if keys else []

    async def of_namespaces(self, namespaces: Collection[Namespace]) -> Entities:
        users = sorted({namespace.user_id for namespace in namespaces})
        found = await self._find({"namespace.user_id": {"$in": users}}) if users else []
        return [entity for entity in found if entity.namespace in namespaces and entity.mentions]

    async def write(self, entities: Sequence[Entity]) -> None:
        if not entities:
            return
        newest = {entity.id: entity for entity in sorted(entities, key=lambda one: one.version)}
        # New ones first and together: DatabaseLimit.SLOW_UPSERT.
        writes = [_write(entity) for entity in sorted(newest.values(), key=lambda one: one.version)]
        await write_in_batches(self._entities, writes)

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        erased = await self._entities.delete_many(
            {"namespace.user_id": user_id, "epoch": {"$lt": before_epoch}}
        )
        return int(erased.deleted_count)

    async def _find(self, query: Document) -> Entities:
        found = await self._entities.find(query).to_list(None)
        return [from_document(Entity, document) for document in found]


def _write(entity: Entity) -> InsertOne[Document] | ReplaceOne[Document]:
    """Return the write of one entity; a collision means that this version was written already."""
    document = to_document(entity)
    if entity.version == 1:
        return InsertOne(document)
    # If a later version is stored, the filter misses and the insert collides.
    return ReplaceOne({"_id": entity.id, "version": {"$lt": entity.version}}, document, upsert=True)
