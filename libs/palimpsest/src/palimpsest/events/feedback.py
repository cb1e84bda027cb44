"""Feedback on recalled memories."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from palimpsest.events.command_properties import CommandGiver, CommandProperties, ProfileEffect
from palimpsest.events.commands import CommandEvent
from palimpsest.model.feedback import FeedbackVerdict
from palimpsest.model.value_types import Identifier, Instant, Value

MAXIMUM_FEEDBACK_MEMORIES = 100


class FeedbackGiven(CommandEvent):
    """A verdict about one memory, or about several if it is unknown which was meant.

    The verdict changes importance and confidence, or ends the memory. With `recall_id` and no
    `event_id`, the same verdict about the same memories of one recall counts once, whenever it is
    given.
    """

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.CHAT_SERVICES,
        surfaces=(),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=True,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.REWORDS,
        tells_recall_use=True,
    )

    type: Literal["FeedbackGiven"] = "FeedbackGiven"
    actor: Literal["user", "agent"] = "user"
    """The author of the feedback."""
    verdict: FeedbackVerdict
    memory_ids: tuple[Identifier, ...] = Field(default=(), max_length=MAXIMUM_FEEDBACK_MEMORIES)
    """The memories meant; empty for all that the recall returned."""
    recall_id: Identifier | None = None
    """The recall that returned the memories."""

    @model_validator(mode="after")
    def _is_about_something(self) -> Self:
        if not self.memory_ids and self.recall_id is None:
            raise ValueError("memory_ids: they or recall_id must be given")
        return self

    def named(self) -> tuple[str, ...]:
        return self.memory_ids


class RecallUsed(CommandEvent):
    """Results of a recall that a chat service used, such as those that its reply cites.

    It changes no memory; `palimpsest tune` learns from it how to rank. Without an `event_id`, the
    same results of one recall count once, whenever they are reported.
    """

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.CHAT_SERVICES,
        surfaces=(),
        free_text=frozenset(),
        needs_barrier=False,
        changes_settings=False,
        reads_stored_state=False,
        reads_timeline=False,
        changes_visibility=False,
        hides_evidence=False,
        erases=False,
        outlives_erasure=False,
        profile_effect=ProfileEffect.NONE,
        tells_recall_use=True,
    )

    type: Literal["RecallUsed"] = "RecallUsed"
    actor: Literal["agent"] = "agent"
    recall_id: Identifier
    result_ids: tuple[Identifier, ...] = Field(min_length=1, max_length=MAXIMUM_FEEDBACK_MEMORIES)
    """Ids of the memories and turns that were used."""


class FeedbackRequest(Value):
    """`POST /v1/feedback`. Unknown fields are refused."""

    user_id: Identifier
    agent_id: Identifier | None = None
    project_id: Identifier | None = None
    session_id: Identifier | None = None
    verdict: FeedbackVerdict
    memory_id: Identifier | None = None
    """The one memory that is meant, instead of `memory_ids`."""
    memory_ids: tuple[Identifier, ...] = Field(default=(), max_length=MAXIMUM_FEEDBACK_MEMORIES)
    """Several memories, if it is unknown which of them is meant."""
    recall_id: Identifier | None = None
    """The recall that it is about; without memory ids, all results of it are meant."""
    actor: Literal["user", "agent"] = "user"
    occurred_at: Instant | None = None
    """When the feedback was given; null for now. Give it, `event_id` or `recall_id` if you may
    retry, so that it counts once."""
    event_id: Identifier | None = None

    @model_validator(mode="after")
    def _is_about_something(self) -> Self:
        if self.memory_id is not None and self.memory_ids:
            raise ValueError("memory_id: either this or memory_ids may be given")
        if self.memory_id is None and not self.memory_ids and self.recall_id is None:
            raise ValueError("memory_id: this, memory_ids or recall_id must be given")
        return self

    def event(self, now: Instant) -> FeedbackGiven:
        given = self.model_dump(exclude_none=True, exclude={"memory_id"})
        about = self.memory_ids if self.memory_id is None else (self.memory_id,)
        return FeedbackGiven.model_validate(
            {**given, "memory_ids": about, "occurred_at": self.occurred_at or now}
        )
