"""A conversation as a chat service holds it, and the events for it."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError, ValidationInfo, field_validator, model_validator

from palimpsest.api.problems import build_validation_problem
from palimpsest.client.errors import InvalidRequest
from palimpsest.events.conversations import MessageAdded, SpokenRole, add_utc_offset
from palimpsest.model.content_limits import validate_captioned_content
from palimpsest.model.scope import Scope
from palimpsest.model.turn import ImageReference, TextSpan
from palimpsest.model.value_types import Identifier, Instant, UtcOffsetMinutes, Value


class Message(Value):
    """One message. `message_id` names it in its session: saved twice, it is stored once.

    A message that may be saved again later needs its `occurred_at`; without
    one it happened when it was saved, and at another time it is another message.

    Raises:
        InvalidRequest: with the fields at fault.
    """

    message_id: Identifier
    role: SpokenRole
    """`user`, `agent` or `tool`; `assistant` is taken as `agent`."""
    images: tuple[ImageReference, ...] = ()
    text: str
    """The text; it may be blank beside pictures."""
    speaker: str | None = None
    agent_id: Identifier | None = None
    """The agent that speaks or is spoken to, if it is another than the conversation's."""
    occurred_at: Instant | None = None
    incognito: bool = False
    injected: tuple[TextSpan, ...] = ()
    """Spans of the text that came from memory."""
    reply_to: Identifier | None = None
    """The message of the conversation that this one answers."""
    utc_offset_minutes: UtcOffsetMinutes | None = None
    """The speaker's offset in minutes east of UTC; left out, it is the offset of `occurred_at`."""

    if not TYPE_CHECKING:
        # Editors and mypy read the fields above instead.
        def __init__(self, **fields: Any) -> None:
            try:
                super().__init__(**fields)
            except ValidationError as error:
                raise InvalidRequest(build_validation_problem(error.errors())) from None

    @model_validator(mode="before")
    @classmethod
    def _said_where(cls, fields: Any) -> Any:
        return add_utc_offset(fields)

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str, fields: ValidationInfo) -> str:
        return validate_captioned_content(fields.data.get("images", ()), text)


def build_message_events(
    messages: Sequence[Message], *, scope: Scope, session_id: str, occurred_at: datetime
) -> list[MessageAdded]:
    """Build the events of messages; `occurred_at` is the time of messages that state none."""
    return [
        MessageAdded(
            occurred_at=message.occurred_at or occurred_at,
            user_id=scope.user_id,
            agent_id=message.agent_id or scope.agent_id,
            project_id=scope.project_id,
            session_id=session_id,
            **message.model_dump(exclude={"occurred_at", "agent_id"}),
        )
        for message in messages
    ]
