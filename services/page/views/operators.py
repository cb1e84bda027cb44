"""Operation: what waits in each stage, dead letters with replay, and users with their limits."""

import asyncio
from typing import Any

from starlette.responses import Response

from services.page.page_routes import PageRoute
from services.page.visit import Visit

SHOWN_LETTERS = 50
SHOWN_NAMESPACES = 50


async def show(visit: Visit) -> Response:
    """Show everything that an operator looks after."""
    backlog, letters, namespaces = await asyncio.gather(
        _read_backlog(visit), _read_letters(visit), _read_namespaces(visit)
    )
    return visit.render("operators.html", **backlog, **letters, **namespaces)


async def show_backlog(visit: Visit) -> Response:
    """Show anew what waits."""
    return visit.render("operators/backlog.html", **await _read_backlog(visit))


async def show_namespaces(visit: Visit) -> Response:
    """Show another page of users."""
    return visit.render("operators/namespaces.html", **await _read_namespaces(visit))


async def replay(visit: Visit) -> Response:
    """Give one dead letter to its topic again, or all that are listed."""
    result = await visit.client.operations.replay_dead_letters(visit.form.getlist("letter_id"))
    text = visit.word("operators.replayed", count=len(result.replayed), refused=len(result.refused))
    return visit.render("operators/replayed.html", text=text, **await _read_letters(visit))


async def _read_backlog(visit: Visit) -> dict[str, Any]:
    return {"backlog": await visit.client.operations.backlog()}


async def _read_letters(visit: Visit) -> dict[str, Any]:
    return {"page": await visit.client.operations.dead_letters(limit=SHOWN_LETTERS)}


async def _read_namespaces(visit: Visit) -> dict[str, Any]:
    cursor = visit.query.get("cursor")
    page = await visit.client.operations.namespaces(limit=SHOWN_NAMESPACES, cursor=cursor)
    return {"users": page, "is_first": cursor is None}


ROUTES = (
    PageRoute("/operators", show),
    PageRoute("/operators/backlog", show_backlog),
    PageRoute("/operators/namespaces", show_namespaces),
    PageRoute("/operators/replay", replay, "POST"),
)
