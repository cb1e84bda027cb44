"""Properties of a kind of memory: everything that tells one kind from another.

Each kind states all of them in `palimpsest.model.kinds`. Code asks for the property that it needs
and never lists kinds, so a new kind is handled everywhere by its row alone.
"""

from enum import Flag, StrEnum, auto

from palimpsest.model.user import Language
from palimpsest.model.value_types import UnitInterval, Value


class Lifetime(StrEnum):
    CORE = "core"
    WORKING = "working"
    TEMPORARY = "temporary"


class EvidenceSource(StrEnum):
    """Who may be quoted for a kind of memory."""

    USER = "user"
    AGENT = "agent"
    SKILL_EVENT = "skill_event"
    SEVERAL_MEMORIES = "several_memories"
    DATA = "data"


class MemoryFile(StrEnum):
    """The file in which people read and edit a kind."""

    MEMORY = "memory.md"
    LEARNINGS = "learnings.md"


class ProfilePart(StrEnum):
    """The part of a user's profile in which a kind is told."""

    IDENTITY = "identity"
    TASTES = "tastes"
    PRESENT = "present"


class SharingLevel(StrEnum):
    """The widest layer in which a memory of a kind holds."""

    PERSON = "person"
    """With every agent and in every project, if it is about the user."""
    USER = "user"
    """With every agent, if it is about the user. Said in a project it stays there, except for
    attributes of the person.
    """
    AGENT = "agent"
    """With the agent, whatever project it works in."""
    PROJECT = "project"
    """In the project of its conversation; without a project, with the agent."""


class SectionTitle(Value):
    """The heading of a section of a context, in both languages."""

    chinese: str
    english: str

    def in_language(self, language: Language) -> str:
        return self.chinese if language is Language.CHINESE else self.english


class ModelHint(Value):
    """The description of a kind for a model that extracts it, in both languages."""

    english: str
    chinese: str

    def in_language(self, language: Language) -> str:
        return self.chinese if language is Language.CHINESE else self.english


class KindTimes(Value):
    """The relation of a kind's memories to time."""

    is_plannable: bool
    """It can be planned, moved and called off."""
    is_dated: bool
    """A time named in a later message belongs to it."""
    is_at_a_time: bool
    """Its time is when it takes place, not when it was said."""
    is_occurrence: bool
    """It takes place and is over; a past time is when it took place."""
    is_state: bool
    """It holds from one time to another."""
    has_clock_time: bool
    """An hour without a day is part of its time."""
    may_tell_plan: bool
    """Its words may state a plan."""
    may_tell_habit: bool
    """Its words may state a habit."""
    has_quantity: bool
    """A number in it may be corrected."""
    is_habitual: bool = False
    """It recurs: "on Friday" in it means every Friday."""


TIMELESS = KindTimes(
    is_plannable=False,
    is_dated=False,
    is_at_a_time=False,
    is_occurrence=False,
    is_state=False,
    has_clock_time=False,
    may_tell_plan=False,
    may_tell_habit=False,
    has_quantity=False,
)


class Wording(Flag):
    """Properties of the sentences of a kind, by which the local rules read them."""

    NONE = 0
    THING = auto()
    """About things as well as people."""
    WISH = auto()
    """How somebody wants something to be."""
    AGENT_WISH = auto()
    """How one agent should behave, unless it is about the speaker."""
    STANCE = auto()
    """Denying its value reverses it."""
    FINDING = auto()
    """Something that was found out; two in a row form one statement."""
    DESCRIPTION = auto()
    """A description of somebody or something; later sentences may continue it."""
    SUGGESTION = auto()
    """Something that may be a mere suggestion, which settles nothing."""
    SMALL_TALK = auto()
    """Something that people also say to be polite."""
    ERRAND = auto()
    """Something that an assistant may be asked to note for a day."""
    NO_TASK = auto()
    """Something that a rule may take for a task, and that is none."""
    OWN_KIND = auto()
    """The whole sentence is of this kind, whatever kind a rule gives to a part of it."""
    AVERSION = auto()
    """Something that somebody does not like."""
    SEPARATION = auto()
    """The separation of two people."""
    CIRCUMSTANCE = auto()
    """Where somebody lives, or what no longer holds, in addition to the main statement."""


class KindProperties(Value):
    """One row of the table of kinds. A property without a default must be stated for each kind."""

    hint: ModelHint | None
    """The hint for models; None if no model extracts this kind."""
    importance: UnitInterval
    """The importance of a memory for which none is stated."""
    lifetime: Lifetime
    aliases: tuple[str, ...] = ()
    """Other names under which the kind may come from outside."""
    file: MemoryFile | None
    """The file of the kind; None for none."""
    evidence_from: frozenset[EvidenceSource]
    section: SectionTitle
    """The section of a context that shows it."""
    profile_part: ProfilePart | None
    """The part of the profile; None if the profile's own words leave the kind out."""
    sharing: SharingLevel
    is_todo: bool
    """Each of its memories is a todo that can be completed and reopened."""
    is_lasting: bool
    """Two memories that deny each other contradict; without it, both may be true on different days.
    """
    is_always_about_user: bool
    """It is about its speaker, whatever its subject."""
    is_about_somebody: bool
    """Its subject is a person; otherwise it is a topic."""
    has_weights: bool
    """The shipped weights of statements have columns for it."""
    times: KindTimes
    wording: Wording

    @property
    def is_said(self) -> bool:
        """Users say it in conversations; other kinds are made from events or other memories."""
        return EvidenceSource.USER in self.evidence_from

    @property
    def is_said_by_agents(self) -> bool:
        return EvidenceSource.AGENT in self.evidence_from

    @property
    def is_reflection(self) -> bool:
        """It states what several memories show together."""
        return EvidenceSource.SEVERAL_MEMORIES in self.evidence_from
