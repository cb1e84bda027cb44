"""Announcements: change sets, reminders, usage of language models, dead letters."""

from typing import Literal

from pydantic import NonNegativeInt

from palimpsest.events.envelope import Event
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.value_types import Instant


class ChangeSetAnnounced(Event):
    """A change set was applied and projected: caches, displays and waiters may act on it."""

    type: Literal["ChangeSetAnnounced"] = "ChangeSetAnnounced"
    change_set: ChangeSet


class ReminderDue(Event):
    """A reminder is due now. It comes once for each todo and time; `event_id` tells repeats."""

    type: Literal["ReminderDue"] = "ReminderDue"
    todo_id: str
    content: str
    """The task, with the date behind each relative day in its words."""
    text: str = ""
    """The text for the user: “提醒：…” or "Reminder: …"; empty in events of older versions."""
    due_at: Instant | None = None
    all_day: bool = False
    late: bool = False
    """True if it comes more than a minute late, because the services were away."""


class UsageRecorded(Event):
    """A language model used tokens for a user. It comes once for each call; `event_id` tells repeats.

    `occurred_at` is when the call began. `GET /v1/usage` has the totals. A reader that adds up
    these events counts each `event_id` once.
    """

    type: Literal["UsageRecorded"] = "UsageRecorded"
    request_id: str | None = None
    """The request it was made for: a window, a summary or a profile. Several calls may share it."""
    task: str
    """The task: extraction, summary, profile, judgement, reflection, or another task of the
    settings.
    """
    model: str
    """The model by vendor and name, such as `openai/…`."""
    input_tokens: NonNegativeInt
    """Tokens sent to the model, cached ones included."""
    cached_input_tokens: NonNegativeInt = 0
    output_tokens: NonNegativeInt
    cost_millionths: NonNegativeInt = 0
    """The cost in millionths of the currency of the configured prices."""
    failed: bool = False
    """True if the call brought no usable answer; the vendor charges for it all the same."""
    failure: str | None = None
    estimated: bool = False
    """True if the tokens are an estimate: the call was cut off, or the vendor does not count them.
    """


class DeadLetterAnnounced(Event):
    """A record became a dead letter. Its content is stored in MongoDB."""

    type: Literal["DeadLetterAnnounced"] = "DeadLetterAnnounced"
    dead_letter_id: str
    stage: str
    reason: str
    event_type: str | None = None
