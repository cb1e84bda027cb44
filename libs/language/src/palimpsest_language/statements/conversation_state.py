"""The state that earlier clauses and messages leave for later ones."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.proposals import MessageQuote
from palimpsest_language.statements.kind_classifier import mentions_trouble
from palimpsest_language.statements.people import MentionedPerson, matches_pronoun
from palimpsest_language.statements.questions_and_requests import (
    asks_for_text,
    ends_with_request,
    is_text_task,
)
from palimpsest_language.time_expressions.expression import TimeExpression

MESSAGES_OF_TROUBLE = 4
"""After somebody said that something went wrong, so many messages are about that."""

_OF_ONE = {"she": "she", "her": "she", "他": "他", "她": "她", "he": "he", "his": "he"}
"""Pronouns that tell a woman from a man: who is one of them is not the other in the same talk."""


@dataclass(frozen=True)
class MessageSpeaker:
    """The speaker, as a subject and in words."""

    role: Role
    name: str | None
    """Where several people speak."""
    listeners: frozenset[str] = frozenset()
    """The people spoken to, where people are among themselves."""
    agent: str | None = None
    """The name of the agent who speaks, where several take part."""

    @property
    def subject(self) -> str:
        return self.name or self.role.value

    def words(self, *, chinese: bool) -> str:
        if self.name or self.agent:
            return self.name or self.agent or ""
        if chinese:
            return "用户" if self.role is Role.USER else "助手"
        return f"the {self.role.value}"

    def listener(self, *, chinese: bool) -> str:
        """Return whoever is spoken to: among themselves other people, else the agent.

        By agents the user.
        """
        if self.listeners:
            alone = len(self.listeners) == 1
            return next(iter(self.listeners)) if alone else "大家" if chinese else "the others"
        if chinese:
            return "助手" if self.role is Role.USER else "用户"
        return "the agent" if self.role is Role.USER else "the user"


MIN_NAME_LETTERS = 2
"""Letters; “Al” and “Jo” without their capitals are too much like other words."""


@dataclass
class ConversationState:
    names: Collection[str] = ()
    """Of agents and people who take part: they are spoken to."""
    work: bool = False
    """Work on a text was asked for."""
    material: bool = False
    """What comes next is a text to work on, and says nothing of who sends it."""
    person: MentionedPerson | None = None
    """Who was spoken of last."""
    spoken_of: list[MentionedPerson] = field(default_factory=list)
    """All of them, the last one last."""
    pronouns: dict[str, str] = field(default_factory=dict)
    """By which pronoun somebody was spoken of, by their name."""
    asked_about: MentionedPerson | None = None
    """Whom an agent asked about just now, by name or by what they are."""
    people: dict[str, MentionedPerson] = field(default_factory=dict)
    """By what they are to the speaker: "my sister Lena", and later "my sister"."""
    day: datetime | None = None
    """The first moment of the day that was spoken of last."""
    day_of_message: datetime | None = None
    """The same, where that was in this message."""
    time_of_message: TimeExpression | None = None
    """What was spoken of last in this message, or a month in the one before it."""
    month_named: tuple[int, TimeExpression] | None = None
    """The last time with a month in it, and in which message."""
    question: str | None = None
    """What an agent asked last, until it is answered."""
    asked_when: bool = False
    """An agent asked just now for the time of something."""
    offered: bool = False
    """To remind of something, by an agent, just now."""
    supposed: bool = False
    """What was said last by people was only supposed, and so is what is asked about it."""
    asked: bool = False
    """What a person said last ends by asking."""
    team: bool = False
    """Several agents take part."""
    trouble: int = 0
    """For so many messages more the talk is of something that went wrong."""
    suggestions: tuple[MessageQuote, ...] = ()
    """What agents suggested since the user spoke, in order."""

    def spoke_of(self, person: MentionedPerson) -> MentionedPerson:
        """The same person, with a name where it is known."""
        known = self.people.get(person.title or "")
        if person.name is None and known is not None:
            person = known
        if person.title and person.name:
            self.people[person.title] = person
        self.person = person
        self.spoken_of = [
            *(
                mentioned_person
                for mentioned_person in self.spoken_of
                if mentioned_person != person
            ),
            person,
        ]
        return person

    def named_first_in(self, core: str) -> MentionedPerson | None:
        """Somebody who was named before, where the words begin with that name.

        In English it may be written without its capital: “cerys is home”.
        """
        named = (
            (mentioned_person, mentioned_person.name)
            for mentioned_person in reversed(self.spoken_of)
            if mentioned_person.name
        )
        return next((one for one, name in named if _begins_with(core, name)), None)

    def meant_by(self, pronoun: str) -> MentionedPerson | None:
        """Return whoever was spoken of last that the pronoun may stand for: 她 is no brother."""
        fitting = (
            mentioned_person
            for mentioned_person in reversed(self.spoken_of)
            if matches_pronoun(mentioned_person, pronoun)
        )
        meant = next((one for one in fitting if self._may_be_called(one, pronoun)), None)
        if meant is not None and pronoun.casefold() in _OF_ONE:
            self.pronouns[meant.subject] = _OF_ONE[pronoun.casefold()]
        return meant

    def _may_be_called(self, person: MentionedPerson, pronoun: str) -> bool:
        """Who was "she" a moment ago is no "he"."""
        known, asked = self.pronouns.get(person.subject), _OF_ONE.get(pronoun.casefold())
        return known is None or asked is None or known == asked

    def note_work(self, text: str, by: Role) -> None:
        """Note whether a text to be worked on comes next: an agent has asked for it."""
        if by is Role.AGENT:
            self.material = self.work and asks_for_text(text)
        else:
            self.work, self.material = is_text_task(text), False
            self.asked = ends_with_request(text)

    def note_trouble(self, text: str, by: Role) -> None:
        if by is Role.USER and mentions_trouble(text, chinese=has_chinese(text)):
            self.trouble = MESSAGES_OF_TROUBLE
        else:
            self.trouble = max(0, self.trouble - 1)


def _begins_with(core: str, name: str) -> bool:
    if has_chinese(name):
        return core.startswith(name)
    words = core.split(maxsplit=1)
    return len(words) > 1 and len(name) > MIN_NAME_LETTERS and words[0] == name.lower()
