"""Asking for the block of a prompt: over HTTP and over Kafka alike."""

from typing import Annotated

from pydantic import Field, StringConstraints

from palimpsest.api.recall import ContextMessage, RecordType
from palimpsest.api.scoped_request import ScopedRequest
from palimpsest.model.context_format import FormatName
from palimpsest.model.ranking_policy import PolicyName
from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from palimpsest.model.value_types import Identifier, Instant, Value

DEFAULT_TOKEN_BUDGET = 1_000


class Persona(Value):
    name: Annotated[str, StringConstraints(max_length=200)] = ""
    """What it is called."""
    personality: Annotated[str, StringConstraints(max_length=8192)] = ""
    """How it is."""


class ContextRequest(ScopedRequest):
    """`POST /v1/context`. Without a `query` it is what a conversation starts with."""

    session_id: Identifier | None = None
    """Of the conversation that goes on: its last messages and its running summary come along."""
    query: Annotated[str, StringConstraints(min_length=1, max_length=8192)] | None = None
    context: Annotated[tuple[ContextMessage, ...], Field(max_length=3)] = ()
    format: FormatName = FormatName.DEFAULT
    policy: PolicyName | None = None
    """None: the one of the format's source."""
    limit: Annotated[int, Field(ge=1, le=100)] | None = None
    token_budget: Annotated[int, Field(ge=1, le=100_000)] = DEFAULT_TOKEN_BUDGET
    """Of the block, and of the running summary where the format says it; their marks included."""
    language: Language | None = None
    """None: as the user has settled, else the question's, else the one that they write in."""
    persona: Persona = Persona()
    system_prompt: Annotated[str, StringConstraints(max_length=32_768)] = ""
    last_messages: Annotated[int, Field(ge=0, le=100)] | None = None
    """None: as many as the format's source says."""
    citations: bool | None = None
    """Whether each line ends with the number under which `citations` has it; None: as the user
    has settled."""
    min_revision: Annotated[int, Field(ge=0)] | None = None
    """Of the reader's own write: waits half a second for it, then answers that it is `stale`."""
    incognito: bool = False
    """Read nothing, record nothing."""


class Citation(Value):
    """What stands behind a number in the block."""

    number: int
    id: str
    record: RecordType


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
    """Of the conversation that goes on: the one that stands; before there is one, what the user
    said before the last messages, in a few of their own sentences."""
    citations: tuple[Citation, ...] = ()
    """Of what is in the block."""
    tokens: int
    """Of the block, and of the running summary where the format says it."""
    memory_enabled: bool = True
    stale: bool = False
    """True when the revision that was asked for could not be waited for."""
    took_ms: float
