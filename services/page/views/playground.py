"""Playground: talk to a local stand-in that says what it recalls, and see what is remembered of it."""

from typing import Any
from uuid import uuid4

from starlette.responses import Response

from palimpsest.api.recall import RecordType
from palimpsest.client import Message
from palimpsest.model.turn import Role
from services.page.page_routes import PageRoute
from services.page.session_effects import collect_effects
from services.page.visit import Visit

MAXIMUM_CITATIONS = 5
"""The most memories that the stand-in cites in a reply."""


async def show(visit: Visit) -> Response:
    """Begin a conversation of its own."""
    return visit.render("playground.html", session_id=f"playground-{uuid4()}", remembered=())


async def say(visit: Visit) -> Response:
    """Reply with what is recalled; then have the message remembered, unless it is incognito."""
    text, session_id = visit.form.get("text", "").strip(), visit.form.get("session_id", "")
    is_incognito = "incognito" in visit.form
    scope = visit.scope()
    answer = await visit.client.recall(
        text,
        **scope,
        records=(RecordType.MEMORY,),
        limit=MAXIMUM_CITATIONS,
        incognito=is_incognito,
    )
    if not is_incognito:
        message = Message(message_id=str(uuid4()), role=Role.USER, text=text)
        await visit.client.save_conversation([message], session_id=session_id, **scope)
        await visit.client.extract(session_id, user_id=scope["user_id"])
    return visit.render("playground/said.html", text=text, answer=answer, is_incognito=is_incognito)


async def show_remembered(visit: Visit) -> Response:
    """Show what was remembered of this conversation so far."""
    session_id = visit.query.get("session_id", "")
    return visit.render(
        "playground/remembered.html",
        session_id=session_id,
        remembered=await _read_remembered(visit, session_id),
    )


async def remember(visit: Visit) -> Response:
    """Remember one message as it is."""
    result = await visit.client.add(visit.form.get("text", ""), **visit.scope())
    return visit.render(
        "toast.html",
        text=visit.word("playground.remembered_this"),
        change_set_id=result.change_set_id,
    )


async def _read_remembered(visit: Visit, session_id: str) -> list[dict[str, Any]]:
    user_id, agent_id = visit.session.user_id, visit.session.agent_id
    changes = await visit.client.sessions.changes(session_id, user_id=user_id, agent_id=agent_id)
    preview = await visit.client.undo_session(
        session_id, user_id=user_id, agent_id=agent_id, dry_run=True
    )
    return [
        {"change_set_id": change_set.id, "effect": effect}
        for change_set in changes.changes
        for effect in collect_effects([change_set], preview)
        if not effect.is_taken_back
    ]


ROUTES = (
    PageRoute("/playground", show),
    PageRoute("/playground/say", say, "POST"),
    PageRoute("/playground/remembered", show_remembered),
    PageRoute("/playground/remember", remember, "POST"),
)
