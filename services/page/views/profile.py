"""The profile: its text, its versions and their difference, and having it written now."""

import asyncio
from typing import Any

from starlette.responses import Response

from palimpsest.api.resources import ProfileDifference
from palimpsest.client.errors import NotFound, PermissionDenied
from services.page.page_routes import PageRoute
from services.page.places import find_places
from services.page.visit import Visit

VERSIONS = 20
"""The most versions that are listed."""
PATIENCE_SECONDS = 20.0
"""Seconds for which an answer waits for a new version; a model may take longer."""
PAUSE_SECONDS = 0.5


async def show(visit: Visit) -> Response:
    """Show the profile, as the user layer or one agent has it."""
    return visit.render("profile.html", places=await find_places(visit), **await _read(visit))


async def show_current(visit: Visit) -> Response:
    """Show the profile anew, or another difference of versions."""
    return visit.render("profile/current.html", **await _read(visit))


async def refresh(visit: Visit) -> Response:
    """Have the profile written now, and answer once there is a new version."""
    agent_id = visit.scope().get("agent_id")
    user_id = visit.session.user_id
    before = (await visit.client.profile(user_id, agent_id=agent_id)).made_at
    await visit.client.refresh_profile(user_id)
    is_new = await _wait_for_profile(visit, agent_id, before.timestamp())
    key = "profile.written" if is_new else "profile.coming"
    return visit.render("profile/refreshed.html", text=visit.word(key), **await _read(visit))


async def _wait_for_profile(visit: Visit, agent_id: str | None, before: float) -> bool:
    for _ in range(int(PATIENCE_SECONDS / PAUSE_SECONDS)):
        await asyncio.sleep(PAUSE_SECONDS)
        profile = await visit.client.profile(visit.session.user_id, agent_id=agent_id)
        if profile.made_at.timestamp() > before:
            return True
    return False


async def _read(visit: Visit) -> dict[str, Any]:
    agent_id = visit.scope().get("agent_id")
    user_id = visit.session.user_id
    profile, history = await asyncio.gather(
        visit.client.profile(user_id, agent_id=agent_id, language=visit.language),
        visit.client.profile_versions(user_id, agent_id=agent_id, limit=VERSIONS),
    )
    after = _read_number(visit.query.get("after"))
    return {
        "profile": profile,
        "versions": history.versions,
        "difference": await _find_difference(visit, agent_id, after),
        "agent_id": agent_id,
        "can_write": visit.session.agent_id is None,
    }


async def _find_difference(
    visit: Visit, agent_id: str | None, after: int | None
) -> ProfileDifference | None:
    """Return the difference of a version to the one before; None if there is no such pair."""
    try:
        return await visit.client.profile_difference(
            visit.session.user_id, agent_id=agent_id, after=after
        )
    except (NotFound, PermissionDenied):
        return None


def _read_number(written: str | None) -> int | None:
    return int(written) if written and written.isdecimal() and int(written) > 0 else None


ROUTES = (
    PageRoute("/profile", show),
    PageRoute("/profile/current", show_current),
    PageRoute("/profile/refresh", refresh, "POST"),
)
