"""Prepare an event from outside before anything else: name, redact, measure and stamp it."""

import asyncio
from collections.abc import Sequence
from typing import TypeAlias, TypeVar

from palimpsest.events.conversations import MessageAdded
from palimpsest.events.envelope import Event
from palimpsest.events.event_ids import assign_event_id
from palimpsest.model.errors import NotStorable
from palimpsest.model.value_types import Instant
from palimpsest_language.redaction.policy import DEFAULT_POLICY, PrivacyPolicy
from palimpsest_server.stores.accepted_requests import AcceptedRequest
from services.ingest.event_size import check_event_size, count_text_characters
from services.ingest.redact_events import EventRedactor, redact_event_fields

ConversationEvent: TypeAlias = MessageAdded | AcceptedRequest

MAXIMUM_CHARACTERS_ON_LOOP = 16 * 1024
"""Redacting as much takes a few milliseconds, the most that is allowed up to a hundred."""

EventT = TypeVar("EventT", bound=Event)


def prepare_event(
    event: EventT, privacy: PrivacyPolicy = DEFAULT_POLICY
) -> tuple[EventT, Sequence[str]]:
    """The event with an id and without secrets, and the kinds of what was taken out.

    Vectors are never taken from outside.

    Raises:
        InvalidEvent: what it says of itself does not fit together.
        NotStorable: it says what the policy has it refused for.
        EventTooLarge: it is larger than what may travel, after redaction.
    """
    redaction = EventRedactor(privacy)
    named = assign_event_id(event)
    redacted = event.model_copy(
        update={
            "event_id": named.event_id,
            "trace": redaction.optional(event.trace),
            **redact_event_fields(event, redaction),
        }
    )
    if refused := sorted(privacy.blocked.intersection(redaction.kinds)):
        raise NotStorable(f"holds what may not be stored: {', '.join(refused)}")
    check_event_size(redacted)
    return redacted, redaction.kinds


async def prepare_event_off_loop(
    event: EventT, privacy: PrivacyPolicy = DEFAULT_POLICY
) -> tuple[EventT, Sequence[str]]:
    """`prepared`, away from the event loop where the texts are so long that it would be held.

    Raises:
        InvalidEvent: what it says of itself does not fit together.
        NotStorable: it says what the policy has it refused for.
        EventTooLarge: it is larger than what may travel, after redaction.
    """
    if count_text_characters(event) > MAXIMUM_CHARACTERS_ON_LOOP:
        return await asyncio.to_thread(prepare_event, event, privacy)
    return prepare_event(event, privacy)


def stamp_event(event: EventT, *, received_at: Instant, epoch: int) -> EventT:
    """Whatever it said about this before: only ingest says when and in which epoch it came in."""
    return event.model_copy(update={"received_at": received_at, "epoch": epoch})
