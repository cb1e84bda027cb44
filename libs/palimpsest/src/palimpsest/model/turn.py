"""One message of a conversation as it was said, without what may not be stored."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Self

from palimpsest.model.identifiers import derive_id
from palimpsest.model.prompt_markers import remove_marked_text
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier, Instant, Integer, UtcOffsetMinutes, Value


class Role(StrEnum):
    USER = "user"
    AGENT = "agent"
    TOOL = "tool"


class Medium(StrEnum):
    IMAGE = "image"
    VIDEO = "video"


class ImageReference(Value):
    """A picture or a video of a message: its address, and its description. It is never fetched."""

    url: str
    caption: str | None = None
    """The caption of the picture."""
    alt: str | None = None
    """A description of the picture for people who do not see it."""
    medium: Medium = Medium.IMAGE

    @property
    def words(self) -> tuple[str, ...]:
        """Caption and description, without repetition."""
        said = (each for each in (self.caption, self.alt) if each and each.strip())
        return tuple(dict.fromkeys(said))


class TextSpan(Value):
    """A stretch of a text, in characters, end exclusive."""

    start: Integer
    end: Integer


class Turn(Value):
    id: str
    event_id: str
    user_id: Identifier
    agent_id: Identifier | None = None
    project_id: Identifier | None = None
    session_id: Identifier
    message_id: Identifier
    role: Role
    speaker: str | None = None
    text: str
    images: tuple[ImageReference, ...] = ()
    injected: tuple[TextSpan, ...] = ()
    """Stretches that memory put into the text; never extracted again."""
    understood: bool = False
    """Its memories came beside it, and nothing is extracted from it."""
    withheld: bool = False
    """True if another message asks to remember nothing of this one."""
    in_fiction: bool | None = None
    """True if some of it is said in a role, as in a game; None until ingest has checked."""
    reply_to: Identifier | None = None
    """The message of the same session that this one answers."""
    occurred_at: Instant
    utc_offset_minutes: UtcOffsetMinutes | None = None
    """The speaker's offset in minutes east of UTC; None if unknown."""
    received_at: Instant
    epoch: int
    sequence: int | None = None
    """The number in the session, rising, from 1; None until ingest has taken it in."""
    trace: str | None = None
    """The W3C traceparent that it came with; what is extracted from it belongs to the same trace.
    """

    @property
    def scope(self) -> Scope:
        return Scope.model_construct(
            user_id=self.user_id, agent_id=self.agent_id, project_id=self.project_id
        )

    @property
    def full_text(self) -> str:
        """The text with the words about its pictures, whether or not they may be remembered."""
        return "\n".join((self.text, *words_of(self.images)))

    @property
    def said(self) -> str:
        """The text without injected memory, by the chat service's spans or by markers.

        A line break replaces each removed part, so that no quote reaches across it.
        """
        kept: list[str] = []
        position = 0
        for span in sorted(self.injected, key=lambda span: span.start):
            start = max(span.start, position)
            kept.append(self.text[position:start])
            position = max(span.end, start)
        kept.append(self.text[position:])
        return remove_marked_text("\n".join(kept)).strip()

    def at(self, sequence: int) -> Self:
        return self.model_copy(update={"sequence": sequence})


def words_of(images: Iterable[ImageReference]) -> Iterator[str]:
    """Yield all words about these pictures."""
    return (words for image in images for words in image.words)


def turn_id(user_id: str, session_id: str, message_id: str) -> str:
    return derive_id("turn", user_id, session_id, message_id)
