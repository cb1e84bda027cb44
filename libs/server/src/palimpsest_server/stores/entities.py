"""Entities: looked up by their names' keys, written by one service, each version once."""

from collections.abc import Collection, Sequence
from typing import Protocol

from palimpsest.model.entity import Entity
from palimpsest.model.scope import Namespace

Entities = list[Entity]


class EntityReader(Protocol):
    async def with_keys(self, keys: Collection[str]) -> Entities:
        """Return entities by their name keys (see `entity_key`), in no order."""
        ...

    async def of_namespaces(self, namespaces: Collection[Namespace]) -> Entities:
        """Return all entities of these namespaces, in no order."""
        ...


class EntityStore(EntityReader, Protocol):
    async def write(self, entities: Sequence[Entity]) -> None:
        """Write each entity, unless the same or a later version is stored.

        An entity that no memory names any more is kept without a name, so that its versions only rise.
        """
        ...

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        """Delete a user's entities of epochs below `before_epoch`; return how many."""
        ...


class InMemoryEntities:
    """The twin of `MongoEntities`."""

    def __init__(self) -> None:
        self._entities: dict[str, Entity] = {}

    async def with_keys(self, keys: Collection[str]) -> Entities:
        return [entity for entity in self._entities.values() if entity.key in keys]

    async def of_namespaces(self, namespaces: Collection[Namespace]) -> Entities:
        return [
            entity
            for entity in self._entities.values()
            if entity.namespace in namespaces and entity.mentions
        ]

    async def write(self, entities: Sequence[Entity]) -> None:
        for entity in entities:
            standing = self._entities.get(entity.id)
            if standing is None or standing.version < entity.version:
                self._entities[entity.id] = entity

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        erased = [
            entity.id
            for entity in self._entities.values()
            if entity.namespace.user_id == user_id and entity.epoch < before_epoch
        ]
        for each in erased:
            del self._entities[each]
        return len(erased)
