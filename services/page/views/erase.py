"""Erasing for good: a topic, a project, what was forgotten, everything. All are shown beforehand."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from itertools import chain

from starlette.responses import Response

from palimpsest.api.resources import CommandResult
from palimpsest.client.errors import NotFound
from palimpsest.model.memory import Memory, Status
from services.page.erase_everything import count_everything, erase_if_confirmed
from services.page.erasure_preview import (
    CERTAINTIES,
    arrange_counts,
    divide_topic,
    join_purges,
    parse_certainty,
)
from services.page.page_routes import PageRoute, render_error
from services.page.places import find_places
from services.page.visit import Visit

MAXIMUM_PURGES = 50
"""The most forgotten memories that are erased together."""
MAXIMUM_ROUNDS = 200
"""The most requests for one project; each erases up to 500 memories."""
PURGES_AT_ONCE = 4


async def show(visit: Visit) -> Response:
    """Show the four ways, and what is being erased now."""
    return visit.render(
        "erase.html",
        certainties=CERTAINTIES,
        projects=(await find_places(visit)).projects,
        forgotten=await _list_forgotten(visit),
        erasures=(await visit.client.erasures(visit.session.user_id)).erasures,
        most=MAXIMUM_PURGES,
    )


async def show_progress(visit: Visit) -> Response:
    """Show what is being erased, and which stages are waited for."""
    erasures = await visit.client.erasures(visit.session.user_id)
    return visit.render("erase/progress.html", erasures=erasures.erasures)


async def preview_topic(visit: Visit) -> Response:
    """Show what is on a topic, without doing anything."""
    topic, at_least = visit.form.get("topic", "").strip(), _read_certainty(visit)
    result = await visit.client.forget_topic(
        topic, user_id=visit.session.user_id, at_least=at_least, dry_run=True
    )
    return visit.render(
        "erase/topic.html", topic=topic, at_least=at_least, preview=divide_topic(result, at_least)
    )


async def erase_topic(visit: Visit) -> Response:
    """Erase what is on a topic."""
    result = await visit.client.forget_topic(
        visit.form.get("topic", ""),
        user_id=visit.session.user_id,
        at_least=_read_certainty(visit),
    )
    return await _tell(visit, "topic-preview", len(result.topic.found))


async def preview_project(visit: Visit) -> Response:
    """Show how much there is of a project, without doing anything."""
    project_id = visit.form.get("project_id", "").strip()
    result = await visit.client.delete_project(
        project_id, user_id=visit.session.user_id, agent_id=visit.session.agent_id, dry_run=True
    )
    counts = arrange_counts(result.would_go or {})
    return visit.render("erase/project.html", project_id=project_id, counts=counts)


async def erase_project(visit: Visit) -> Response:
    """Erase a project, part after part until nothing of it is left."""
    count = 0
    for _ in range(MAXIMUM_ROUNDS):
        result = await visit.client.delete_project(
            visit.form.get("project_id", ""),
            user_id=visit.session.user_id,
            agent_id=visit.session.agent_id,
        )
        count += result.changed
        if not result.applied or not result.changed:
            break
    return await _tell(visit, "project-preview", count)


async def preview_forgotten(visit: Visit) -> Response:
    """Show what goes with the chosen memories, and what says the same and stays."""
    results = await _purge(visit, dry_run=True)
    preview = join_purges(results)
    return visit.render(
        "erase/forgotten.html", preview=preview, counts=arrange_counts(preview.counts)
    )


async def erase_forgotten(visit: Visit) -> Response:
    """Erase the chosen memories."""
    results = await _purge(visit, dry_run=False)
    return await _tell(visit, "forgotten-preview", len(results))


async def preview_everything(visit: Visit) -> Response:
    """Show how much there is of the user, without doing anything."""
    return visit.render("erase/everything.html", counts=await count_everything(visit))


async def erase_everything(visit: Visit) -> Response:
    """Erase everything, if the id of the user was typed once more."""
    if not await erase_if_confirmed(visit):
        return render_error(visit, HTTPStatus.UNPROCESSABLE_ENTITY, "erase.not_the_user_id")
    return await _tell(visit, "everything-preview", None)


async def _tell(visit: Visit, place: str, count: int | None) -> Response:
    erasures = await visit.client.erasures(visit.session.user_id)
    return visit.render(
        "erase/done.html",
        place=place,
        count=count,
        erasures=erasures.erasures,
        forgotten=await _list_forgotten(visit),
        most=MAXIMUM_PURGES,
    )


def _read_certainty(visit: Visit) -> float:
    return parse_certainty(visit.form.get("at_least"))


async def _list_forgotten(visit: Visit) -> Sequence[Memory]:
    """Return the latest forgotten memories of all agents and projects."""
    page = await visit.client.list(
        **visit.everywhere(), status=[Status.FORGOTTEN], limit=MAXIMUM_PURGES
    )
    return page.memories


async def _purge(visit: Visit, *, dry_run: bool) -> list[CommandResult]:
    chosen = set(visit.form.getlist("memory_id"))
    memories = [memory for memory in await _list_forgotten(visit) if memory.id in chosen]
    batches = [
        memories[start : start + PURGES_AT_ONCE]
        for start in range(0, len(memories), PURGES_AT_ONCE)
    ]
    results = [
        await asyncio.gather(*(_purge_memory(visit, memory, dry_run=dry_run) for memory in batch))
        for batch in batches
    ]
    return [result for result in chain.from_iterable(results) if result is not None]


async def _purge_memory(visit: Visit, memory: Memory, *, dry_run: bool) -> CommandResult | None:
    """Purge one memory; None where another purge took it along."""
    try:
        return await visit.client.purge(
            memory.id,
            user_id=memory.scope.user_id,
            agent_id=memory.scope.agent_id,
            project_id=memory.scope.project_id,
            dry_run=dry_run,
        )
    except NotFound:
        return None


ROUTES = (
    PageRoute("/erase", show),
    PageRoute("/erase/progress", show_progress),
    PageRoute("/erase/topic/preview", preview_topic, "POST"),
    PageRoute("/erase/topic", erase_topic, "POST"),
    PageRoute("/erase/project/preview", preview_project, "POST"),
    PageRoute("/erase/project", erase_project, "POST"),
    PageRoute("/erase/forgotten/preview", preview_forgotten, "POST"),
    PageRoute("/erase/forgotten", erase_forgotten, "POST"),
    PageRoute("/erase/everything/preview", preview_everything, "POST"),
    PageRoute("/erase/everything", erase_everything, "POST"),
)
