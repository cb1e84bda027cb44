"""Entities: what must be known of them before it is decided about what names them."""

from collections.abc import Collection, Iterable

from palimpsest.domain.entities.book import keys_named
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.memory import Memory
from palimpsest.model.entity import Entity
from palimpsest.stores.entities import EntityReader


class KnownEntities:
    """Reads entities by the names that are named. Most batches name none, and read nothing."""

    def __init__(self, entities: EntityReader) -> None:
        self._entities = entities

    async def with_keys(self, keys: Collection[str]) -> list[Entity]:
        return await self._entities.with_keys(keys) if keys else []

    async def beside(self, memories: Iterable[Memory], known: Overlay) -> None:
        """Let be known whom these memories name, for they may no longer."""
        keys = {key for memory in memories for key in keys_named(memory)}
        if keys:
            known.entities.read(keys, await self._entities.with_keys(keys))
