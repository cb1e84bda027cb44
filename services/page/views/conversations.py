"""Conversations: their messages, what each changed in memory, and taking that back."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from palimpsest.api.conversations import Conversation, ConversationMessages, SessionUndoResult
from palimpsest.api.resources import Problem
from palimpsest.client.call_fields import ScopeFields
from palimpsest.client.errors import NotFound, PermissionDenied
from palimpsest.events.commands import UndoSession
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.session_summary import SessionSummary
from services.page.page_routes import PageRoute
from services.page.session_effects import (
    MemoryEffect,
    collect_effects,
    count_erased,
    group_by_message,
)
from services.page.visit import Visit

PAGE_SIZE = 15
MESSAGES = 500
"""The most messages that are read at once, which is also the most that the API returns."""
LATEST = 200
"""Conversations among which a topic is looked for."""
MAXIMUM_CHANGES = 200
"""The most changes of a conversation that are shown."""


@dataclass(frozen=True)
class SessionOverview:
    """The summary and effects of a conversation, shown beside its messages."""

    summary: SessionSummary | None
    effects: Sequence[MemoryEffect]
    erased: int
    """The number of effects of which nothing is left, because their memories were erased."""
    preview: SessionUndoResult | None
    """The preview of taking it back; None if the visitor's key may not."""


async def show(visit: Visit) -> Response:
    """Show the latest conversations."""
    return visit.render("conversations.html", **await _read_list(visit))


async def show_list(visit: Visit) -> Response:
    """Show the list anew, or its next page."""
    return visit.render("conversations/list.html", **await _read_list(visit))


async def show_session(visit: Visit) -> Response:
    """Show one conversation; its messages bear anchors, `#message-ID`."""
    template = (
        "conversations/session_part.html" if visit.is_fragment else "conversations/session.html"
    )
    return visit.render(template, **await _read_session(visit, visit.query.get("id", "")))


async def show_more_messages(visit: Visit) -> Response:
    """Show the next messages of a long conversation."""
    return visit.render(
        "conversations/messages.html",
        is_next_page=True,
        **await _read_session(visit, visit.query.get("id", "")),
    )


async def preview_undo(visit: Visit) -> Response:
    """Show what taking a conversation back would do, before it is done."""
    session_id = visit.query.get("id", "")
    preview, changes = await asyncio.gather(
        _undo(visit, session_id, dry_run=True), _read_changes(visit, session_id)
    )
    effects = collect_effects(changes, preview)
    kept = [effect for effect in effects if effect.is_kept and not effect.is_erased]
    return visit.render(
        "conversations/take_back.html", session_id=session_id, preview=preview, kept=kept
    )


async def undo(visit: Visit) -> Response:
    """Take a conversation back, which can be undone."""
    session_id = visit.form.get("id", "")
    done = await _undo(visit, session_id, dry_run=False)
    return visit.render(
        "conversations/taken_back.html",
        done=done,
        **await _read_session(visit, session_id),
    )


async def _undo(visit: Visit, session_id: str, *, dry_run: bool) -> SessionUndoResult:
    session = visit.session
    return await visit.client.undo_session(
        session_id, user_id=session.user_id, agent_id=session.agent_id, dry_run=dry_run
    )


async def _read_list(visit: Visit) -> dict[str, Any]:
    page = await visit.client.sessions.list(
        **visit.everywhere(),
        limit=PAGE_SIZE,
        cursor=visit.query.get("cursor"),
    )
    rows = await asyncio.gather(*(_read_row(visit, talk) for talk in page.conversations))
    return {
        "page": page,
        "rows": rows,
        "is_next_page": "cursor" in visit.query,
    }


async def _read_session(visit: Visit, session_id: str) -> dict[str, Any]:
    talk, messages, overview = await asyncio.gather(
        _find_conversation(visit, session_id),
        _find_messages(visit, session_id),
        _read_overview(visit, session_id, visit.scope()),
    )
    if messages is None and not overview.effects and not overview.erased:
        raise NotFound(Problem(reason="not_found", message="no such conversation"))
    return {
        "session_id": session_id,
        "talk": talk,
        "messages": messages,
        "overview": overview,
        "by_message": group_by_message(overview.effects, session_id),
        "hidden": 0 if talk is None or "after" in visit.query else count_hidden(talk, messages),
        "way_to_put_back": await _find_way_to_put_back(visit, overview.effects),
    }


async def _read_row(visit: Visit, talk: Conversation) -> tuple[Conversation, SessionOverview, int]:
    """Return a conversation of the list, its overview, and how many of its messages are hidden."""
    overview, messages = await asyncio.gather(
        _read_overview(visit, talk.session_id, _scope_of(visit, talk)),
        _find_messages(visit, talk.session_id),
    )
    return talk, overview, count_hidden(talk, messages)


def count_hidden(talk: Conversation, messages: ConversationMessages | None) -> int:
    """Count messages that were withdrawn, forgotten or erased, in a conversation that is read whole."""
    if messages is None:
        return talk.messages
    return 0 if messages.next_after else max(talk.messages - len(messages.messages), 0)


async def _find_way_to_put_back(visit: Visit, effects: Sequence[MemoryEffect]) -> str | None:
    """Return the change that took the conversation back, unless something came after it."""
    taken_back = [effect.memory for effect in effects if effect.is_taken_back]
    if not taken_back:
        return None
    latest = await visit.client.changes(
        user_id=visit.session.user_id,
        agent_id=visit.session.agent_id,
        memory_id=taken_back[0].id,
        limit=1,
    )
    return next((row.id for row in latest.changes if row.cause.type == UndoSession.__name__), None)


async def _read_overview(visit: Visit, session_id: str, scope: ScopeFields) -> SessionOverview:
    summary, changes, preview = await asyncio.gather(
        _find_summary(visit, session_id, scope),
        _read_changes(visit, session_id),
        _find_preview(visit, session_id),
    )
    effects = collect_effects(changes, preview)
    left = [effect for effect in effects if not effect.is_erased]
    return SessionOverview(summary, left, count_erased(effects), preview)


async def _read_changes(visit: Visit, session_id: str) -> Sequence[ChangeSet]:
    page = await visit.client.sessions.changes(
        session_id,
        user_id=visit.session.user_id,
        agent_id=visit.session.agent_id,
        limit=MAXIMUM_CHANGES,
    )
    return page.changes


async def _find_conversation(visit: Visit, session_id: str) -> Conversation | None:
    """Return a conversation if it is among the latest ones: its topic is told with lists alone."""
    latest = await visit.client.sessions.list(
        **visit.everywhere(),
        limit=LATEST,
    )
    return next((talk for talk in latest.conversations if talk.session_id == session_id), None)


async def _find_messages(visit: Visit, session_id: str) -> ConversationMessages | None:
    """Return messages; None if none is shown, such as after all that they say was taken back."""
    after = visit.query.get("after", "")
    try:
        return await visit.client.sessions.messages(
            session_id,
            **visit.everywhere(),
            after=int(after) if after.isdecimal() else 0,
            limit=MESSAGES,
        )
    except NotFound:
        return None


async def _find_summary(visit: Visit, session_id: str, scope: ScopeFields) -> SessionSummary | None:
    try:
        return await visit.client.sessions.summary(session_id, **scope)
    except NotFound:
        return None


async def _find_preview(visit: Visit, session_id: str) -> SessionUndoResult | None:
    try:
        return await _undo(visit, session_id, dry_run=True)
    except PermissionDenied:
        return None


def _scope_of(visit: Visit, talk: Conversation) -> ScopeFields:
    """Return the scope in which a conversation was started."""
    return {
        "user_id": visit.session.user_id,
        "agent_id": visit.session.agent_id or talk.agent_id,
        "project_id": talk.project_id,
    }


ROUTES = (
    PageRoute("/conversations", show),
    PageRoute("/conversations/list", show_list),
    PageRoute("/conversations/session", show_session),
    PageRoute("/conversations/messages", show_more_messages),
    PageRoute("/conversations/take-back", preview_undo),
    PageRoute("/conversations/take-back", undo, "POST"),
)
