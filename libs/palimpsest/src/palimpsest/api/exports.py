"""`GET /v1/export`: all there is of a user, one JSON object a line; and `POST /v1/import`."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from palimpsest.api.resources import CommandResult, MemoryRevision
from palimpsest.model.memory import Accesses, ImportedMemory, Memory
from palimpsest.model.profile import Profile
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import Todo
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserSettings
from palimpsest.model.value_types import Identifier, Instant, Value


class ExportQuery(Value):
    """`GET /v1/export` and `GET /v1/agents`: the user whose data is requested."""

    user_id: Identifier
    """The user whose data is asked for."""
    agent_id: Identifier | None = None
    """Only what this agent sees: its own and what all agents see; left out, everything."""


class ImportQuery(Value):
    """`POST /v1/import`: whose the memories become."""

    user_id: Identifier
    """The user whose memories they become."""


class AgentMemories(Value):
    """The number of memories that one agent has of a user."""

    agent_id: Identifier | None
    """The agent; null for memories that all agents of the user see."""
    memories: int
    """The number of active memories."""


class AgentList(Value):
    """`GET /v1/agents`: the agents that have memories of a user."""

    agents: tuple[AgentMemories, ...]
    """The agents, ordered by id; memories that all agents see come first."""


class ExportBegun(Value):
    """The first line of an export."""

    record: Literal["export"] = "export"
    user_id: Identifier
    """The user to whom all following lines belong."""
    exported_at: Instant
    """When the export began, in UTC; later changes may or may not be in it."""
    settings: UserSettings
    """The settings of the user."""
    agents: tuple[AgentMemories, ...]
    """The agents that have memories of the user."""


class ExportedMemory(Value):
    """A memory of any status but purged, with its evidence and history."""

    record: Literal["memory"] = "memory"
    memory: Memory
    """The memory in its current version."""
    accesses: Accesses = Accesses()
    """The number of recalls that returned it, and the time of the last one."""
    history: tuple[MemoryRevision, ...]
    """The revisions of the memory, latest first."""


class ExportedTodo(Value):
    """A todo in any state. Its memory has the same id."""

    record: Literal["todo"] = "todo"
    todo: Todo
    """The todo in its present version."""


class ExportedProfile(Value):
    """One version of the user's profile."""

    record: Literal["profile"] = "profile"
    profile: Profile
    """This version of the profile."""


class ExportedSummary(Value):
    """The summary of one session."""

    record: Literal["summary"] = "summary"
    summary: SessionSummary
    """The summary in its current version."""


class ExportedTurn(Value):
    """One raw message, if it is still kept; `session_id` and `sequence` are its place."""

    record: Literal["turn"] = "turn"
    turn: Turn
    """The message as it was stored."""


class ExportedQuestion(Value):
    """A standing question; its answer is made anew where it is imported."""

    record: Literal["question"] = "question"
    id: Identifier
    scope: Scope
    query: str
    """The question in its own words."""
    limit: int
    """The most memories that an answer rests on."""
    created_at: Instant


class ExportEnded(Value):
    """The last line. An export without it is incomplete."""

    record: Literal["end"] = "end"
    counts: dict[str, int]
    """The number of lines, by the type of record."""


class ImportRequest(Value):
    """`POST /v1/import`: memories as an export has them."""

    memories: tuple[ImportedMemory, ...] = Field(min_length=1, max_length=100)
    """The memories, 1 to 100, each with its todo if it has one."""


class ImportResult(Value):
    """The memories of an import that were taken in."""

    taken: int | None
    """The number of memories that were taken in; null while the import is under way."""
    known: int | None
    """The number of memories that the user had already; null while the import is under way."""
    result: CommandResult
    """The command; undo takes its `change_set_id`."""


ExportLine = (
    ExportBegun
    | ExportedMemory
    | ExportedTodo
    | ExportedProfile
    | ExportedSummary
    | ExportedTurn
    | ExportedQuestion
    | ExportEnded
)

EXPORT_LINE: TypeAdapter[ExportLine] = TypeAdapter(
    Annotated[ExportLine, Field(discriminator="record")]
)
"""Parses one line of an export."""
