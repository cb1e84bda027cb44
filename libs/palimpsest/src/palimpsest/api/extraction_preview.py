"""`POST /v1/extractions/preview`: what would be remembered of a text, and why not the rest."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from palimpsest.api.scoped_request import ScopedRequest
from palimpsest.model.content_limits import Content
from palimpsest.model.memory import Candidate
from palimpsest.model.turn import Role
from palimpsest.model.user import Language, TimeZoneName
from palimpsest.model.value_types import Instant, Value


def _agent_for_assistant(role: object) -> object:
    return Role.AGENT if role == "assistant" else role


class PreviewMessage(Value):
    """A message as it might be said."""

    role: Annotated[
        Role,
        BeforeValidator(_agent_for_assistant, json_schema_input_type=Role | Literal["assistant"]),
    ] = Role.USER
    text: Content
    """The text of the message, at most 64 KiB of UTF-8."""
    speaker: Annotated[str, Field(max_length=256)] | None = None
    occurred_at: Instant | None = None
    """When it is said; null for now."""


class PreviewRequest(ScopedRequest):
    """A conversation to be understood and not kept, by the settings of this user."""

    messages: Annotated[tuple[PreviewMessage, ...], Field(min_length=1, max_length=50)]
    """The messages in their order, 1 to 50."""
    language: Language | None = None
    """The language of memories; null for the user's setting."""
    time_zone: TimeZoneName | None = None
    """The zone in which days begin; null for the user's setting."""


class LeftOutReason(StrEnum):
    """Reasons for which words would not be remembered."""

    OFF_THE_RECORD = "off_the_record"
    """Somebody asks not to have it remembered."""
    TOOL = "tool"
    """A tool said it."""
    AGENT = "agent"
    """An agent said it, and what agents say is kept for few kinds."""
    NOT_OWN_WORDS = "not_own_words"
    """It is quoted, pasted, code, data, said in a role, or to be worked on."""
    CHIT_CHAT = "chit_chat"
    """It is a greeting, thanks or the like."""
    QUESTION = "question"
    """It asks and states nothing."""
    COMPLETION = "completion"
    """It says that something is done: it closes a todo and is no memory."""
    NOTHING_LASTING = "nothing_lasting"
    """No statement was found in it that is worth keeping."""
    UNSOUND = "unsound"
    """A memory was proposed of it and refused; `flaw` says why."""


class LeftOutWords(Value):
    """Words that would not be remembered, and why."""

    message: int
    """The number of the message, from 1."""
    words: str
    """The words, one sentence or a whole message."""
    reason: LeftOutReason
    flaw: str | None = None
    """The flaw of the memory that was proposed of them; null if none was."""


class ExtractionPreview(Value):
    """The memories that would be proposed. Nothing of it is stored."""

    provider: str
    """The provider that understood it: `local`, or a model by vendor and name."""
    memories: tuple[Candidate, ...]
    """The memories in the order of their words. The `message_id` of their evidence is the number of
    the message."""
    left_out: tuple[LeftOutWords, ...]
    """The words that would not be remembered, each with the reason."""
    messages: tuple[str, ...]
    """The messages as they would be stored, without secrets."""
