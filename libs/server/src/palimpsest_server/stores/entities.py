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
        """Write each unless this version of it or a later one stands.

        What no memory names any more is kept without a name, so that its versions only rise.
        """
        ...

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        """Delete what this user had before that epoch; how many these were."""
        ...


class InMemoryEntities:
    """The twin of `MongoEntities`."""

    def __init__(self) -> None:
        self._entities: dict[str, Entity] = {}

    async def with_keys(self, keys: Collection[str]) -> Entities:
        return [one for one in self._entities.values() if one.key in keys]

    async def of_namespaces(self, namespaces: Collection[Namespace]) -> Entities:
        return [
            one for one in self._entities.values() if one.namespace in namespaces and one.mentions
        ]

    async def write(self, entities: Sequence[Entity]) -> None:
        for one in entities:
            standing = self._entities.get(one.id)
            if standing is None or standing.version < one.version:
                self._entities[one.id] = one

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        erased = [
            one.id
            for one in self._entities.values()
            if one.namespace.user_id == user_id and one.epoch < before_epoch
        ]
        for each in erased:
            del self._entities[each]
        return len(erased)
