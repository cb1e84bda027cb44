"""Calls on conversations and their changes, over HTTP: `client.sessions`."""

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
from palimpsest.api.resources import TurnDetail, TurnQuery
from palimpsest.client.connections import ClientConnections
from palimpsest.client.request_validation import build_valid_request, encode_path_id
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import turn_id


class SessionCalls:
    def __init__(self, connections: ClientConnections) -> None:
        self._connections = connections

    async def list(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        everywhere: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> ConversationList:
        """List conversations, that of the latest message first, one page at a time.

        With `everywhere` those in all projects, and with all agents if none is named.
        """
        query = build_valid_request(
            ConversationQuery,
            user_id=user_id,
            agent_id=agent_id,
            project_id=project_id,
            everywhere=everywhere,
            limit=limit,
            cursor=cursor,
        )
        return await self._connections.console.command(
            "GET", "/v1/conversations", query, None, ConversationList
        )

    async def messages(
        self,
        session_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        everywhere: bool = False,
        after: int = 0,
        limit: int = 100,
    ) -> ConversationMessages:
        """Return the messages of a conversation, the oldest first, one page at a time."""
        query = build_valid_request(
            MessageQuery,
            user_id=user_id,
            agent_id=agent_id,
            project_id=project_id,
            everywhere=everywhere,
            after=after,
            limit=limit,
        )
        return await self._connections.console.command(
            "GET", _path(session_id), query, None, ConversationMessages
        )

    async def summary(
        self,
        session_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
    ) -> SessionSummary:
        """Return the summary of one conversation.

        Raises:
            NotFound: it has none that this scope sees.
        """
        scope = build_valid_request(
            Scope, user_id=user_id, agent_id=agent_id, project_id=project_id
        )
        path = f"/v1/sessions/{encode_path_id(session_id)}/summary"
        return await self._connections.console.command("GET", path, scope, None, SessionSummary)

    async def message(
        self,
        session_id: str,
        message_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        everywhere: bool = False,
    ) -> TurnDetail:
        """Return one message of a conversation with those right before and after it.

        With `everywhere` it may be of any project, and of any agent if none is named.

        Raises:
            NotFound: this scope sees no such message.
        """
        query = build_valid_request(
            TurnQuery,
            user_id=user_id,
            agent_id=agent_id,
            project_id=project_id,
            everywhere=everywhere,
        )
        path = f"/v1/turns/{turn_id(user_id, session_id, message_id)}"
        return await self._connections.console.command("GET", path, query, None, TurnDetail)

    async def changes(
        self,
        session_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        limit: int = 50,
        cursor: int | None = None,
    ) -> SessionChangeList:
        """List what a conversation changed, the newest change first, one page at a time."""
        query = build_valid_request(
            SessionChangesQuery, user_id=user_id, agent_id=agent_id, limit=limit, cursor=cursor
        )
        return await self._connections.console.command(
            "GET", f"{_path(session_id)}/changes", query, None, SessionChangeList
        )

    async def undo(
        self,
        session_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        dry_run: bool = False,
    ) -> SessionUndoResult:
        """Undo everything that a conversation changed; what was changed again since stays.

        A dry run only shows what would be put back. With `agent_id` only changes that the agent
        sees are undone.
        """
        query = build_valid_request(
            UndoSessionQuery, user_id=user_id, agent_id=agent_id, dry_run=dry_run
        )
        return await self._connections.console.command(
            "POST", f"{_path(session_id)}/undo", query, None, SessionUndoResult
        )


def _path(session_id: str) -> str:
    return f"/v1/conversations/{encode_path_id(session_id)}"
