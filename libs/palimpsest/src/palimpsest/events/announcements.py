"""Announcements: change sets, reminders, usage of language models, dead letters."""

from typing import Literal

from pydantic import NonNegativeInt

from palimpsest.events.envelope import Event
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.value_types import Instant


class ChangeSetAnnounced(Event):
    """A change set has been applied and projected: whoever caches, shows or waits may act."""

    type: Literal["ChangeSetAnnounced"] = "ChangeSetAnnounced"
    change_set: ChangeSet


class ReminderDue(Event):
    """It is time to remind a user. Once for each todo and time; `event_id` tells repeats."""

    type: Literal["ReminderDue"] = "ReminderDue"
    todo_id: str
    content: str
    """The task, with the date of each day that its words name by distance."""
    text: str = ""
    """The words for the user: “提醒：…” or "Reminder: …"; empty in events of older versions."""
    due_at: Instant | None = None
    all_day: bool = False
    late: bool = False
    """It comes more than a minute after the time it was to come: the services were away."""


class UsageRecorded(Event):
    """A language model took tokens for a user. Once for each call; `event_id` tells repeats.

    `occurred_at` is when the call began. What is asked for by `GET /v1/usage`
    is the account, this is the news of it: whoever adds it up counts each
    `event_id` once.
    """

    type: Literal["UsageRecorded"] = "UsageRecorded"
    request_id: str | None = None
    """The request that it was made for: a window, a summary or a profile. Several calls may share
    it."""
    task: str
    """extraction, summary, profile, judgement, reflection, or another of the settings' tasks."""
    model: str
    """Vendor and name, such as `openai/…`."""
    input_tokens: NonNegativeInt
    """Tokens sent to the model, cached ones included."""
    cached_input_tokens: NonNegativeInt = 0
    output_tokens: NonNegativeInt
    cost_millionths: NonNegativeInt = 0
    """Millionths of the currency that the prices of the settings are in."""
    failed: bool = False
    """It brought no usable answer; the vendor charges for it all the same."""
    failure: str | None = None
    estimated: bool = False
    """The tokens are not the vendor's count: it was cut off, or the server keeps none."""


class DeadLetterAnnounced(Event):
    """A record became a dead letter. Its content stays in MongoDB."""

    type: Literal["DeadLetterAnnounced"] = "DeadLetterAnnounced"
    dead_letter_id: str
    stage: str
    reason: str
    event_type: str | None = None
