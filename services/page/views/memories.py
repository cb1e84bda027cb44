"""Memories: search, filters, and what is done with each of them."""

from typing import Any

from starlette.responses import Response

from services.page.page_routes import PageRoute
from services.page.visit import Visit

PAGE_SIZE = 50


async def show(visit: Visit) -> Response:
    """Show the first memories that match the filters of the address."""
    return visit.render("memories.html", **await _read_page(visit))


async def show_list(visit: Visit) -> Response:
    """Show the list anew for other filters, or its next page."""
    return visit.render("memories/list.html", **await _read_page(visit))


async def forget(visit: Visit) -> Response:
    """Forget one memory, which can be undone."""
    scope = visit.scope()
    result = await visit.client.forget(visit.path["memory_id"], **scope)
    return visit.render(
        "toast.html", text=visit.word("memories.forgotten"), change_set_id=result.change_set_id
    )


async def _read_page(visit: Visit) -> dict[str, Any]:
    page = await visit.client.list(
        **visit.scope(),
        text=visit.query.get("text"),
        limit=PAGE_SIZE,
        cursor=visit.query.get("cursor"),
    )
    return {"page": page, "is_next_page": "cursor" in visit.query}


ROUTES = (
    PageRoute("/memories", show),
    PageRoute("/memories/list", show_list),
    PageRoute("/memories/{memory_id}/forget", forget, "POST"),
)
