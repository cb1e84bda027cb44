"""The judgement of a clause."""

from dataclasses import dataclass
from enum import Enum

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
    """Says something only beside what it stands by: "nine weeks old", 两位 靠窗."""
    NOTHING = "nothing"


@dataclass(frozen=True)
class ClauseJudgement:
    clause: Clause
    core: str
    """Without interjections, and without those it is said to."""
    chinese: bool
    worth: ClauseWorth
    kind: Kind | None = None
    person: MentionedPerson | None = None
    pronoun: str | None = None
    """What it begins with, where that stands for what was spoken of."""
    time: TimeExpression | None = None
    coming: bool = False
    """Its time is not over."""
    supposed: bool = False
    withheld: bool = False
    """Nothing is to be made of it, whatever rule may fit: supposed, asked, of others, a secret."""

    aside: bool = False
    """Thanks and the like: nothing is made of it, though of the rest of its sentence."""

    @property
    def stands_apart(self) -> bool:
        """Nothing goes along with it, nor it with anything."""
        return self.aside or is_excluded_sentence(self.clause.sentence)

    def is_apart_from(self, other: "ClauseJudgement") -> bool:
        """They are of two sentences, and one would cost the other or add nothing to it."""
        if self.aside or other.aside:
            return True
        return not self.is_beside(other) and (self.stands_apart or other.stands_apart)

    @property
    def about_speaker(self) -> bool:
        return is_about_speaker(self.core) or self.leaves_speaker_out

    @property
    def leaves_speaker_out(self) -> bool:
        """“Sold the car”: who writes like that did so."""
        return not self.chinese and self.person is None and is_action_without_subject(self.core)

    def is_beside(self, other: "ClauseJudgement") -> bool:
        """In the same sentence."""
        return self.clause.sentence == other.clause.sentence
