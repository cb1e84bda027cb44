"""Entities, memories and their links as nodes and edges."""

from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.api.graph import GraphQuery, MemoryGraph
from palimpsest.model.memory import HELD_STATUSES
from palimpsest_server.domain.entities.memory_graph import build_memory_graph
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.entities import EntityReader
from palimpsest_server.stores.memories import MemoryReader
from palimpsest_server.stores.user_states import UserStates


class GraphReader:
    """Reads the graph that can be seen from a scope."""

    def __init__(self, memories: MemoryReader, entities: EntityReader, users: UserStates) -> None:
        self._memories = memories
        self._entities = entities
        self._users = users

    async def read(self, query: GraphQuery) -> MemoryGraph:
        """Return the graph of memories that hold or held, the newest ones."""
        scopes = query.scopes
        memories = await self._memories.list(scopes, statuses=HELD_STATUSES, limit=query.limit + 1)
        epoch = (await self._users.of([query.user_id]))[query.user_id].epoch
        shown = [memory for memory in memories[: query.limit] if memory.epoch >= epoch]
        namespaces = {scope.namespace for scope in scopes}
        entities = await self._entities.of_namespaces(namespaces)
        graph = build_memory_graph(
            shown, [entity for entity in entities if entity.epoch >= epoch], around=query.entity_id
        )
        return graph.model_copy(update={"truncated": len(memories) > query.limit})


def build_router(graphs: GraphReader) -> APIRouter:
    router = APIRouter(prefix="/v1/graph", tags=["memories"])

    @router.get("", openapi_extra=declare_permission(Permission.READ))
    async def graph(query: Annotated[GraphQuery, Query()]) -> MemoryGraph:
        """Return entities and memories as nodes, with mentions, links and relations as edges."""
        return await graphs.read(query)

    return router
