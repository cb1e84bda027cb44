"""`/v1/conversations`: sessions, their messages, their changes to memory, and undoing those."""

from typing import Annotated

from pydantic import Field

from palimpsest.api.resources import CommandResult
from palimpsest.api.scoped_request import ScopedRequest, WidenedRequest
from palimpsest.model.change_set import ChangeRefusal, ChangeSet
from palimpsest.model.memory import Memory
from palimpsest.model.turn import Turn
from palimpsest.model.value_types import Identifier, Instant, Integer, Value


class ConversationScope(WidenedRequest):
    """The place from which conversations are seen."""


class ConversationQuery(ConversationScope):
    """`GET /v1/conversations`: the conversations of a user that a scope sees."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    """The most conversations to return, 1 to 200."""
    cursor: Identifier | None = None
    """`next_cursor` of the previous page; leave it out for the first page."""


class Conversation(Value):
    """One conversation, without its messages."""

    session_id: Identifier
    agent_id: Identifier | None = None
    """The agent with which it was started; null for none."""
    project_id: Identifier | None = None
    """The project in which it was started; null for none."""
    topic: str | None = None
    """The topic that the chat service stated."""
    participants: tuple[str, ...] = ()
    """Participants: agents by id, and people by name."""
    messages: int
    """The number of its last message; messages are numbered from 1."""
    last_message_at: Instant | None = None
    """When its last visible message was said; null if there is none."""


class ConversationList(Value):
    """One page of conversations, the one with the latest message first."""

    conversations: tuple[Conversation, ...]
    """The conversations that can be seen from the scope."""
    next_cursor: str | None = None


class MessageQuery(ConversationScope):
    """`GET /v1/conversations/{session_id}`: a range of its messages."""

    after: Integer = 0
    """Only messages behind this number; use `next_after` of the previous page."""
    limit: Annotated[int, Field(ge=1, le=500)] = 100
    """The most messages to read, 1 to 500."""


class ConversationMessages(Value):
    """A range of a conversation, oldest message first."""

    session_id: Identifier
    messages: tuple[Turn, ...]
    """The visible messages; withdrawn and erased ones are left out."""
    next_after: int | None = None
    """The value of `after` for the next page; null on the last page."""


class SessionChangesQuery(ScopedRequest):
    """`GET /v1/conversations/{session_id}/changes`: changes that a conversation made to memory."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    """The most change sets to return, 1 to 200."""
    cursor: Annotated[Integer, Field(ge=1)] | None = None
    """`next_cursor` of the previous page; leave it out for the first page."""


class UndoSessionQuery(ScopedRequest):
    """`POST /v1/conversations/{session_id}/undo`: undo its changes, or those that an agent sees."""

    dry_run: bool = False
    """True to only show what would be put back."""


class MemoryPutBack(Value):
    """A memory now, and after the conversation is undone."""

    before: Memory
    """The memory as it is now."""
    after: Memory
    """The memory after it is put back; a memory that the conversation added is forgotten."""


class SessionUndoConflict(Value):
    """A change of the conversation that cannot be put back."""

    change_set_id: str
    """The change set that is not put back."""
    memory_ids: tuple[str, ...]
    """The memories that it changed."""
    changed_again: tuple[str, ...] = ()
    """Ids of the memories that something later has changed again."""
    refusal: ChangeRefusal
    """The reason; it names the later change set that conflicts."""


class SessionUndoResult(Value):
    """The preview of undoing a conversation, and the result unless it was a dry run."""

    put_back: tuple[MemoryPutBack, ...]
    """Memories that are put back, each with its state before and after."""
    change_set_ids: tuple[str, ...]
    """The change sets that are put back, latest first."""
    conflicts: tuple[SessionUndoConflict, ...] = ()
    """Changes that a later change has changed again; they stay."""
    left: int = 0
    """The number of changes beyond 500 memories at once; repeat the request for them."""
    result: CommandResult | None = None
    """The result of the command; null for a dry run, or if there is nothing to put back."""


class SessionChangeList(Value):
    """One page of changes that a conversation made, newest first."""

    changes: tuple[ChangeSet, ...]
    next_cursor: int | None = None
