"""Builds statements of clauses that belong together."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.statements.answers import (
    choose_answer_kind,
    is_answer,
    is_standalone_answer,
)
from palimpsest_language.statements.clause_judgement import ClauseJudgement, ClauseWorth
from palimpsest_language.statements.continuations import (
    has_dangling_pronoun,
    is_continuation,
    refers_to_previous,
    replaces_abandoned_plan,
)
from palimpsest_language.statements.people import is_bare_mention
from palimpsest_language.statements.plan_details import is_only_time

_NAMES_OR_COUNTS = re.compile(r"\d|(?<!^)\b[A-Z][a-z]+")
_ONLY_WHERE = re.compile(
    r"(?:in|at|on|from|to|near|by|with|for|of) (?:[A-Za-z][\w.'’-]*)(?: [A-Za-z][\w.'’-]*){0,2}",
    re.IGNORECASE,
)
"""“In St Andrews”: a place without a statement."""
_LEAST_WORDS_OF_PIECES = 3
_LEAST_CHARACTERS_OF_A_PLAN = 10


def _answers(judgement: ClauseJudgement, question: str) -> bool:
    """Tell whether a fragment answers the question; a mere mention of a person does not."""
    if judgement.worth is not ClauseWorth.PIECE or is_bare_mention(
        judgement.core, chinese=judgement.chinese
    ):
        return False
    return is_answer(judgement.core, question)


def _kind_of_answer(question: str, answer: ClauseJudgement) -> Kind:
    """Return the kind of an answer: with a past time it is an event, whatever was asked."""
    past = answer.time is not None and not answer.coming and answer.time.recurrence is None
    return Kind.EVENT if past else choose_answer_kind(question)


@dataclass
class ClauseStatement:
    kind: Kind
    parts: list[ClauseJudgement]
    question: str | None = None
    """The question that it answers, if it says little without."""

    @property
    def first(self) -> ClauseJudgement:
        return self.parts[0]


@dataclass
class StatementBuilder:
    """Goes through the judged clauses of one message in order."""

    role: Role
    question: str | None = None
    """The question that the first words may answer."""
    found: list[ClauseStatement] = field(default_factory=list)
    aside: ClauseJudgement | None = None
    """An answer that belongs to the statement before its question."""
    _ahead: list[ClauseJudgement] = field(default_factory=list)
    """Fragments without a statement so far."""
    _before: ClauseJudgement | None = None
    _open: bool = False
    """True if the last statement may continue."""

    def gather(self, judged: Iterable[ClauseJudgement]) -> list[ClauseStatement]:
        unanswered, affirmed = self.question, False
        for clause_judgement in judged:
            if self._before is not None and clause_judgement.is_apart_from(self._before):
                self._close()
            question, unanswered = unanswered, None if clause_judgement.core else unanswered
            if question and not clause_judgement.core:
                # "Yeah. Fourteen years old": what was asked is so, and more is told of it.
                affirmed = True
            elif question and _answers(clause_judgement, question):
                self._answer(clause_judgement, question, affirmed=affirmed)
            elif clause_judgement.worth is ClauseWorth.NOTHING:
                self._open, self._ahead = False, []
            elif clause_judgement.worth is ClauseWorth.PIECE or clause_judgement.kind is None:
                self._take_piece(clause_judgement)
            else:
                self._take_statement(clause_judgement, clause_judgement.kind)
            self._before = clause_judgement
        self._tell(self._ahead)
        return self.found

    def _close(self) -> None:
        """Close the statement: what follows continues nothing."""
        self._tell(self._ahead)
        self._open, self._ahead, self._before = False, [], None

    def _answer(self, judgement: ClauseJudgement, question: str, *, affirmed: bool) -> None:
        if is_standalone_answer(judgement.core, question) and not affirmed:
            self._begin(
                ClauseStatement(_kind_of_answer(question, judgement), [judgement], question)
            )
        else:
            self.aside = judgement

    def _begin(self, statement: ClauseStatement) -> None:
        self.found.append(statement)
        self._open, self._ahead = True, []

    def _take_piece(self, judgement: ClauseJudgement) -> None:
        planned = judgement.coming and len(judgement.core) >= _LEAST_CHARACTERS_OF_A_PLAN
        planned = planned and not is_only_time(judgement.core, judgement.time)
        if self._open:
            self.found[-1].parts.append(judgement)
        elif planned and self.role is Role.USER:
            # "Japan with Theo, first week of October"
            self._begin(ClauseStatement(Kind.EVENT, [*self._ahead, judgement]))
        else:
            self._ahead.append(judgement)

    def _take_statement(self, judgement: ClauseJudgement, kind: Kind) -> None:
        before = self._before
        if (
            before is not None
            and before.worth is not ClauseWorth.STATEMENT
            and refers_to_previous(judgement, before)
        ):
            self._begin(ClauseStatement(kind, [before, judgement]))
            return
        last = self.found[-1] if self._open else None
        if last is not None and is_continuation(last.kind, last.parts, judgement, self.role):
            last.parts.append(judgement)
            self._ahead = []
            return
        belonging = [
            clause_judgement
            for clause_judgement in self._ahead
            if judgement.pronoun is not None or clause_judgement.is_beside(judgement)
        ]
        self._tell(
            [
                clause_judgement
                for clause_judgement in self._ahead
                if clause_judgement not in belonging
            ]
        )
        if not belonging and has_dangling_pronoun(judgement):
            self._open, self._ahead = False, []
            return
        if last is not None and replaces_abandoned_plan(last.parts, judgement):
            belonging = [*self.found.pop().parts, *belonging]
        self._begin(ClauseStatement(kind, [*belonging, judgement]))

    def _tell(self, pieces: list[ClauseJudgement]) -> None:
        """Tell fragments without a sentence as a fact: “2 bedroom in Rosemont, 720 a month”."""
        if all(is_only_time(piece.core, piece.time) for piece in pieces):
            return
        words = " ".join(piece.core for piece in pieces)
        named = any(_NAMES_OR_COUNTS.search(piece.core) for piece in pieces)
        enough = len(words.split()) >= _LEAST_WORDS_OF_PIECES and named
        enough = enough and not (len(pieces) == 1 and _ONLY_WHERE.fullmatch(words))
        if self.role is Role.USER and enough and not pieces[0].chinese:
            self.found.append(ClauseStatement(Kind.FACT, pieces))
