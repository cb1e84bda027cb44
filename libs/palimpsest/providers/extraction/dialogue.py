"""A dialogue as it is understood: numbered messages in the speakers' own words."""

from collections.abc import Sequence

from palimpsest.domain.model import Instant, Value
from palimpsest.domain.privacy.own_words import own_images, own_words
from palimpsest.domain.turn import ImageReference, Role, Turn
from palimpsest.domain.user import Language
from palimpsest.domain.writing import language_of


class Message(Value):
    """One message. A model sees its number and never an id."""

    number: int
    role: Role
    speaker: str | None
    text: str
    images: tuple[ImageReference, ...] = ()
    fresh: bool
    """Context messages are there to be understood by; only fresh ones are extracted from."""
    occurred_at: Instant


class ExtractionRequest(Value):
    """A window, ready to be understood."""

    user_id: str
    """At whose expense; no model is shown it."""
    messages: tuple[Message, ...]
    participants: tuple[str, ...]
    agents: tuple[str, ...] = ()
    """What the agents in it are called."""
    language: Language | None
    """The language to answer in; None follows the conversation."""
    time_zone: str

    @property
    def people(self) -> frozenset[str]:
        """The names of the people who speak, where several share the role of the user."""
        return people_of(self.messages)


def people_of(messages: Sequence[Message] | Sequence[Turn]) -> frozenset[str]:
    """The speakers of role user, if they are several; with one, it is just the user."""
    names = frozenset(
        message.speaker for message in messages if message.role is Role.USER and message.speaker
    )
    return names if len(names) > 1 else frozenset()


def numbered(turns: Sequence[Turn], *, first_fresh: int = 1) -> tuple[Message, ...]:
    return tuple(
        Message(
            number=number,
            role=turn.role,
            speaker=turn.speaker,
            text=own_words(turn),
            images=own_images(turn),
            fresh=number >= first_fresh,
            occurred_at=turn.occurred_at,
        )
        for number, turn in enumerate(turns, start=1)
    )


def conversation_language(messages: Sequence[Message]) -> Language:
    """What its people write in the new messages, or whoever writes there, or anywhere."""
    fresh = [message for message in messages if message.fresh]
    people = [message for message in fresh if message.role is Role.USER]
    speaking = people or fresh or messages
    return language_of("\n".join(message.text for message in speaking))
