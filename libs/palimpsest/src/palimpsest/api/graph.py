"""`GET /v1/graph`: entities and memories as nodes, and what links them as edges."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from palimpsest.api.scoped_request import LayeredScopedRequest
from palimpsest.model.entity import EntityKind
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.value_types import Identifier, Instant, UnitInterval, Value


class GraphQuery(LayeredScopedRequest):
    """`GET /v1/graph`: seen from where, and around which entity."""

    entity_id: Identifier | None = None
    """Only this entity, with what it is linked to."""
    limit: Annotated[int, Field(ge=1, le=2000)] = 500
    """The most memories to look at, 1 to 2,000, the newest first."""


class EntityNode(Value):
    """A person, place or thing that memories name."""

    node: Literal["entity"] = "entity"
    """The type of the node: an entity."""
    id: str
    """The id of the entity."""
    name: str
    """The fullest writing of its name."""
    aliases: tuple[str, ...] = ()
    """The other ways in which its name is written."""
    kind: EntityKind | None = None
    """The kind of the entity; null if no memory tells it."""


class MemoryNode(Value):
    """A memory."""

    node: Literal["memory"] = "memory"
    """The type of the node: a memory."""
    id: str
    """The id of the memory."""
    summary: str
    """The statement in one line."""
    kind: Kind
    status: Status
    occurred_at: Instant
    """When it happened or was said."""


class EdgeType(StrEnum):
    """Types of edges; each leads from the first to the second."""

    MENTIONS = "mentions"
    """A memory names an entity."""
    NAMED_WITH = "named_with"
    """Two entities are named by the same memories."""
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    REFINES = "refines"
    DERIVED_FROM = "derived_from"
    SUPERSEDES = "supersedes"
    """A memory took the place of another one."""


class GraphEdge(Value):
    """A link between two nodes that are both in the graph."""

    type: EdgeType
    """The type of the link."""
    source: str
    """The id of the node from which it leads."""
    target: str
    """The id of the node to which it leads."""
    strength: UnitInterval = 1.0
    """The strength of the link, 0 to 1."""


class MemoryGraph(Value):
    """Nodes and edges that can be seen from a scope."""

    nodes: tuple[Annotated[EntityNode | MemoryNode, Field(discriminator="node")], ...]
    """The entities, and the memories, each once."""
    edges: tuple[GraphEdge, ...]
    """The links between these nodes."""
    truncated: bool = False
    """True if there are more memories than were looked at."""
