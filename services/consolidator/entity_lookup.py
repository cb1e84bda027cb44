"""Reads the entities that decisions need to know."""

from collections.abc import Collection, Iterable

from palimpsest.model.entity import Entity
from palimpsest.model.memory import Memory
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.entities.entity_overlay import collect_entity_keys
from palimpsest_server.stores.entities import EntityReader


class EntityLookup:
    """Reads entities by the names in memories. Most batches hold no name, and read nothing."""

    def __init__(self, entities: EntityReader) -> None:
        self._entities = entities

    async def with_keys(self, keys: Collection[str]) -> list[Entity]:
        return await self._entities.with_keys(keys) if keys else []

    async def beside(self, memories: Iterable[Memory], known: Overlay) -> None:
        """Read the entities that these memories name into `known`: a change may remove the name."""
        keys = {key for memory in memories for key in collect_entity_keys(memory)}
        if keys:
            known.entities.read(keys, await self._entities.with_keys(keys))
