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


async def show_letters(visit: Visit) -> Response:
    """Show the dead letters of another stage or reason."""
    return visit.render("operators/letters.html", **await _read_letters(visit))


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
    page = await visit.client.operations.dead_letters(
        stage=visit.query.get("stage"), reason=visit.query.get("reason"), limit=SHOWN_LETTERS
    )
    return {"page": page, "is_filtered": bool({"stage", "reason"} & visit.query.keys())}


async def _read_namespaces(visit: Visit) -> dict[str, Any]:
    cursor, prefix = visit.query.get("cursor"), visit.query.get("user", "").strip()
    page = await visit.client.operations.namespaces(
        user_prefix=prefix or None, limit=SHOWN_NAMESPACES, cursor=cursor
    )
    return {"users": page, "is_first": cursor is None, "prefix": prefix}


ROUTES = (
    PageRoute("/operators", show),
    PageRoute("/operators/backlog", show_backlog),
    PageRoute("/operators/letters", show_letters),
    PageRoute("/operators/namespaces", show_namespaces),
    PageRoute("/operators/replay", replay, "POST"),
)
