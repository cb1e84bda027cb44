"""Properties of a kind of memory: everything that tells one kind from another.

Each kind states all of them in `palimpsest.model.kinds`. Code asks for the property that it needs
and never lists kinds, so that a new kind is taken up everywhere by its row alone.
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
    """With every agent and in every project, where it is about the user."""
    USER = "user"
    """With every agent, where it is about the user. In a project it stays there, but for attributes
    of the person."""
    AGENT = "agent"
    """With the agent, whatever project it works in."""
    PROJECT = "project"
    """In the project of its conversation, or with the agent where there is none."""


class SectionTitle(Value):
    """The heading of a section of a context, in both languages."""

    chinese: str
    english: str

    def in_language(self, language: Language) -> str:
        return self.chinese if language is Language.CHINESE else self.english


class ModelHint(Value):
    """The description of a kind for a model that is to find it, in both languages."""

    english: str
    chinese: str

    def in_language(self, language: Language) -> str:
        return self.chinese if language is Language.CHINESE else self.english


class KindTimes(Value):
    """How memories of a kind relate to time."""

    is_plannable: bool
    """It can be ahead, moved and called off."""
    is_dated: bool
    """A time that is told after it is its own."""
    is_at_a_time: bool
    """Its time is when it takes place, not when somebody spoke of it."""
    is_occurrence: bool
    """It takes place and is over; a time in the past is when it did."""
    is_state: bool
    """It holds from one time to another."""
    has_clock_time: bool
    """An hour without a day says something of it."""
    may_tell_plan: bool
    """A plan may be told in its words."""
    may_tell_habit: bool
    """A habit may be told in its words."""
    has_quantity: bool
    """A number in it may be set right."""
    is_habitual: bool = False
    """It tells of what comes back: "on Friday" in it means every Friday."""


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
    """The sentences that a kind may have; the local rules read them by it."""

    NONE = 0
    THING = auto()
    """Of things as well as of people."""
    WISH = auto()
    """How somebody wants something to be."""
    AGENT_WISH = auto()
    """How one agent should behave, unless it is about the speaker."""
    STANCE = auto()
    """To deny its value turns it round."""
    FINDING = auto()
    """Something that was found out; two in a row are one statement."""
    DESCRIPTION = auto()
    """What somebody or something is; sentences go on with it."""
    SUGGESTION = auto()
    """Something that may only be suggested, and is not settled then."""
    SMALL_TALK = auto()
    """Something that people also say to be polite."""
    ERRAND = auto()
    """Something that an assistant may be asked to write down for a day."""
    NO_TASK = auto()
    """Something that looks like a task to a rule and is none."""
    OWN_KIND = auto()
    """Its sentence is of this kind, whatever kind a rule gives to a part of it."""
    AVERSION = auto()
    """Something that somebody does not like."""
    SEPARATION = auto()
    """That two people parted."""
    CIRCUMSTANCE = auto()
    """Where somebody lives, or what is no longer so, beside what it says first."""


class KindProperties(Value):
    """One row of the table of kinds. A property without a default must be stated for each kind."""

    hint: ModelHint | None
    """None: no model is asked for it."""
    importance: UnitInterval
    """Of a memory for which nobody said otherwise."""
    lifetime: Lifetime
    aliases: tuple[str, ...] = ()
    """Other names under which it may come from outside."""
    file: MemoryFile | None
    """None: in no file."""
    evidence_from: frozenset[EvidenceSource]
    section: SectionTitle
    """The section of a context that shows it."""
    profile_part: ProfilePart | None
    """None: a profile says nothing of it in its own words."""
    sharing: SharingLevel
    is_todo: bool
    """Each of its memories is a todo that can be completed and reopened."""
    is_lasting: bool
    """Two that deny one another contradict; of what happened on one day and not on another neither does."""
    is_always_about_user: bool
    """It is about its speaker, whoever is its subject."""
    is_about_somebody: bool
    """Its subject is somebody; otherwise it is a topic."""
    has_weights: bool
    """The shipped weights of statements have columns for it."""
    times: KindTimes
    wording: Wording

    @property
    def is_said(self) -> bool:
        """Users say it in conversations; other kinds come of events and of memories."""
        return EvidenceSource.USER in self.evidence_from

    @property
    def is_said_by_agents(self) -> bool:
        return EvidenceSource.AGENT in self.evidence_from

    @property
    def is_reflection(self) -> bool:
        """It is what several memories show together."""
        return EvidenceSource.SEVERAL_MEMORIES in self.evidence_from
