"""Standing questions: kept, answered anew when something that is remembered changes, and removed."""

import asyncio
from typing import Any

from starlette.responses import Response

from services.page.page_routes import PageRoute
from services.page.places import find_places
from services.page.visit import Visit


async def show(visit: Visit) -> Response:
    """Show the questions with the answers that hold now, and a form for another one."""
    return visit.render("questions.html", **await _read(visit))


async def show_list(visit: Visit) -> Response:
    """Show the questions anew."""
    return visit.render("questions/list.html", **await _read(visit))


async def add(visit: Visit) -> Response:
    """Keep a question, and show its answer."""
    await visit.client.questions.add(visit.form.get("query", "").strip(), **visit.scope())
    return await _tell(visit, "questions.added")


async def remove(visit: Visit) -> Response:
    """Remove a question; what is remembered stays."""
    await visit.client.questions.delete(visit.path["question_id"], **visit.scope())
    return await _tell(visit, "questions.removed")


async def _tell(visit: Visit, key: str) -> Response:
    return visit.render("questions/changed.html", text=visit.word(key), **await _read(visit))


async def _read(visit: Visit) -> dict[str, Any]:
    places, page = await asyncio.gather(
        find_places(visit), visit.client.questions.list(**visit.everywhere())
    )
    return {"questions": page.questions[::-1], "places": places}


ROUTES = (
    PageRoute("/questions", show),
    PageRoute("/questions/list", show_list),
    PageRoute("/questions", add, "POST"),
    PageRoute("/questions/{question_id:path}/remove", remove, "POST"),
)
