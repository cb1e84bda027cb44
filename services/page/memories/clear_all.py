"""Erasing everything of a user for good, after a look at what goes and the user's id typed once more."""

from http import HTTPStatus

from starlette.responses import Response

from services.page.erasure_preview import arrange_counts
from services.page.page_routes import PageRoute
from services.page.visit import Visit


async def preview(visit: Visit) -> Response:
    """Show how much would go."""
    answer = await visit.client.forget_everything(visit.session.user_id, dry_run=True)
    counts = answer.kept.counts if answer.kept else {}
    return visit.render(
        "memories/clear_all.html",
        counts=arrange_counts(counts),
    )


async def clear(visit: Visit) -> Response:
    """Erase everything, if the user's id was typed as it is."""
    if visit.form.get("confirmed_user_id", "").strip() != visit.session.user_id:
        return visit.render(
            "error_toast.html",
            status=HTTPStatus.UNPROCESSABLE_ENTITY,
            key="memories.clear_mismatch",
            detail="",
        )
    await visit.client.forget_everything(visit.session.user_id)
    return visit.render("memories/cleared.html")


ROUTES = (
    PageRoute("/memories/clear", preview),
    PageRoute("/memories/clear", clear, "POST"),
)
