"""Keys: made, shown once, given another secret, revoked."""

from datetime import timedelta

from starlette.responses import Response

from palimpsest.model.permissions import EVERYDAY_PERMISSIONS, Permission
from services.page.page_routes import PageRoute
from services.page.visit import Visit

LIVES = (0, 7, 30, 90, 365)
"""Days after which a new key expires; 0 for never."""
GRACES = (0, 3600, 86_400)
"""Seconds for which the former secret of a key works on."""


async def show(visit: Visit) -> Response:
    """Show every key, and a form for a new one."""
    return visit.render(
        "keys.html",
        keys=(await visit.client.keys.list()).keys,
        permissions=tuple(Permission),
        everyday=EVERYDAY_PERMISSIONS,
        lives=LIVES,
        graces=GRACES,
    )


async def create(visit: Visit) -> Response:
    """Make a key, and show its secret this once."""
    days = parse_choice(visit.form.get("days"), LIVES)
    issued = await visit.client.keys.create(
        visit.form.get("name", ""),
        user_id=visit.form.get("user_id", "").strip() or None,
        agent_id=visit.form.get("agent_id", "").strip() or None,
        permissions=visit.form.getlist("permission"),
        expires_at=visit.times.now + timedelta(days=days) if days else None,
    )
    return await _show_secret(visit, issued.secret, issued.key.name)


async def rotate(visit: Visit) -> Response:
    """Give a key another secret, and show it this once."""
    issued = await visit.client.keys.rotate(
        visit.path["key_id"], grace_seconds=parse_choice(visit.form.get("grace"), GRACES)
    )
    return await _show_secret(visit, issued.secret, issued.key.name)


async def revoke(visit: Visit) -> Response:
    """Revoke a key for good."""
    key = await visit.client.keys.revoke(visit.path["key_id"])
    return visit.render(
        "keys/revoked.html",
        keys=(await visit.client.keys.list()).keys,
        graces=GRACES,
        name=key.name,
    )


async def _show_secret(visit: Visit, secret: str, name: str) -> Response:
    return visit.render(
        "keys/issued.html",
        secret=secret,
        name=name,
        keys=(await visit.client.keys.list()).keys,
        graces=GRACES,
    )


def parse_choice(written: str | None, choices: tuple[int, ...]) -> int:
    """Return one of the choices; the first for anything else."""
    return next((choice for choice in choices if str(choice) == written), choices[0])


ROUTES = (
    PageRoute("/keys", show),
    PageRoute("/keys", create, "POST"),
    PageRoute("/keys/{key_id:path}/rotate", rotate, "POST"),
    PageRoute("/keys/{key_id:path}/revoke", revoke, "POST"),
)
