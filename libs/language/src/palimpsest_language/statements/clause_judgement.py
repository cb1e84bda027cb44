"""The judgement of a clause."""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from palimpsest.model.kinds import Kind
from palimpsest_language.clauses.clause import Clause
from palimpsest_language.statements.asides import is_excluded_sentence
from palimpsest_language.statements.people import MentionedPerson
from palimpsest_language.statements.uncued_statements import (
    is_about_speaker,
    is_action_without_subject,
)
from palimpsest_language.time_expressions.expression import TimeExpression


class ClauseWorth(Enum):
    STATEMENT = "statement"
    PIECE = "piece"
    """It only says something beside its neighbours: "nine weeks old", 两位 靠窗."""
    NOTHING = "nothing"


@dataclass(frozen=True)
class ClauseJudgement:
    clause: Clause
    core: str
    """The words without interjections and without the addressee."""
    chinese: bool
    worth: ClauseWorth
    kind: Kind | None = None
    person: MentionedPerson | None = None
    pronoun: str | None = None
    """The pronoun at its beginning for an earlier person or thing; None without one."""
    time: TimeExpression | None = None
    coming: bool = False
    """True if its time is not over."""
    supposed: bool = False
    withheld: bool = False
    """True if nothing may be made of it, by any rule: supposed, asked, about others, a secret."""

    aside: bool = False
    """True for thanks and the like: nothing is made of it, but the rest of its sentence counts."""

    @property
    def stands_apart(self) -> bool:
        """True if it is joined with nothing."""
        return self.aside or is_excluded_sentence(self.clause.sentence)

    def is_apart_from(self, other: "ClauseJudgement") -> bool:
        """Tell whether both are of different sentences, and one would harm or not help another."""
        if self.aside or other.aside:
            return True
        return not self.is_beside(other) and (self.stands_apart or other.stands_apart)

    @cached_property
    def about_speaker(self) -> bool:
        return is_about_speaker(self.core) or self.leaves_speaker_out

    @cached_property
    def leaves_speaker_out(self) -> bool:
        """True for “Sold the car”, whose speaker is the omitted subject."""
        return not self.chinese and self.person is None and is_action_without_subject(self.core)

    def is_beside(self, other: "ClauseJudgement") -> bool:
        """Tell whether both are in the same sentence."""
        return self.clause.sentence == other.clause.sentence
