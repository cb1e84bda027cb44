"""What people think of what was recalled for them."""

from typing import Literal

from pydantic import Field, model_validator

from palimpsest.contracts.commands import CommandEvent
from palimpsest.domain.evolution.feedback import Verdict
from palimpsest.domain.model import Identifier, Instant, Value

MOST_MEMORIES = 100


class FeedbackGiven(CommandEvent):
    """A verdict about one memory, or about several of which nobody said which was meant.

    What it changes is in `domain.evolution.feedback`. With `recall_id` and no `event_id`, the
    same verdict about the same memories of one recall counts once, whenever it is given.
    """

    type: Literal["FeedbackGiven"] = "FeedbackGiven"
    actor: Literal["user", "agent"] = "user"
    """Who judges."""
    verdict: Verdict
    memory_ids: tuple[Identifier, ...] = Field(min_length=1, max_length=MOST_MEMORIES)
    recall_id: Identifier | None = None
    """The recall that returned them."""

    def named(self) -> tuple[str, ...]:
        return self.memory_ids


class FeedbackRequest(Value):
    """`POST /v1/feedback`. Unknown fields are refused."""

    user_id: Identifier
    agent_id: Identifier | None = None
    project_id: Identifier | None = None
    session_id: Identifier | None = None
    verdict: Verdict
    memory_id: Identifier | None = None
    """The one that is meant; or else `memory_ids`."""
    memory_ids: tuple[Identifier, ...] = Field(default=(), max_length=MOST_MEMORIES)
    """What a recall returned, where nobody said which of it is meant."""
    recall_id: Identifier | None = None
    actor: Literal["user", "agent"] = "user"
    occurred_at: Instant | None = None
    """None: now. Whoever may try again gives this, `event_id` or `recall_id`, and is counted once."""
    event_id: Identifier | None = None

    @model_validator(mode="after")
    def _is_about_something(self) -> "FeedbackRequest":
        if (self.memory_id is None) == (not self.memory_ids):
            raise ValueError("memory_id: either this or memory_ids must be given")
        return self

    def event(self, now: Instant) -> FeedbackGiven:
        given = self.model_dump(exclude_none=True, exclude={"memory_id"})
        about = self.memory_ids or (self.memory_id,)
        return FeedbackGiven.model_validate(
            {**given, "memory_ids": about, "occurred_at": self.occurred_at or now}
        )
