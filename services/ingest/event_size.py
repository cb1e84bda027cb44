"""Limits the size of an event, and tells which texts are too long to redact on the event loop."""

from collections.abc import Iterator

from palimpsest.events.conversations import (
    MessageAdded,
    RememberRequested,
    SessionStarted,
    SummaryPublished,
)
from palimpsest.events.envelope import Event
from palimpsest.events.skills import SkillFailed
from palimpsest.model.content_limits import MAXIMUM_CONTENT_BYTES
from palimpsest.model.errors import EventTooLarge
from palimpsest.model.field_rules import list_words
from services.ingest.event_redactor import REMEMBERED_WORDS

MAXIMUM_ACCESSORY_BYTES = 64 * 1024
"""The most bytes beside the content: captions, names, tags and the like."""


def check_event_size(event: Event) -> None:
    """Check the size after redaction, because a mark may be longer than the secret it replaces.

    Raises:
        EventTooLarge: the content or the rest exceeds its limit.
    """
    content = _content(event)
    if len(content.encode()) > MAXIMUM_CONTENT_BYTES:
        raise EventTooLarge(
            f"content: more than {MAXIMUM_CONTENT_BYTES} bytes once secrets are marked"
        )
    accessories = sum(len(text.encode()) for text in _accessories(event))
    if accessories > MAXIMUM_ACCESSORY_BYTES:
        raise EventTooLarge(
            f"what is beside the content has {accessories} bytes, "
            f"more than {MAXIMUM_ACCESSORY_BYTES}"
        )


def count_text_characters(event: Event) -> int:
    """Estimate the characters to redact."""
    return len(_content(event)) + sum(map(len, _accessories(event)))


def _content(event: Event) -> str:
    match event:
        case MessageAdded():
            return event.text
        case RememberRequested():
            return event.content
        case SummaryPublished():
            return event.text
        case SkillFailed():
            return event.error
        case _:
            return ""


def _accessories(event: Event) -> Iterator[str]:
    """Yield the texts beside the content. Free data has a limit of its own."""
    yield event.trace or ""
    match event:
        case MessageAdded():
            yield event.speaker or ""
            for image in event.images:
                yield image.url
                yield from image.words
        case RememberRequested():
            for name in REMEMBERED_WORDS:
                if name != "content":
                    yield from list_words(getattr(event, name))
        case SummaryPublished():
            for text in (event.user_intent, event.emotional_tone, event.unresolved):
                yield text or ""
            yield from event.topics
            yield from event.key_facts
        case SessionStarted():
            yield event.topic or ""
            yield from event.participants
