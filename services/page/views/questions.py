"""Standing questions: kept, answered anew when something that is remembered changes, and removed."""

import asyncio
from typing import Any

from starlette.responses import Response

from palimpsest.api.standing_questions import StandingQuestion
from palimpsest.client.call_fields import ScopeFields
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
    places = await find_places(visit)
    pages = await asyncio.gather(
        *(_read_place(visit, agent_id, project_id) for agent_id, project_id in places.pairs)
    )
    questions = {question.id: question for page in pages for question in page}
    newest_first = sorted(
        questions.values(), key=lambda question: question.created_at, reverse=True
    )
    return {"questions": newest_first, "places": places}


async def _read_place(
    visit: Visit, agent_id: str | None, project_id: str | None
) -> tuple[StandingQuestion, ...]:
    scope: ScopeFields = {
        "user_id": visit.session.user_id,
        "agent_id": agent_id,
        "project_id": project_id,
    }
    return (await visit.client.questions.list(**scope)).questions


ROUTES = (
    PageRoute("/questions", show),
    PageRoute("/questions/list", show_list),
    PageRoute("/questions", add, "POST"),
    PageRoute("/questions/{question_id}/remove", remove, "POST"),
)
