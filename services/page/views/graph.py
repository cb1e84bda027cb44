"""The graph of entities, memories and links; the browser lays it out."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from starlette.responses import JSONResponse, Response

from palimpsest.api.graph import EntityNode, MemoryGraph, MemoryNode
from palimpsest.model.memory import Status
from services.page.kind_words import KindWords
from services.page.page_routes import PageRoute
from services.page.visit import Visit

LIMIT = 2_000
"""The most memories that are shown, the newest ones."""


async def show(visit: Visit) -> Response:
    """Show the stage of the graph; its nodes are asked for by its script."""
    session = visit.session
    graph = await visit.client.graph(**visit.scope(), limit=LIMIT)
    agents = [] if session.agent_id else (await visit.client.agents(session.user_id)).agents
    query = urlencode({"agent_id": agent} if (agent := visit.query.get("agent_id")) else {})
    return visit.render(
        "graph.html",
        has_nodes=bool(graph.nodes),
        has_moments=any(isinstance(node, MemoryNode) for node in graph.nodes),
        agents=[agent.agent_id for agent in agents if agent.agent_id is not None],
        agent_id=visit.query.get("agent_id"),
        source=f"/page/graph/nodes{'?' if query else ''}{query}",
        truncated=graph.truncated,
        limit=LIMIT,
    )


async def show_nodes(visit: Visit) -> Response:
    """Return nodes and edges for the script of the graph."""
    graph = await visit.client.graph(**visit.scope(), limit=LIMIT)
    return JSONResponse(describe_graph(graph, visit))


def describe_graph(graph: MemoryGraph, visit: Visit) -> Mapping[str, Any]:
    """Return nodes with their words in the visitor's language, and edges between them."""
    words = KindWords(visit.language, visit.word)
    agent_id = visit.query.get("agent_id")
    place = f"?{urlencode({'agent_id': agent_id})}" if agent_id else ""
    return {
        "nodes": [
            _describe_entity(node, visit)
            if isinstance(node, EntityNode)
            else _describe_memory(node, words, place)
            for node in graph.nodes
        ],
        "edges": [
            {"source": edge.source, "target": edge.target, "type": edge.type.value}
            for edge in graph.edges
        ],
    }


def _describe_entity(node: EntityNode, visit: Visit) -> Mapping[str, Any]:
    kind = node.kind.value if node.kind else "other"
    return {
        "id": node.id,
        "node": node.node,
        "label": node.name,
        "aliases": node.aliases,
        "kindName": visit.word(f"graph.entity_{kind}"),
        "href": f"/page/memories?{urlencode({'text': node.name})}",
    }


def _describe_memory(node: MemoryNode, words: KindWords, place: str) -> Mapping[str, Any]:
    is_former = node.status is not Status.ACTIVE
    status = f" · {words.status(node.status)}" if is_former else ""
    return {
        "id": node.id,
        "node": node.node,
        "label": node.summary,
        "kindName": words.name(node.kind) + status,
        "former": is_former,
        "at": node.occurred_at.isoformat(),
        "href": f"/page/memories/{quote(node.id)}{place}",
    }


ROUTES = (PageRoute("/graph", show), PageRoute("/graph/nodes", show_nodes))
