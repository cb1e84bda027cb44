"""Requests and responses for a context block of a prompt, over HTTP and Kafka."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from palimpsest.api.recall import ContextMessage, RecordType
from palimpsest.api.scoped_request import ScopedRequest
from palimpsest.model.context_format import FormatName
from palimpsest.model.prompt_markers import wrap_in_markers
from palimpsest.model.ranking_policy import PolicyName
from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from palimpsest.model.value_types import Count, Identifier, Instant, Value

DEFAULT_TOKEN_BUDGET = 1_000

_ROLES = {Role.USER: "user", Role.AGENT: "assistant"}
"""Roles of a dialogue in the words of vendors; a result of a tool belongs to a call that is not kept."""


class Persona(Value):
    name: Annotated[str, StringConstraints(max_length=200)] = ""
    """The name of the agent, at most 200 characters."""
    personality: Annotated[str, StringConstraints(max_length=8192)] = ""
    """The personality of the agent in free words, at most 8,192 characters."""


class ContextRequest(ScopedRequest):
    """`POST /v1/context`. Without a `query`: the context for the start of a conversation."""

    session_id: Identifier | None = None
    """The current conversation; its last messages and running summary are returned with the block.
    """
    query: Annotated[str, StringConstraints(min_length=1, max_length=8192)] | None = None
    context: Annotated[tuple[ContextMessage, ...], Field(max_length=3)] = ()
    format: FormatName = FormatName.DEFAULT
    policy: PolicyName | None = None
    """The ranking policy; null for the format's policy."""
    limit: Annotated[int, Field(ge=1, le=100)] | None = None
    """The most memories in the block, 1 to 100; null for the policy's default."""
    token_budget: Annotated[int, Field(ge=1, le=100_000)] = DEFAULT_TOKEN_BUDGET
    """The most tokens that the block may take, 1 to 100,000, with its markers, and with the running
    summary if the format includes it.
    """
    language: Language | None = None
    """The language of the block; null for the language of the settings, then of the question."""
    persona: Persona = Persona()
    system_prompt: Annotated[str, StringConstraints(max_length=32_768)] = ""
    last_messages: Annotated[int, Field(ge=0, le=100)] | None = None
    """The number of last messages to return, 0 to 100; null for the format's number."""
    citations: bool | None = None
    """True to end each line with its number in `citations`; null follows the user's settings."""
    min_revision: Count | None = None
    """A revision of the reader's own write. The request waits up to half a second for it, then
    answers with `stale`."""
    incognito: bool = False
    """True to read nothing and record nothing."""


class Citation(Value):
    """A source behind a number in the block."""

    number: int
    id: str
    """The id of the cited memory, message or summary."""
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
    """The block for a prompt, between markers that keep it from being remembered again."""
    text: str
    """The text of the block without its markers."""
    system_prompt: str
    """The whole prompt of the format, with the block in its place."""
    messages: tuple[LastMessage, ...] = ()
    """The last messages of the conversation, oldest first."""
    running_summary: str | None = None
    """A summary of the current conversation. Until one exists, the most important of the user's own
    sentences before the last messages.
    """
    citations: tuple[Citation, ...] = ()
    """The source of each citation number in the block."""
    tokens: int
    """The tokens of the block, and of the running summary if the format includes it."""
    memory_enabled: bool = True
    stale: bool = False
    """True if `min_revision` was not reached in time."""
    took_ms: float

    def to_openai(self, *said: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the messages of a chat completion: the prompt, the last messages, and `said`.

        messages = context.to_openai({"role": "user", "content": "What can I eat?"})
        """
        instructions = {"role": "system", "content": self._prompt}
        return [*([instructions] if self._prompt else []), *self._dialogue, *map(dict, said)]

    def to_anthropic(self, *said: Mapping[str, Any]) -> dict[str, Any]:
        """Return `system` and `messages` of Anthropic's API, as `to_openai` does.

        anthropic.messages.create(model=..., max_tokens=500, **context.to_anthropic(asked))
        """
        dialogue = [*self._dialogue, *map(dict, said)]
        while dialogue and dialogue[0]["role"] != "user":
            # Theirs begin with the user.
            dialogue.pop(0)
        return {**({"system": self._prompt} if self._prompt else {}), "messages": dialogue}

    @property
    def _prompt(self) -> str:
        """The prompt, and the running summary where neither the prompt nor the block has it."""
        told = self.running_summary or ""
        is_told = told in self.system_prompt or told in self.text
        summary = "" if is_told else wrap_in_markers(told)
        return "\n\n".join(part for part in (self.system_prompt, summary) if part)

    @property
    def _dialogue(self) -> list[dict[str, Any]]:
        return [
            {"role": _ROLES[message.role], "content": message.text}
            for message in self.messages
            if message.role in _ROLES and message.text
        ]
