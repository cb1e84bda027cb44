"""`GET /v1/export`: all there is of a user, one JSON object a line; and `POST /v1/import`."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from palimpsest.api.resources import CommandResult, MemoryRevision
from palimpsest.model.memory import Accesses, ImportedMemory, Memory
from palimpsest.model.profile import Profile
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import Todo
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserSettings
from palimpsest.model.value_types import Identifier, Instant, Value


class ExportQuery(Value):
    """`GET /v1/export` and `GET /v1/agents`: the user who is asked about."""

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
    """`GET /v1/agents`: those that have memories of a user; what all of them see comes first."""

    agents: tuple[AgentMemories, ...]
    """The agents, ordered by id; memories that all agents see come first."""


class ExportBegun(Value):
    """The first line."""

    record: Literal["export"] = "export"
    user_id: Identifier
    """The user to whom all following lines belong."""
    exported_at: Instant
    """When the export began, in UTC; later changes may be in it or not."""
    settings: UserSettings
    """The settings of the user."""
    agents: tuple[AgentMemories, ...]
    """The agents that have memories of the user."""


class ExportedMemory(Value):
    """A memory of any status but purged, with its evidence and all that became of it."""

    record: Literal["memory"] = "memory"
    memory: Memory
    """The memory in its present version."""
    accesses: Accesses = Accesses()
    """How many recalls returned it, and when the last one did."""
    history: tuple[MemoryRevision, ...]
    """The revisions of the memory, the latest first."""


class ExportedTodo(Value):
    """Something to do, in any state. Its memory has the same id."""

    record: Literal["todo"] = "todo"
    todo: Todo
    """The todo in its present version."""


class ExportedProfile(Value):
    """One version of what is known of the user in a few paragraphs."""

    record: Literal["profile"] = "profile"
    profile: Profile
    """This version of the profile."""


class ExportedSummary(Value):
    """The summary of one session."""

    record: Literal["summary"] = "summary"
    summary: SessionSummary
    """The summary in its present version."""


class ExportedTurn(Value):
    """One raw message, as long as these are kept; `session_id` and `sequence` are its place."""

    record: Literal["turn"] = "turn"
    turn: Turn
    """The message as it was stored."""


class ExportEnded(Value):
    """The last line. An export without it broke off."""

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
    | ExportEnded
)

EXPORT_LINE: TypeAdapter[ExportLine] = TypeAdapter(
    Annotated[ExportLine, Field(discriminator="record")]
)
"""Reads a line."""
