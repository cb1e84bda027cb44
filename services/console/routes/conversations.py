"""Conversations: their messages, what each changed, and taking back all that one wrote."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.api.conversations import (
    ConversationList,
    ConversationMessages,
    ConversationQuery,
    MessageQuery,
    SessionChangeList,
    SessionChangesQuery,
    SessionUndoResult,
    UndoSessionQuery,
)
from palimpsest.events.commands import UndoSession
from palimpsest.model.clock import Clock
from palimpsest.model.value_types import Identifier
from palimpsest_server.runtime.http import Permission, declare_permission
from services.console.command_responses import (
    COMMAND_RESPONSES,
    NOT_FOUND_RESPONSE,
    IdempotencyKey,
    build_command_result,
    build_unique_command,
    find_settings_after,
    run_command,
)
from services.console.command_runner import CommandRunner
from services.console.session_history import SessionHistory

_UNDO = """
Puts back, change by change and the last one first, what the conversation wrote: a memory that it added is
forgotten (and can be restored), a value that it replaced holds again. A change that something later has
changed again stays and is told under `conflicts`, with the later change. `dry_run=true` shows all that
and changes nothing. Messages stay; those that only say what was put back are shown no more.
The undoing is a change itself and can be undone by `result.change_set_id`.
"""


def build_router(sessions: SessionHistory, commands: CommandRunner, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/conversations", tags=["conversations"])
    readable = declare_permission(Permission.READ)

    @router.get("", openapi_extra=readable)
    async def page(query: Annotated[ConversationQuery, Query()]) -> ConversationList:
        """List the conversations that can be seen from a scope, that of the latest message first."""
        return await sessions.page(query)

    @router.get("/{session_id}", openapi_extra=readable, responses={404: NOT_FOUND_RESPONSE})
    async def messages(
        session_id: Identifier, query: Annotated[MessageQuery, Query()]
    ) -> ConversationMessages:
        """Return the messages of a conversation in their order."""
        return await sessions.messages(session_id, query)

    @router.get("/{session_id}/changes", openapi_extra=readable)
    async def changes(
        session_id: Identifier, query: Annotated[SessionChangesQuery, Query()]
    ) -> SessionChangeList:
        """List what a conversation changed in memory, the newest change first."""
        return await sessions.changes(session_id, query)

    @router.post(
        "/{session_id}/undo",
        summary="Take back all that a conversation wrote",
        description=_UNDO,
        openapi_extra=declare_permission(Permission.WRITE),
        responses=COMMAND_RESPONSES,
    )
    async def undo(
        session_id: Identifier,
        query: Annotated[UndoSessionQuery, Query()],
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> SessionUndoResult:
        preview = await sessions.preview(session_id, query.scope)
        if query.dry_run or (idempotency_key is None and not preview.change_set_ids):
            return preview
        event = build_unique_command(
            UndoSession,
            query.user_id,
            idempotency_key,
            session_id,
            now=clock(),
            agent_id=query.agent_id,
            undone_session_id=session_id,
        )
        change_set = await run_command(commands, event, response)
        settings = None if change_set is None else find_settings_after(change_set)
        result = build_command_result(event, change_set, settings=settings)
        return preview.model_copy(update={"result": result})

    return router
