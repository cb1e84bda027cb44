"""Extraction as a dry run: what would be remembered of a dialogue, and why not the rest."""

from starlette.responses import Response

from palimpsest.api.extraction_preview import PreviewRequest
from services.page.dialogue import MAXIMUM_MESSAGES, mark_messages, parse_dialogue
from services.page.page_routes import PageRoute
from services.page.visit import Visit


async def show(visit: Visit) -> Response:
    """Show the field for a dialogue."""
    return visit.render("extraction.html", dialogue=visit.word("extraction.example"))


async def preview(visit: Visit) -> Response:
    """Show what would be remembered of a dialogue; nothing is stored."""
    messages = parse_dialogue(visit.form.get("dialogue", ""))
    if not messages or len(messages) > MAXIMUM_MESSAGES:
        key = "extraction.too_many" if messages else "extraction.nothing_said"
        return visit.render("extraction/problem.html", text=visit.word(key))
    request = PreviewRequest(messages=messages, **visit.scope())
    found = await visit.client.preview(request)
    return visit.render(
        "extraction/result.html", preview=found, messages=messages, marked=mark_messages(found)
    )


ROUTES = (PageRoute("/extraction", show), PageRoute("/extraction", preview, "POST"))
