"""Conversations for people: their messages, what each changed in memory, and a preview of undoing it."""

import asyncio
from collections.abc import Collection, Sequence

from palimpsest.api.conversations import (
    Conversation,
    ConversationList,
    ConversationMessages,
    ConversationQuery,
    ConversationScope,
    MemoryPutBack,
    MessageQuery,
    SessionChangeList,
    SessionChangesQuery,
    SessionUndoConflict,
    SessionUndoResult,
)
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Turn
from palimpsest_server.domain.consolidation.session_undo import (
    UndoConflict,
    find_memories_in_the_way,
    undo_session,
)
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.session_changes import read_session_changes
from palimpsest_server.stores.sessions import Session, SessionKey, SessionReader
from palimpsest_server.stores.turns import TurnStore
from palimpsest_server.stores.user_states import UserStates
from services.console.agent_view import is_seen_by_agent, restrict_to_agent
from services.console.routes.turns import VisibleTurns

MAXIMUM_SESSIONS = 1000
"""The most sessions of one user that are sorted by their last message."""
_AT_ONCE = 16


class SessionHistory:
    """Reads the sessions of a user. A session without messages in the reader's scope is hidden."""

    def __init__(
        self,
        sessions: SessionReader,
        turns: TurnStore,
        visible: VisibleTurns,
        change_sets: ChangeSetReader,
        memories: MemoryStore,
        users: UserStates,
    ) -> None:
        self._sessions = sessions
        self._turns = turns
        self._visible = visible
        self._change_sets = change_sets
        self._memories = memories
        self._users = users

    async def page(self, query: ConversationQuery) -> ConversationList:
        sessions = await self._sessions.of_user(query.user_id, limit=MAXIMUM_SESSIONS)
        turnstile = asyncio.Semaphore(_AT_ONCE)

        async def look(session: Session) -> Conversation | None:
            async with turnstile:
                return await self._seen(session, query)

        seen = [
            conversation
            for conversation in await asyncio.gather(*map(look, sessions))
            if conversation is not None
        ]
        seen.sort(key=_latest_first)
        ids = [conversation.session_id for conversation in seen]
        start = ids.index(query.cursor) + 1 if query.cursor in ids else 0
        page = seen[start : start + query.limit]
        more = len(seen) > start + len(page)
        return ConversationList(
            conversations=tuple(page), next_cursor=page[-1].session_id if page and more else None
        )

    async def _seen(self, session: Session, query: ConversationScope) -> Conversation | None:
        newest = await self._turns.latest(session.key, 1)
        latest = await self._select(query, newest)
        # The last message may be hidden while earlier ones are not.
        shown = latest or await self._read_shown(session, query)
        if not shown:
            return None
        return Conversation(
            session_id=session.session_id,
            agent_id=session.agent_id,
            project_id=session.project_id,
            topic=session.topic,
            participants=session.participants,
            # The session itself learns a little later how far it has come.
            messages=max(session.last_sequence, *(turn.sequence or 0 for turn in newest), 0),
            last_message_at=shown[-1].occurred_at,
        )

    async def _read_shown(self, session: Session, query: ConversationScope) -> list[Turn]:
        """Return the first messages of the session that the reader sees."""
        stretch = await self._turns.stretch(session.key, after=0, limit=500)
        return await self._select(query, stretch)

    async def _select(self, query: ConversationScope, turns: Sequence[Turn]) -> list[Turn]:
        return await self._visible.select(query.scope, turns, everywhere=query.everywhere)

    async def messages(self, session_id: str, query: MessageQuery) -> ConversationMessages:
        """Return a stretch of a conversation.

        Raises:
            RecordNotFound: nothing of it can be seen from here.
        """
        key = SessionKey(query.user_id, session_id)
        stretch = await self._turns.stretch(key, after=query.after, limit=query.limit + 1)
        page: Sequence[Turn] = stretch[: query.limit]
        shown = await self._select(query, page)
        if not shown and query.after == 0 and len(stretch) <= len(page):
            raise RecordNotFound("no message of this conversation can be seen from here")
        more = len(stretch) > len(page)
        return ConversationMessages(
            session_id=session_id,
            messages=tuple(shown),
            next_after=page[-1].sequence if page and more else None,
        )

    async def changes(self, session_id: str, query: SessionChangesQuery) -> SessionChangeList:
        """Return the change sets that a conversation caused, as far as the reader's scope sees them."""
        change_sets = await self._change_sets.of_session(
            query.user_id, session_id, limit=query.limit + 1, before=query.cursor
        )
        page = change_sets[: query.limit]
        epoch = (await self._users.of([query.user_id]))[query.user_id].epoch
        return SessionChangeList(
            changes=tuple(
                restrict_to_agent(change_set, query.agent_id)
                for change_set in page
                if change_set.epoch >= epoch and is_seen_by_agent(change_set, query.agent_id)
            ),
            next_cursor=page[-1].revision if len(change_sets) > len(page) else None,
        )

    async def preview(self, session_id: str, scope: Scope) -> SessionUndoResult:
        """Return the changes that undoing the conversation would make, and its conflicts."""
        found = await read_session_changes(
            self._change_sets, self._memories, scope.user_id, session_id
        )
        state = (await self._users.of([scope.user_id]))[scope.user_id]
        caused = [each for each in found.change_sets if each.epoch >= state.epoch]
        present = {memory.id: memory for memory in found.memories}
        changed_again = find_memories_in_the_way(caused, present)
        undo = undo_session(
            caused,
            present,
            state.settings,
            found.later,
            agent_id=scope.agent_id,
        )
        return SessionUndoResult(
            put_back=tuple(
                MemoryPutBack(before=change.before, after=change.after)
                for change in undo.memories
                if change.before is not None
            ),
            change_set_ids=tuple(change_set.id for change_set in undo.undone),
            conflicts=tuple(
                _describe_conflict(conflict, changed_again) for conflict in undo.conflicts
            ),
            left=undo.left,
        )


def _describe_conflict(
    conflict: UndoConflict, changed_again: Collection[str]
) -> SessionUndoConflict:
    ids = [change.after.id for change in conflict.change_set.memory_changes]
    return SessionUndoConflict(
        change_set_id=conflict.change_set.id,
        memory_ids=tuple(ids),
        changed_again=tuple(memory_id for memory_id in ids if memory_id in changed_again),
        refusal=conflict.refusal,
    )


def _latest_first(conversation: Conversation) -> tuple[float, str]:
    at = conversation.last_message_at
    return (0.0 if at is None else -at.timestamp(), conversation.session_id)
