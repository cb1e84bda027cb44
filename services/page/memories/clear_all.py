"""Erasing everything of a user for good, from the view of memories: a look at what goes, then the act."""

from http import HTTPStatus

from starlette.responses import Response

from services.page.erase_everything import count_everything, erase_if_confirmed
from services.page.page_routes import PageRoute, render_error
from services.page.visit import Visit


async def preview(visit: Visit) -> Response:
    """Show how much would go."""
    return visit.render("memories/clear_all.html", counts=await count_everything(visit))


async def clear(visit: Visit) -> Response:
    """Erase everything, if the user's id was typed as it is."""
    if not await erase_if_confirmed(visit):
        return render_error(visit, HTTPStatus.UNPROCESSABLE_ENTITY, "memories.clear_mismatch")
    return visit.render("memories/cleared.html")


ROUTES = (
    PageRoute("/memories/clear", preview),
    PageRoute("/memories/clear", clear, "POST"),
)
