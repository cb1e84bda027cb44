"""What is done to an event from outside before anything else: named, freed of secrets, measured."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from palimpsest.client.identities import identified
from palimpsest.contracts.content import MAXIMUM_CONTENT_BYTES
from palimpsest.contracts.conversations import (
    MessageAdded,
    RememberRequested,
    SessionStarted,
    SummaryPublished,
)
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.skills import MAXIMUM_NAME_CHARACTERS, SkillFailed, SkillRun
from palimpsest.domain.errors import EventTooLarge, InvalidEvent, NotStorable
from palimpsest.domain.model import Instant
from palimpsest.domain.privacy.policy import DEFAULT_POLICY, PrivacyPolicy, SecretKind
from palimpsest.domain.privacy.redaction import Redacted, redact
from palimpsest.domain.turn import Span, Turn, turn_id
from palimpsest.stores.requests import AcceptedRequest

ConversationEvent: TypeAlias = MessageAdded | AcceptedRequest

MAXIMUM_ACCESSORY_BYTES = 64 * 1024
"""Of everything beside the content itself: pictures, names, tags."""

CHARACTERS_AT_ONCE = 16 * 1024
"""Redacting as much takes a few milliseconds, the most that is allowed up to a hundred."""

EventT = TypeVar("EventT", bound=Event)
Changes: TypeAlias = Mapping[str, Any]


class Redaction:
    """Redacts the texts of one event and remembers what kinds of secrets were in them."""

    def __init__(self, policy: PrivacyPolicy) -> None:
        self.kinds: list[SecretKind] = []
        self._policy = policy

    def text(self, text: str) -> str:
        return self.found(text).text

    def found(self, text: str) -> Redacted:
        redacted = redact(text, self._policy)
        self.kinds += [finding.kind for finding in redacted.findings]
        return redacted

    def optional(self, text: str | None) -> str | None:
        return text if text is None else self.text(text)

    def each(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self.text, texts))

    def free(self, value: Any) -> Any:
        """JSON, its keys included."""
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.free(each) for each in value]
            case dict():
                return {self.text(key): self.free(each) for key, each in value.items()}
            case _:
                return value


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
            **_redacted(event, redaction),
        }
    )
    if refused := sorted(privacy.blocked.intersection(redaction.kinds)):
        raise NotStorable(f"holds what may not be stored: {', '.join(refused)}")
    _measure(redacted)
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


def _redacted(event: Event, redaction: Redaction) -> Changes:
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


def _message(event: MessageAdded, redaction: Redaction) -> Changes:
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
            Span(start=redacted.moved(span.start), end=redacted.moved(span.end))
            for span in event.injected
        ),
    }


def _skill_run(event: SkillRun, redaction: Redaction) -> Changes:
    said = {"error": redaction.text(event.error)} if isinstance(event, SkillFailed) else {}
    return {
        "vectors": (),
        "skill_name": redaction.text(event.skill_name)[:MAXIMUM_NAME_CHARACTERS],
        "workflow": tuple(redaction.free(step) for step in event.workflow),
        **said,
    }


def _remembered(event: RememberRequested, redaction: Redaction) -> Changes:
    return {
        "vectors": (),
        "content": redaction.text(event.content),
        "summary": redaction.optional(event.summary),
        "subject": redaction.optional(event.subject),
        "attribute": redaction.optional(event.attribute),
        "value": redaction.optional(event.value),
        "tags": redaction.each(event.tags),
        "entities": redaction.each(event.entities),
        "data": redaction.free(event.data),
    }


def _measure(event: Event) -> None:
    """Marks may be longer than what they stand for: so this is looked at once more."""
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
    """Texts of any length beside the content; free data has a limit of its own."""
    yield event.trace or ""
    match event:
        case MessageAdded():
            yield event.speaker or ""
            for image in event.images:
                yield image.url
                yield from image.words
        case RememberRequested():
            for text in (event.summary, event.subject, event.attribute, event.value):
                yield text or ""
            yield from event.tags
            yield from event.entities
        case SummaryPublished():
            for text in (event.user_intent, event.emotional_tone, event.unresolved):
                yield text or ""
            yield from event.topics
            yield from event.key_facts
        case SessionStarted():
            yield event.topic or ""
            yield from event.participants


def text_characters(event: Event) -> int:
    """About how much there is to redact."""
    return len(_content(event)) + sum(map(len, _accessories(event)))


def stamped(event: EventT, *, received_at: Instant, epoch: int) -> EventT:
    """Whatever it said about this before: only ingest says when and in which epoch it came in."""
    return event.model_copy(update={"received_at": received_at, "epoch": epoch})


def turn_of(event: MessageAdded, *, received_at: Instant, epoch: int) -> Turn:
    return Turn(
        id=turn_id(event.user_id, event.session_id, event.message_id),
        event_id=event.event_id,
        user_id=event.user_id,
        agent_id=event.agent_id,
        project_id=event.project_id,
        session_id=event.session_id,
        message_id=event.message_id,
        role=event.role,
        speaker=event.speaker,
        text=event.text,
        images=event.images,
        reply_to=event.reply_to,
        injected=event.injected,
        occurred_at=event.occurred_at,
        utc_offset_minutes=event.utc_offset_minutes,
        received_at=received_at,
        epoch=epoch,
        trace=event.trace,
    )


def message_of(turn: Turn) -> MessageAdded:
    """The event that a kept turn came from, stamps included."""
    return MessageAdded(
        event_id=turn.event_id,
        user_id=turn.user_id,
        agent_id=turn.agent_id,
        project_id=turn.project_id,
        session_id=turn.session_id,
        message_id=turn.message_id,
        role=turn.role,
        speaker=turn.speaker,
        text=turn.text,
        images=turn.images,
        reply_to=turn.reply_to,
        injected=turn.injected,
        occurred_at=turn.occurred_at,
        utc_offset_minutes=turn.utc_offset_minutes,
        received_at=turn.received_at,
        epoch=turn.epoch,
        trace=turn.trace,
    )
