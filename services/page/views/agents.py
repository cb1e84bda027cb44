"""Show what an agent sees: the text at the start of a conversation, and the memories that it may recall."""

import asyncio

from starlette.responses import Response

from palimpsest.model.context_format import FormatName
from services.page.page_routes import PageRoute
from services.page.places import count_by_agent, find_places
from services.page.visit import Visit

MAXIMUM_SEEN = 50
"""The most memories that are shown here; the list of memories has them all."""


async def show(visit: Visit) -> Response:
    """Show what the chosen agent sees; without one, what all agents see."""
    scope = visit.scope()
    agent_id, project_id = scope.get("agent_id"), scope.get("project_id")
    places, counts, page = await asyncio.gather(
        find_places(visit),
        count_by_agent(visit),
        visit.client.list(
            **scope, everywhere=bool(agent_id) and not project_id, limit=MAXIMUM_SEEN
        ),
    )
    hidden = {row.agent_id: row.memories for row in counts if row.agent_id not in (None, agent_id)}
    return visit.render(
        "agents.html",
        places=places,
        agent_id=agent_id,
        project_id=project_id,
        page=page,
        hidden={agent: memories for agent, memories in hidden.items() if memories},
        formats=tuple(FormatName),
        block=None,
    )


ROUTES = (PageRoute("/agents", show),)
