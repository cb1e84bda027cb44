"""Memories: search as you type, filters, cards, a drawer for each, and what is done with them."""

import asyncio
from typing import Any

from starlette.responses import Response

from palimpsest.model.memory import Status
from services.page.memories import actions, clear_all, drawer, edits
from services.page.memories.cards import build_card_context
from services.page.memories.filters import build_list_query, read_filters
from services.page.page_routes import PageRoute
from services.page.places import count_by_agent
from services.page.visit import Visit

MOST_COUNTED = 100


async def show(visit: Visit) -> Response:
    """Show the first memories that match the filters of the address."""
    listed, waiting = await asyncio.gather(_read_list(visit), _count_waiting(visit))
    return visit.render("memories.html", agents=None, waiting=waiting, **listed)


async def show_agents(visit: Visit) -> Response:
    """Show the choice of agents, once somebody looks at it: to count their memories takes a while."""
    counts = await count_by_agent(visit)
    agents = [row.agent_id for row in counts if row.agent_id]
    return visit.render("memories/agent_choice.html", agents=agents, filters=read_filters(visit))


async def show_list(visit: Visit) -> Response:
    """Show the list anew for other filters, or its next page."""
    return visit.render("memories/list.html", **await _read_list(visit))


async def _read_list(visit: Visit) -> dict[str, Any]:
    filters = read_filters(visit)
    page = await visit.client.list(**build_list_query(visit, filters))
    return {
        "page": page,
        "filters": filters,
        "is_next_page": "cursor" in visit.query,
        **build_card_context(visit),
    }


async def _count_waiting(visit: Visit) -> int:
    """Count memories that wait for the user's yes, up to a hundred."""
    session = visit.session
    waiting = await visit.client.list(
        user_id=session.user_id,
        agent_id=session.agent_id,
        everywhere=True,
        status=[Status.PENDING],
        limit=MOST_COUNTED,
    )
    return len(waiting.memories)


ROUTES = (
    PageRoute("/memories", show),
    PageRoute("/memories/list", show_list),
    PageRoute("/memories/agents", show_agents),
    *clear_all.ROUTES,
    *actions.ROUTES,
    *edits.ROUTES,
    *drawer.ROUTES,
)
