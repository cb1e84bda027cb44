"""Redacts events: sets an id, removes secrets from texts, and refuses events that are too large."""

import asyncio
from collections.abc import Sequence
from typing import TypeVar

from palimpsest.events.envelope import Event
from palimpsest.events.event_ids import assign_event_id
from palimpsest.model.errors import NotStorable
from palimpsest_language.redaction.policy import DEFAULT_POLICY, PrivacyPolicy
from services.ingest.event_redactor import EventRedactor, redact_event_fields
from services.ingest.event_size import check_event_size, count_text_characters

MAXIMUM_CHARACTERS_ON_LOOP = 16 * 1024
"""Longer texts are redacted in a thread. This much takes a few milliseconds; the largest text takes
100 ms.
"""

EventT = TypeVar("EventT", bound=Event)


def redact_event(
    event: EventT, privacy: PrivacyPolicy = DEFAULT_POLICY
) -> tuple[EventT, Sequence[str]]:
    """Return the event with an id and without secrets, and the kinds of secrets that were found.

    Raises:
        InvalidEvent: its fields contradict each other.
        NotStorable: it holds a kind of secret that the policy refuses.
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


async def redact_event_off_loop(
    event: EventT, privacy: PrivacyPolicy = DEFAULT_POLICY
) -> tuple[EventT, Sequence[str]]:
    """Redact an event; in a thread if its texts would hold the event loop for too long.

    Raises:
        InvalidEvent, NotStorable, EventTooLarge: see `redact_event`.
    """
    if count_text_characters(event) > MAXIMUM_CHARACTERS_ON_LOOP:
        return await asyncio.to_thread(redact_event, event, privacy)
    return redact_event(event, privacy)
