"""Webhooks of the user, with what was sent to them: added, tested, repeated, switched off."""

from urllib.parse import quote

from starlette.responses import Response

from palimpsest.api.change_events import ChangeEventType
from palimpsest.api.webhooks import Webhook
from services.page.page_routes import PageRoute
from services.page.visit import Visit


async def show(visit: Visit) -> Response:
    """Show the webhooks, and a form for a new one."""
    return visit.render("webhooks.html", webhooks=await _list(visit), types=tuple(ChangeEventType))


async def add(visit: Visit) -> Response:
    """Add a webhook, and show its secret this once."""
    added = await visit.client.webhooks.add(
        visit.form.get("url", ""),
        user_id=visit.session.user_id,
        agent_id=visit.session.agent_id,
        types=visit.form.getlist("type") or None,
        content="content" in visit.form,
        description=visit.form.get("description", "").strip(),
    )
    return visit.render("webhooks/added.html", secret=added.secret, webhooks=await _list(visit))


async def test(visit: Visit) -> Response:
    """Send one event to try the webhook out."""
    outcome = await visit.client.webhooks.test(
        visit.path["webhook_id"], user_id=visit.session.user_id
    )
    return visit.render("webhooks/test.html", test=outcome)


async def switch(visit: Visit) -> Response:
    """Switch a webhook on or off."""
    is_on = bool(visit.form.get("enabled"))
    await visit.client.webhooks.edit(
        visit.path["webhook_id"], user_id=visit.session.user_id, enabled=is_on
    )
    return await _tell(visit, visit.word(f"webhooks.switched_{'on' if is_on else 'off'}"))


async def delete(visit: Visit) -> Response:
    """Delete a webhook with its deliveries."""
    await visit.client.webhooks.delete(visit.path["webhook_id"], user_id=visit.session.user_id)
    return await _tell(visit, visit.word("webhooks.deleted"))


async def show_deliveries(visit: Visit) -> Response:
    """Show what was sent to a webhook, in a drawer, or the next page of it."""
    is_next_page = "cursor" in visit.query
    page = await visit.client.webhooks.deliveries(
        visit.path["webhook_id"],
        user_id=visit.session.user_id,
        cursor=visit.query.get("cursor"),
    )
    return visit.render(
        "webhooks/delivery_rows.html" if is_next_page else "webhooks/deliveries.html",
        path=f"/page/webhooks/{quote(visit.path['webhook_id'])}",
        deliveries=page.deliveries,
        next_cursor=page.next_cursor,
        is_next_page=is_next_page,
    )


async def replay(visit: Visit) -> Response:
    """Send one delivery again, or all that failed."""
    result = await visit.client.webhooks.replay(
        visit.path["webhook_id"],
        visit.form.getlist("delivery_id"),
        user_id=visit.session.user_id,
    )
    return visit.render("toast.html", text=visit.word("webhooks.replayed", count=result.replayed))


async def _list(visit: Visit) -> tuple[Webhook, ...]:
    return (await visit.client.webhooks.list(user_id=visit.session.user_id)).webhooks


async def _tell(visit: Visit, text: str) -> Response:
    return visit.render("webhooks/changed.html", text=text, webhooks=await _list(visit))


ROUTES = (
    PageRoute("/webhooks", show),
    PageRoute("/webhooks", add, "POST"),
    PageRoute("/webhooks/{webhook_id:path}/test", test, "POST"),
    PageRoute("/webhooks/{webhook_id:path}/switch", switch, "POST"),
    PageRoute("/webhooks/{webhook_id:path}/delete", delete, "POST"),
    PageRoute("/webhooks/{webhook_id:path}/deliveries", show_deliveries),
    PageRoute("/webhooks/{webhook_id:path}/replay", replay, "POST"),
)
