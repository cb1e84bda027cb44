"""Undoing a change from a toast or a history."""

from starlette.responses import Response

from services.page.page_routes import PageRoute
from services.page.visit import Visit


async def undo_change(visit: Visit) -> Response:
    """Undo one change set; the stream of changes then brings the view up to date."""
    await visit.client.undo(visit.form["change_set_id"], user_id=visit.session.user_id)
    return visit.render("toast.html", text=visit.word("page.undone"))


UNDO = PageRoute("/undo", undo_change, "POST")
