"""Clauses that belong together become one statement."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from palimpsest.domain.kinds import Kind
from palimpsest.domain.turn import Role
from palimpsest.providers.extraction.rules.completing import is_when_alone
from palimpsest.providers.extraction.rules.statements.answers import (
    is_answer,
    kind_of_answer,
    stands_alone,
)
from palimpsest.providers.extraction.rules.statements.continuing import (
    continues,
    points_nowhere,
    speaks_of,
    was_given_up,
)
from palimpsest.providers.extraction.rules.statements.judged import Judged, Worth
from palimpsest.providers.extraction.rules.statements.people import is_bare_mention

_NAMES_OR_COUNTS = re.compile(r"\d|(?<!^)\b[A-Z][a-z]+")
_ONLY_WHERE = re.compile(
    r"(?:in|at|on|from|to|near|by|with|for|of) (?:[A-Za-z][\w.'’-]*)(?: [A-Za-z][\w.'’-]*){0,2}",
    re.IGNORECASE,
)
"""“In St Andrews”: of what, was said by nobody."""
_LEAST_WORDS_OF_PIECES = 3
_LEAST_CHARACTERS_OF_A_PLAN = 10


def _answers(each: Judged, question: str) -> bool:
    """Somebody who is only named is told of in what follows."""
    if each.worth is not Worth.PIECE or is_bare_mention(each.core, chinese=each.chinese):
        return False
    return is_answer(each.core, question)


def _kind_of_answer(question: str, answer: Judged) -> Kind:
    """“At the aquarium, last Saturday” tells what happened, whatever was asked."""
    past = answer.time is not None and not answer.coming and answer.time.recurrence is None
    return Kind.EVENT if past else kind_of_answer(question)


@dataclass
class Statement:
    kind: Kind
    parts: list[Judged]
    question: str | None = None
    """What it answers, where it says little without."""

    @property
    def first(self) -> Judged:
        return self.parts[0]


@dataclass
class Gathering:
    """Goes through the judged clauses of one message, in order."""

    role: Role
    question: str | None = None
    """What the first words may answer."""
    found: list[Statement] = field(default_factory=list)
    aside: Judged | None = None
    """The answer, where it belongs to what was told before the question."""
    _ahead: list[Judged] = field(default_factory=list)
    """Pieces that have nothing to stand by yet."""
    _before: Judged | None = None
    _open: bool = False
    """The last statement may go on."""

    def gather(self, judged: Iterable[Judged]) -> list[Statement]:
        unanswered, affirmed = self.question, False
        for each in judged:
            if self._before is not None and each.is_apart_from(self._before):
                self._close()
            question, unanswered = unanswered, None if each.core else unanswered
            if question and not each.core:
                # "Yeah. Fourteen years old": what was asked is so, and more is told of it.
                affirmed = True
            elif question and _answers(each, question):
                self._answer(each, question, affirmed=affirmed)
            elif each.worth is Worth.NOTHING:
                self._open, self._ahead = False, []
            elif each.worth is Worth.PIECE or each.kind is None:
                self._take_piece(each)
            else:
                self._take_statement(each, each.kind)
            self._before = each
        self._tell(self._ahead)
        return self.found

    def _close(self) -> None:
        """What follows goes on with nothing that was said."""
        self._tell(self._ahead)
        self._open, self._ahead, self._before = False, [], None

    def _answer(self, each: Judged, question: str, *, affirmed: bool) -> None:
        if stands_alone(each.core, question) and not affirmed:
            self._begin(Statement(_kind_of_answer(question, each), [each], question))
        else:
            self.aside = each

    def _begin(self, statement: Statement) -> None:
        self.found.append(statement)
        self._open, self._ahead = True, []

    def _take_piece(self, each: Judged) -> None:
        planned = each.coming and len(each.core) >= _LEAST_CHARACTERS_OF_A_PLAN
        planned = planned and not is_when_alone(each.core, each.time)
        if self._open:
            self.found[-1].parts.append(each)
        elif planned and self.role is Role.USER:
            # "Japan with Theo, first week of October"
            self._begin(Statement(Kind.EVENT, [*self._ahead, each]))
        else:
            self._ahead.append(each)

    def _take_statement(self, each: Judged, kind: Kind) -> None:
        before = self._before
        if before is not None and before.worth is not Worth.STATEMENT and speaks_of(each, before):
            self._begin(Statement(kind, [before, each]))
            return
        last = self.found[-1] if self._open else None
        if last is not None and continues(last.kind, last.parts, each, self.role):
            last.parts.append(each)
            self._ahead = []
            return
        belonging = [one for one in self._ahead if each.pronoun is not None or one.is_beside(each)]
        self._tell([one for one in self._ahead if one not in belonging])
        if not belonging and points_nowhere(each):
            self._open, self._ahead = False, []
            return
        if last is not None and was_given_up(last.parts, each):
            belonging = [*self.found.pop().parts, *belonging]
        self._begin(Statement(kind, [*belonging, each]))

    def _tell(self, pieces: list[Judged]) -> None:
        """“2 bedroom in Rosemont, 720 a month”: no sentence, and it says something all the same."""
        if all(is_when_alone(piece.core, piece.time) for piece in pieces):
            return
        words = " ".join(piece.core for piece in pieces)
        named = any(_NAMES_OR_COUNTS.search(piece.core) for piece in pieces)
        enough = len(words.split()) >= _LEAST_WORDS_OF_PIECES and named
        enough = enough and not (len(pieces) == 1 and _ONLY_WHERE.fullmatch(words))
        if self.role is Role.USER and enough and not pieces[0].chinese:
            self.found.append(Statement(Kind.FACT, pieces))
