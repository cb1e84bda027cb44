"""A dialogue for extraction: numbered messages in the speakers' own words."""

from collections.abc import Sequence

from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.turn import ImageReference, Role, Turn
from palimpsest.model.user import Language
from palimpsest.model.value_types import Instant, Value
from palimpsest_language.off_the_record.own_words import own_images, own_words


class DialogueMessage(Value):
    """One message. A model sees its number and never an id."""

    number: int
    role: Role
    speaker: str | None
    text: str
    images: tuple[ImageReference, ...] = ()
    fresh: bool
    """True for messages to extract from; the others are only context."""
    occurred_at: Instant
    in_fiction: bool | None = None
    """True if some of it is said in a role; None if only this window was checked."""


class ExtractionRequest(Value):
    """A window for extraction."""

    user_id: str
    """The user who is charged; it is not shown to a model."""
    messages: tuple[DialogueMessage, ...]
    participants: tuple[str, ...]
    agents: tuple[str, ...] = ()
    """The names of its agents."""
    topic: str | None = None
    """The topic, as the chat service stated it."""
    language: Language | None
    """The language to answer in; None follows the conversation."""
    time_zone: str

    @property
    def people(self) -> frozenset[str]:
        """The names of the people who speak, if several share the role of user."""
        return list_people(self.messages)


def list_people(messages: Sequence[DialogueMessage] | Sequence[Turn]) -> frozenset[str]:
    """Return the speakers with the role of user, if there are several."""
    names = frozenset(
        message.speaker for message in messages if message.role is Role.USER and message.speaker
    )
    return names if len(names) > 1 else frozenset()


def number_messages(turns: Sequence[Turn], *, first_fresh: int = 1) -> tuple[DialogueMessage, ...]:
    return tuple(
        DialogueMessage(
            number=number,
            role=turn.role,
            speaker=turn.speaker,
            text=own_words(turn),
            images=own_images(turn),
            fresh=number >= first_fresh,
            occurred_at=turn.occurred_at,
            in_fiction=turn.in_fiction,
        )
        for number, turn in enumerate(turns, start=1)
    )


def detect_conversation_language(messages: Sequence[DialogueMessage]) -> Language:
    """Detect the language of the people's fresh messages; without any, of all fresh ones or all."""
    fresh = [message for message in messages if message.fresh]
    people = [message for message in fresh if message.role is Role.USER]
    speaking = people or fresh or messages
    return detect_language("\n".join(message.text for message in speaking))
