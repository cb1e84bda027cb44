"""`/v1/conversations`: sessions with their messages, what each changed, and taking that back."""

from typing import Annotated

from pydantic import Field

from palimpsest.api.resources import CommandResult
from palimpsest.api.scoped_request import ScopedRequest
from palimpsest.model.change_set import ChangeRefusal, ChangeSet
from palimpsest.model.memory import Memory
from palimpsest.model.turn import Turn
from palimpsest.model.value_types import Identifier, Instant, Integer, Value


class ConversationQuery(ScopedRequest):
    """`GET /v1/conversations`: whose, and seen as which agent from which project."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    """The most conversations to return, 1 to 200."""
    cursor: Identifier | None = None
    """`next_cursor` of the previous page; leave it out for the first page."""


class Conversation(Value):
    """One conversation, without its words."""

    session_id: Identifier
    agent_id: Identifier | None = None
    """The agent with which it was started; null if it was started with none."""
    project_id: Identifier | None = None
    """The project in which it was started; null for none."""
    topic: str | None = None
    """The topic that the chat service gave it."""
    participants: tuple[str, ...] = ()
    """Agents by id and people by name who take part."""
    messages: int
    """The number of its last message; messages are numbered from 1."""
    last_message_at: Instant | None = None
    """When its last message that can be seen was said; null if none is left."""


class ConversationList(Value):
    """One page, that of the latest message first."""

    conversations: tuple[Conversation, ...]
    """The conversations that can be seen from the scope."""
    next_cursor: str | None = None


class MessageQuery(ScopedRequest):
    """`GET /v1/conversations/{session_id}`: from where, and which of its messages."""

    after: Integer = 0
    """Only messages behind this number; `next_after` of the previous page."""
    limit: Annotated[int, Field(ge=1, le=500)] = 100
    """The most messages to look at, 1 to 500."""


class ConversationMessages(Value):
    """A stretch of a conversation, the oldest message first."""

    session_id: Identifier
    messages: tuple[Turn, ...]
    """The messages that can be seen; those taken back or erased are left out."""
    next_after: int | None = None
    """The number to give as `after` for the next page; null on the last page."""


class SessionChangesQuery(ScopedRequest):
    """`GET /v1/conversations/{session_id}/changes`: what a conversation changed."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    """The most change sets to return, 1 to 200."""
    cursor: Annotated[Integer, Field(ge=1)] | None = None
    """`next_cursor` of the previous page; leave it out for the first page."""


class UndoSessionQuery(ScopedRequest):
    """`POST /v1/conversations/{session_id}/undo`: whose, and only what this agent sees of it."""

    dry_run: bool = False
    """True only shows what would be put back."""


class MemoryPutBack(Value):
    """A memory as it stands, and as it is once the conversation is undone."""

    before: Memory
    """The memory as it stands."""
    after: Memory
    """The memory once it is put back; one that the conversation added is forgotten."""


class SessionUndoConflict(Value):
    """A change of the conversation that stays as it is."""

    change_set_id: str
    """The change set that is not put back."""
    memory_ids: tuple[str, ...]
    """The memories that it changed."""
    refusal: ChangeRefusal
    """The reason; it names the later change set that is in the way."""


class SessionUndoResult(Value):
    """The preview of undoing a conversation, and the result unless it was a dry run."""

    put_back: tuple[MemoryPutBack, ...]
    """Memories that are put back, each with its state before and after."""
    change_set_ids: tuple[str, ...]
    """The change sets that are put back, the last one first."""
    conflicts: tuple[SessionUndoConflict, ...] = ()
    """Changes that something later has changed again; they stay."""
    left: int = 0
    """Changes beyond 500 memories at once; ask again to go on with them."""
    result: CommandResult | None = None
    """The result of the command; null for a dry run, or if there is nothing to put back."""


class SessionChangeList(Value):
    """One page of what a conversation changed, the newest first."""

    changes: tuple[ChangeSet, ...]
    next_cursor: int | None = None
