"""A conversation as a chat service holds it, and the events it is made of."""

from collections.abc import Sequence
from typing import Self

from pydantic import model_validator

from palimpsest.contracts.content import content_beside
from palimpsest.contracts.conversations import MessageAdded
from palimpsest.domain.clock import Clock
from palimpsest.domain.model import Identifier, Instant, Value
from palimpsest.domain.scope import Scope
from palimpsest.domain.turn import ImageReference, Role, Span


class Message(Value):
    """One message. `message_id` names it in its session: saved twice, it is stored once.

    A message that may be saved again later needs its `occurred_at`; without
    one it happened when it was saved, and at another time it is another message.
    """

    message_id: Identifier
    role: Role
    text: str
    """May be blank beside pictures."""
    speaker: str | None = None
    agent_id: Identifier | None = None
    """The agent that speaks or is spoken to, where it differs from the conversation's."""
    occurred_at: Instant | None = None
    images: tuple[ImageReference, ...] = ()
    incognito: bool = False
    injected: tuple[Span, ...] = ()
    """Stretches of the text that came out of memory."""
    reply_to: Identifier | None = None
    """The message of the conversation that this one answers."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        content_beside(self.images, self.text)
        return self


def events_of(
    messages: Sequence[Message], *, scope: Scope, session_id: str, clock: Clock
) -> list[MessageAdded]:
    return [
        MessageAdded(
            occurred_at=message.occurred_at or clock(),
            user_id=scope.user_id,
            agent_id=message.agent_id or scope.agent_id,
            project_id=scope.project_id,
            session_id=session_id,
            **message.model_dump(exclude={"occurred_at", "agent_id"}),
        )
        for message in messages
    ]
