"""What is done to an event from outside before anything else: named, freed of secrets, measured, stamped."""

import asyncio
from collections.abc import Sequence
from typing import TypeAlias, TypeVar

from palimpsest.client.identities import identified
from palimpsest.contracts.conversations import MessageAdded
from palimpsest.contracts.envelope import Event
from palimpsest.domain.errors import NotStorable
from palimpsest.domain.model import Instant
from palimpsest.domain.privacy.policy import DEFAULT_POLICY, PrivacyPolicy
from palimpsest.stores.requests import AcceptedRequest
from services.ingest.measuring import measure, text_characters
from services.ingest.redacting import Redaction, redacted_texts

ConversationEvent: TypeAlias = MessageAdded | AcceptedRequest

CHARACTERS_AT_ONCE = 16 * 1024
"""Redacting as much takes a few milliseconds, the most that is allowed up to a hundred."""

EventT = TypeVar("EventT", bound=Event)


def prepared(
    event: EventT, privacy: PrivacyPolicy = DEFAULT_POLICY
) -> tuple[EventT, Sequence[str]]:
    """The event with an id and without secrets, and the kinds of what was taken out.

    Vectors are never taken from outside.

    Raises:
        InvalidEvent: what it says of itself does not fit together.
        NotStorable: it says what the policy has it refused for.
        EventTooLarge: it is larger than what may travel, after redaction.
    """
    redaction = Redaction(privacy)
    named = identified(event)
    redacted = event.model_copy(
        update={
            "event_id": named.event_id,
            "trace": redaction.optional(event.trace),
            **redacted_texts(event, redaction),
        }
    )
    if refused := sorted(privacy.blocked.intersection(redaction.kinds)):
        raise NotStorable(f"holds what may not be stored: {', '.join(refused)}")
    measure(redacted)
    return redacted, redaction.kinds


async def prepared_aside(
    event: EventT, privacy: PrivacyPolicy = DEFAULT_POLICY
) -> tuple[EventT, Sequence[str]]:
    """`prepared`, away from the event loop where the texts are so long that it would be held.

    Raises:
        InvalidEvent: what it says of itself does not fit together.
        NotStorable: it says what the policy has it refused for.
        EventTooLarge: it is larger than what may travel, after redaction.
    """
    if text_characters(event) > CHARACTERS_AT_ONCE:
        return await asyncio.to_thread(prepared, event, privacy)
    return prepared(event, privacy)


def stamped(event: EventT, *, received_at: Instant, epoch: int) -> EventT:
    """Whatever it said about this before: only ingest says when and in which epoch it came in."""
    return event.model_copy(update={"received_at": received_at, "epoch": epoch})
