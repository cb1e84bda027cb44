"""Known entities during a run of events, with the changes that follow from its decisions."""

from collections.abc import Iterable

from palimpsest.model.change_set import EntityChange, MemoryChange
from palimpsest.model.entity import (
    Entity,
    EntityKind,
    EntityMention,
    entity_id,
    entity_key,
    replace_mention,
)
from palimpsest.model.memory import Candidate, Memory, Status
from palimpsest_server.domain.entities.entity_names import (
    build_name_key,
    find_entity_names,
    list_names,
)

NAMING = frozenset({Status.PENDING, Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED})
"""Statuses in which a memory names its entities. A forgotten or rejected memory names none."""


class EntityOverlay:
    """Entities that were read, overlaid by decisions since. No I/O.

    Only names that were looked up lead to changes. A caller that looks up no names leaves entities
    unchanged.
    """

    def __init__(self) -> None:
        self._entities: dict[str, Entity] = {}
        self._keys: set[str] = set()

    def read(self, keys: Iterable[str], entities: Iterable[Entity]) -> None:
        """Add entities read under these keys; entities changed meanwhile stay."""
        fresh = set(keys) - self._keys
        self._keys |= fresh
        self._entities |= {entity.id: entity for entity in entities if entity.key in fresh}

    def following(self, changes: Iterable[MemoryChange]) -> tuple[EntityChange, ...]:
        """Return the changes of entities when memories begin or cease to name them."""
        before: dict[str, Entity | None] = {}
        for change in changes:
            if _naming(change.before) != _naming(change.after):
                for entity in self._named_anew(change):
                    before.setdefault(entity.id, self._entities.get(entity.id))
                    self._entities[entity.id] = entity
        return tuple(self._change(each, standing) for each, standing in before.items())

    def _change(self, identity: str, before: Entity | None) -> EntityChange:
        version = 1 if before is None else before.version + 1
        after = self._entities[identity].model_copy(update={"version": version})
        self._entities[identity] = after
        return EntityChange(before=before, after=after)

    def _named_anew(self, change: MemoryChange) -> list[Entity]:
        memory = change.after
        named = self._resolved(memory) if memory.status in NAMING else {}
        ids = set(named)
        touched = [
            entity.model_copy(
                update={
                    "mentions": replace_mention(
                        entity.mentions,
                        EntityMention(
                            memory_id=memory.id,
                            written=written,
                            beside=tuple(sorted(ids - {entity.id})),
                        ),
                    )
                }
            )
            for entity, written in named.values()
        ]
        for entity in self._entities.values():
            if entity.id not in ids and memory.id in entity.memory_ids:
                kept = tuple(
                    mention for mention in entity.mentions if mention.memory_id != memory.id
                )
                touched.append(entity.model_copy(update={"mentions": kept}))
        return touched

    def _resolved(self, memory: Memory) -> dict[str, tuple[Entity, str]]:
        """Return the entities that the memory names, by id, with its spelling of their names."""
        found: dict[str, tuple[Entity, str]] = {}
        for written, kind in find_entity_names(memory).items():
            key = entity_key(memory.scope.namespace, build_name_key(written))
            if key in self._keys:
                entity = self._entity(memory, key, kind)
                found[entity.id] = (entity, written)
        return found

    def _entity(self, memory: Memory, key: str, kind: EntityKind | None) -> Entity:
        """Return the entity of this name and kind. With an unknown kind, a single entity of the name, or a new one."""
        same_name = sorted(
            (entity for entity in self._entities.values() if entity.key == key),
            key=lambda entity: entity.id,
        )
        same_kind = [entity for entity in same_name if entity.kind == kind]
        if same_kind:
            return same_kind[0]
        unknown = [entity for entity in same_name if entity.kind is None]
        if kind is not None and unknown and len(same_name) == 1:
            return unknown[0].model_copy(update={"kind": kind})
        if kind is None and len(same_name) == 1:
            return same_name[0]
        return Entity(
            id=entity_id(key, len(same_name)),
            namespace=memory.scope.namespace,
            key=key,
            kind=kind,
            epoch=memory.epoch,
        )


def collect_entity_keys(memory: Memory | Candidate) -> set[str]:
    """Return the entity keys of all names in a memory, to be looked up before decisions."""
    namespace = memory.scope.namespace
    return {entity_key(namespace, build_name_key(name)) for name in list_names(memory)}


def _naming(memory: Memory | None) -> object:
    if memory is None or memory.status not in NAMING:
        return None
    return find_entity_names(memory)
