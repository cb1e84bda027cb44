"""Help: what words and numbers mean, how to connect a chat service, and a welcome to newcomers."""

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.responses import Response

from services.page.help_topics import OTHER_WORDS, SCORES, explain_kind, list_connections
from services.page.page_routes import PageRoute
from services.page.visit import Visit

MOST_COUNTED = 100
"""More memories than the example has."""


async def show(visit: Visit) -> Response:
    """Show the help; a visitor of whom nothing is remembered is welcomed first."""
    page = await visit.client.list(**visit.everywhere(), limit=1)
    return visit.render(
        "help.html",
        is_new=not page.memories,
        scores=SCORES,
        other_words=OTHER_WORDS,
        connections=list_connections(visit.api_url),
        explain_kind=explain_kind,
    )


async def play_example(visit: Visit) -> Response:
    """Have the example conversation remembered for this user."""
    if visit.play_example is None:
        raise HTTPException(404)
    response = visit.render("help/example_begun.html", count=0)
    response.background = BackgroundTask(visit.play_example, visit.client, visit.session.user_id)
    return response


async def show_example(visit: Visit) -> Response:
    """Show how much is remembered by now of the example that was begun."""
    page = await visit.client.list(**visit.everywhere(), limit=MOST_COUNTED)
    return visit.render("help/example_begun.html", count=len(page.memories))


ROUTES = (
    PageRoute("/help", show),
    PageRoute("/help/example", play_example, "POST"),
    PageRoute("/help/example", show_example),
)
