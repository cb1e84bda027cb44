"""Reports on the quality of what is remembered, of the latest round that looked after it."""

from starlette.responses import Response

from palimpsest.api.resources import QualityReports
from palimpsest.client.errors import PermissionDenied
from services.page.page_routes import PageRoute
from services.page.visit import Visit


async def show(visit: Visit) -> Response:
    """Show the report on the user, and on each agent; an operator may see that of all users."""
    of_all = visit.session.is_operator and visit.query.get("of") == "all"
    reports = await _read_reports(visit, None if of_all else visit.session.user_id)
    return visit.render("reports.html", reports=reports, of_all=of_all)


async def _read_reports(visit: Visit, user_id: str | None) -> QualityReports | None:
    """Return the reports; None if the visitor's key does not open them."""
    try:
        return await visit.client.quality_reports(user_id)
    except PermissionDenied:
        return None


async def run_maintenance(visit: Visit) -> Response:
    """Look after the memories of the user now, which also writes a new report."""
    await visit.client.run_maintenance(visit.session.user_id, agent_id=visit.session.agent_id)
    return visit.render("toast.html", text=visit.word("reports.looked_after"))


ROUTES = (
    PageRoute("/reports", show),
    PageRoute("/reports/maintenance", run_maintenance, "POST"),
)
