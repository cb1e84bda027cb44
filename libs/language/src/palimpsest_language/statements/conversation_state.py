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
"""Messages after a report of trouble that are still about it."""

_OF_ONE = {"she": "she", "her": "she", "他": "他", "她": "她", "he": "he", "his": "he"}
"""Pronouns that tell a woman from a man; one person keeps one of them in a conversation."""


@dataclass(frozen=True)
class MessageSpeaker:
    """The speaker, as a subject and in words."""

    role: Role
    name: str | None
    """The name if several people speak; otherwise None."""
    listeners: frozenset[str] = frozenset()
    """The people spoken to, if people talk among themselves."""
    agent: str | None = None
    """The name of the agent that speaks, if there are several."""

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
        """Return the words for the listener: other people, or the agent; for agents the user."""
        if self.listeners:
            alone = len(self.listeners) == 1
            return next(iter(self.listeners)) if alone else "大家" if chinese else "the others"
        if chinese:
            return "助手" if self.role is Role.USER else "用户"
        return "the agent" if self.role is Role.USER else "the user"


MIN_NAME_LETTERS = 2
"""The least letters of a name without its capital; “al” and “jo” are too much like other words."""


@dataclass
class ConversationState:
    names: Collection[str] = ()
    """The names of participating agents and people, which address somebody."""
    work: bool = False
    """True if work on a text was requested."""
    material: bool = False
    """True if the next words are a text to work on, which says nothing about its sender."""
    person: MentionedPerson | None = None
    """The person mentioned last."""
    spoken_of: list[MentionedPerson] = field(default_factory=list)
    """All mentioned people, the last one last."""
    pronouns: dict[str, str] = field(default_factory=dict)
    """The pronoun used for each person, by subject."""
    asked_about: MentionedPerson | None = None
    """The person that an agent has just asked about, by name or relation."""
    people: dict[str, MentionedPerson] = field(default_factory=dict)
    """People by their relation to the speaker: "my sister Lena", and later "my sister"."""
    day: datetime | None = None
    """The start of the day mentioned last."""
    day_of_message: datetime | None = None
    """The same, if it was mentioned in this message."""
    time_of_message: TimeExpression | None = None
    """The time mentioned last in this message, or a month in the one before it."""
    month_named: tuple[int, TimeExpression] | None = None
    """The last time with a month, and the number of its message."""
    question: str | None = None
    """The agent's last question, until it is answered."""
    asked_when: bool = False
    """True if an agent has just asked for the time of something."""
    offered: bool = False
    """True if an agent has just offered a reminder."""
    supposed: bool = False
    """True if people's last words were only supposed, and so are questions about them."""
    asked: bool = False
    """True if a person's last message ends with a question."""
    team: bool = False
    """True if several agents take part."""
    trouble: int = 0
    """The number of further messages that are about trouble."""
    suggestions: tuple[MessageQuote, ...] = ()
    """The agents' suggestions since the user spoke, in order."""

    def spoke_of(self, person: MentionedPerson) -> MentionedPerson:
        """Note a mention of a person; return the person with the name, if known."""
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
        """Return a known person with whose name the words begin.

        In English the capital may be missing: “cerys is home”.
        """
        named = (
            (mentioned_person, mentioned_person.name)
            for mentioned_person in reversed(self.spoken_of)
            if mentioned_person.name
        )
        return next((person for person, name in named if _begins_with(core, name)), None)

    def meant_by(self, pronoun: str) -> MentionedPerson | None:
        """Return the person mentioned last that the pronoun may stand for: 她 is no brother."""
        fitting = (
            mentioned_person
            for mentioned_person in reversed(self.spoken_of)
            if matches_pronoun(mentioned_person, pronoun)
        )
        meant = next((person for person in fitting if self._may_be_called(person, pronoun)), None)
        if meant is not None and pronoun.casefold() in _OF_ONE:
            self.pronouns[meant.subject] = _OF_ONE[pronoun.casefold()]
        return meant

    def _may_be_called(self, person: MentionedPerson, pronoun: str) -> bool:
        """Tell whether the pronoun agrees with the one used for the person before."""
        known, asked = self.pronouns.get(person.subject), _OF_ONE.get(pronoun.casefold())
        return known is None or asked is None or known == asked

    def note_work(self, text: str, by: Role) -> None:
        """Note whether a text to work on comes next, because an agent asked for it."""
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
