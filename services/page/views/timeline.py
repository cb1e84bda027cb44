"""Timeline: what held when. Each attribute is a line of intervals, and a slider asks for a moment."""

from datetime import datetime

from starlette.responses import Response

from palimpsest.client.memory_pages import iterate_memories
from palimpsest.model.memory import Memory, Status
from services.page.page_routes import PageRoute
from services.page.timeline.timeline_lines import (
    WHOLE,
    TimeStretch,
    build_timeline,
    find_busy_stretch,
    find_stretch,
)
from services.page.visit import Visit

MOST_MEMORIES = 2_000
MOST_HELD = 200
_SHOWN = (Status.ACTIVE, Status.SUPERSEDED)


async def show(visit: Visit) -> Response:
    """Show all lines, and what holds at the chosen moment."""
    memories = await _read_memories(visit)
    whole = find_stretch(memories, visit.times.now)
    busy = find_busy_stretch(memories, visit.times.now)
    is_whole = busy is None or "whole" in visit.query
    stretch = whole if busy is None or is_whole else busy
    moment = _read_moment(visit, stretch)
    return visit.render(
        "timeline.html",
        lines=build_timeline(memories, stretch),
        stretch=stretch,
        has_choice=busy is not None,
        is_whole=is_whole,
        place=stretch.place(moment),
        moment=moment,
        held=await _read_held(visit, moment),
        is_cut_off=len(memories) >= MOST_MEMORIES,
    )


async def show_held(visit: Visit) -> Response:
    """Show what held at the moment of the slider."""
    begin, end = (datetime.fromisoformat(visit.query[name]) for name in ("begin", "end"))
    moment = _read_moment(visit, TimeStretch(begin, end))
    return visit.render("timeline/held.html", moment=moment, held=await _read_held(visit, moment))


def _read_moment(visit: Visit, stretch: TimeStretch) -> datetime:
    try:
        place = float(visit.query.get("place", WHOLE))
    except ValueError:
        place = WHOLE
    return stretch.moment(min(max(place, 0.0), WHOLE))


async def _read_memories(visit: Visit) -> list[Memory]:
    listed = iterate_memories(
        visit.client,
        user_id=visit.session.user_id,
        agent_id=visit.session.agent_id,
        everywhere=True,
        status=_SHOWN,
    )
    memories: list[Memory] = []
    async for memory in listed:
        memories.append(memory)
        if len(memories) == MOST_MEMORIES:
            break
    return memories


async def _read_held(visit: Visit, moment: datetime) -> tuple[Memory, ...]:
    page = await visit.client.list(
        user_id=visit.session.user_id,
        agent_id=visit.session.agent_id,
        everywhere=True,
        as_of=moment,
        limit=MOST_HELD,
    )
    return page.memories


ROUTES = (
    PageRoute("/timeline", show),
    PageRoute("/timeline/held", show_held),
)
