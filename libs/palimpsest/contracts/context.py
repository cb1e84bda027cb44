"""Asking for the block of a prompt: over HTTP and over Kafka alike."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from palimpsest.contracts.envelope import Event
from palimpsest.contracts.recall import ContextMessage, ErrorReply, Record
from palimpsest.domain.context.formats.table import FormatName
from palimpsest.domain.model import Identifier, Instant, Value
from palimpsest.domain.ranking.policies.table import PolicyName
from palimpsest.domain.scope import Scope
from palimpsest.domain.turn import Role
from palimpsest.domain.user import Language

DEFAULT_TOKEN_BUDGET = 1_000


class Persona(Value):
    name: Annotated[str, StringConstraints(max_length=200)] = ""
    """What it is called."""
    personality: Annotated[str, StringConstraints(max_length=8192)] = ""
    """How it is."""


class ContextRequest(Value):
    """`POST /v1/context`. Without a `query` it is what a conversation starts with."""

    user_id: Identifier
    agent_id: Identifier | None = None
    project_id: Identifier | None = None
    session_id: Identifier | None = None
    """Of the conversation that goes on: its last messages and its running summary come along."""
    query: Annotated[str, StringConstraints(min_length=1, max_length=8192)] | None = None
    context: Annotated[tuple[ContextMessage, ...], Field(max_length=3)] = ()
    format: FormatName = FormatName.DEFAULT
    policy: PolicyName | None = None
    """None: the one of the format's source."""
    limit: Annotated[int, Field(ge=1, le=100)] | None = None
    token_budget: Annotated[int, Field(ge=1, le=100_000)] = DEFAULT_TOKEN_BUDGET
    """Of the block, its marks included."""
    language: Language | None = None
    """None: as the user has settled, else the question's."""
    persona: Persona = Persona()
    system_prompt: Annotated[str, StringConstraints(max_length=32_768)] = ""
    last_messages: Annotated[int, Field(ge=0, le=100)] | None = None
    """None: as many as the format's source says."""
    citations: bool = False
    """Whether each line ends with the number under which `citations` has it."""
    incognito: bool = False
    """Read nothing, record nothing."""

    @property
    def scope(self) -> Scope:
        return Scope(user_id=self.user_id, agent_id=self.agent_id, project_id=self.project_id)


class Citation(Value):
    """What stands behind a number in the block."""

    number: int
    id: str
    record: Record


class LastMessage(Value):
    message_id: str
    role: Role
    speaker: str | None = None
    text: str
    occurred_at: Instant


class ContextResponse(Value):
    recall_id: str | None = None
    block: str
    """What memory says, between the marks by which it is kept from being remembered again."""
    text: str
    """The same without the marks."""
    system_prompt: str
    """The format's whole prompt, the block in its place."""
    messages: tuple[LastMessage, ...] = ()
    """The last of the conversation, the oldest first."""
    running_summary: str | None = None
    citations: tuple[Citation, ...] = ()
    """Of what is in the block."""
    tokens: int
    """Of the block."""
    memory_enabled: bool = True
    took_ms: float


class ContextRequested(Event):
    """A context over Kafka. `occurred_at` is when it was asked, `deadline` when to give up."""

    type: Literal["ContextRequested"] = "ContextRequested"
    request: ContextRequest
    deadline: Instant | None = None


class ContextReplied(Event):
    type: Literal["ContextReplied"] = "ContextReplied"
    response: ContextResponse | None = None
    error: ErrorReply | None = None
