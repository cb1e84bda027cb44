"""A dialogue as it is understood: numbered messages in the speakers' own words."""

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
    """Context messages are there to be understood by; only fresh ones are extracted from."""
    occurred_at: Instant
    in_fiction: bool | None = None
    """Some of it is said in a role; None: nobody has looked beyond this window."""


class ExtractionRequest(Value):
    """A window, ready to be understood."""

    user_id: str
    """At whose expense; no model is shown it."""
    messages: tuple[DialogueMessage, ...]
    participants: tuple[str, ...]
    agents: tuple[str, ...] = ()
    """What the agents in it are called."""
    topic: str | None = None
    """The topic, as the chat service gives it."""
    language: Language | None
    """The language to answer in; None follows the conversation."""
    time_zone: str

    @property
    def people(self) -> frozenset[str]:
        """The names of the people who speak, where several share the role of the user."""
        return list_people(self.messages)


def list_people(messages: Sequence[DialogueMessage] | Sequence[Turn]) -> frozenset[str]:
    """The speakers of role user, if they are several; with one, it is just the user."""
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
    """Return what its people write in the new messages, or whoever writes there, or anywhere."""
    fresh = [message for message in messages if message.fresh]
    people = [message for message in fresh if message.role is Role.USER]
    speaking = people or fresh or messages
    return detect_language("\n".join(message.text for message in speaking))
