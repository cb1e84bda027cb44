"""The graph of memories and of what they name. Pure: it is made of what a reader sees."""

from collections.abc import Iterator, Mapping, Sequence

from palimpsest.api.graph import EdgeType, EntityNode, GraphEdge, MemoryGraph, MemoryNode
from palimpsest.model.entity import Entity
from palimpsest.model.memory import Memory


def build_memory_graph(
    memories: Sequence[Memory], entities: Sequence[Entity], *, around: str | None = None
) -> MemoryGraph:
    """Return the graph of these memories and of the entities that they name.

    Args:
        memories: all that the reader sees; an entity is known by what these say of it alone.
        entities: of the same namespaces.
        around: the id of an entity; only what is linked to it is in the graph.
    """
    seen = {memory.id: memory for memory in memories}
    named = {
        entity.id: entity
        for entity in (_restrict(entity, seen) for entity in entities)
        if entity.mentions
    }
    edges = [*_entity_edges(named), *_memory_edges(seen)]
    if around is not None:
        near = {around} | {
            end
            for edge in edges
            if around in (edge.source, edge.target)
            for end in (edge.source, edge.target)
        }
        edges = [edge for edge in edges if {edge.source, edge.target} <= near]
        named = {one: entity for one, entity in named.items() if one in near}
        seen = {one: memory for one, memory in seen.items() if one in near}
    nodes = (*map(_entity_node, named.values()), *map(_memory_node, seen.values()))
    return MemoryGraph(nodes=nodes, edges=tuple(edges))


def _restrict(entity: Entity, seen: Mapping[str, Memory]) -> Entity:
    """Return the entity as the memories that are seen name it."""
    mentions = tuple(mention for mention in entity.mentions if mention.memory_id in seen)
    return entity.model_copy(update={"mentions": mentions})


def _entity_edges(named: Mapping[str, Entity]) -> Iterator[GraphEdge]:
    for entity in named.values():
        for memory_id in entity.memory_ids:
            yield GraphEdge(type=EdgeType.MENTIONS, source=memory_id, target=entity.id)
        for other, strength in entity.links.items():
            # Both tell of the link; the first in order has it.
            if other in named and (entity.id < other or entity.id not in named[other].links):
                yield GraphEdge(
                    type=EdgeType.NAMED_WITH, source=entity.id, target=other, strength=strength
                )


def _memory_edges(seen: Mapping[str, Memory]) -> Iterator[GraphEdge]:
    for memory in seen.values():
        for relation in memory.relations:
            if relation.memory_id in seen:
                yield GraphEdge(
                    type=EdgeType(relation.type.value),
                    source=memory.id,
                    target=relation.memory_id,
                    strength=relation.strength,
                )
        for other in memory.supersedes:
            if other in seen:
                yield GraphEdge(type=EdgeType.SUPERSEDES, source=memory.id, target=other)


def _entity_node(entity: Entity) -> EntityNode:
    return EntityNode(id=entity.id, name=entity.name, aliases=entity.aliases, kind=entity.kind)


def _memory_node(memory: Memory) -> MemoryNode:
    return MemoryNode(
        id=memory.id,
        summary=memory.summary,
        kind=memory.kind,
        status=memory.status,
        occurred_at=memory.occurred_at,
    )
