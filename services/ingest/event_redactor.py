"""Redacts the texts of an event, and moves the spans that point into them."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from palimpsest.events.conversations import (
    MessageAdded,
    RememberRequested,
    SessionStarted,
    SummaryPublished,
)
from palimpsest.events.envelope import Event
from palimpsest.events.skills import MAXIMUM_SKILL_NAME_CHARACTERS, SkillFailed, SkillRun
from palimpsest.model.errors import InvalidEvent
from palimpsest.model.memory import WORD_RULES
from palimpsest.model.turn import TextSpan
from palimpsest_language.redaction.policy import PrivacyPolicy, SecretKind
from palimpsest_language.redaction.redactor import RedactionResult, redact

RedactedFields: TypeAlias = Mapping[str, Any]

REMEMBERED_WORDS = tuple(name for name in WORD_RULES if name in RememberRequested.model_fields)
"""Fields of a memory that hold words and that a chat service may state itself."""


class EventRedactor:
    """Redacts the texts of one event and remembers what kinds of secrets were in them."""

    def __init__(self, policy: PrivacyPolicy) -> None:
        self.kinds: list[SecretKind] = []
        self._policy = policy

    def text(self, text: str) -> str:
        return self.found(text).text

    def found(self, text: str) -> RedactionResult:
        redacted = redact(text, self._policy)
        self.kinds += [finding.kind for finding in redacted.findings]
        return redacted

    def optional(self, text: str | None) -> str | None:
        return text if text is None else self.text(text)

    def each(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self.text, texts))

    def words(self, value: str | tuple[str, ...] | None) -> str | tuple[str, ...] | None:
        """Redact the value of a field of words: a text, several texts, or None."""
        return self.each(value) if isinstance(value, tuple) else self.optional(value)

    def free(self, value: Any) -> Any:
        """Redact JSON, keys included."""
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.free(each) for each in value]
            case dict():
                return {self.text(key): self.free(each) for key, each in value.items()}
            case _:
                return value


def redact_event_fields(event: Event, redaction: EventRedactor) -> RedactedFields:
    """Return the fields of an event that change when it is redacted.

    Raises:
        InvalidEvent: a span that it names lies outside of its text.
    """
    match event:
        case MessageAdded():
            return _message(event, redaction)
        case RememberRequested():
            return _remembered(event, redaction)
        case SummaryPublished():
            return {
                "text": redaction.text(event.text),
                "topics": redaction.each(event.topics),
                "key_facts": redaction.each(event.key_facts),
                **{
                    name: redaction.optional(getattr(event, name))
                    for name in ("user_intent", "emotional_tone", "unresolved")
                },
            }
        case SkillRun():
            return _skill_run(event, redaction)
        case SessionStarted():
            return {
                "topic": redaction.optional(event.topic),
                "participants": redaction.each(event.participants),
            }
        case _:
            return {}


def _message(event: MessageAdded, redaction: EventRedactor) -> RedactedFields:
    if any(not 0 <= span.start <= span.end <= len(event.text) for span in event.injected):
        raise InvalidEvent("injected: a span must lie within the text")
    redacted = redaction.found(event.text)
    return {
        "text": redacted.text,
        "speaker": redaction.optional(event.speaker),
        "images": tuple(
            image.model_copy(
                update={
                    "url": redaction.text(image.url),
                    "caption": redaction.optional(image.caption),
                    "alt": redaction.optional(image.alt),
                }
            )
            for image in event.images
        ),
        "injected": tuple(
            TextSpan(start=redacted.moved(span.start), end=redacted.moved(span.end))
            for span in event.injected
        ),
    }


def _skill_run(event: SkillRun, redaction: EventRedactor) -> RedactedFields:
    said = {"error": redaction.text(event.error)} if isinstance(event, SkillFailed) else {}
    return {
        "vectors": (),
        "skill_name": redaction.text(event.skill_name)[:MAXIMUM_SKILL_NAME_CHARACTERS],
        "workflow": tuple(redaction.free(step) for step in event.workflow),
        **said,
    }


def _remembered(event: RememberRequested, redaction: EventRedactor) -> RedactedFields:
    return {
        "vectors": (),
        **{name: redaction.words(getattr(event, name)) for name in REMEMBERED_WORDS},
        "data": redaction.free(event.data),
    }
