"""Reading the tables of signs: of what kind a clause is, by its words and by when it speaks of."""

from collections.abc import Sequence
from functools import lru_cache

from palimpsest.domain.kinds import Kind
from palimpsest.domain.time_expressions.expression import Granularity, TimeExpression
from palimpsest.domain.turn import Role
from palimpsest.providers.extraction.rules.sentences import SENTENCES_KEPT
from palimpsest.providers.extraction.rules.statements import chinese as chinese_signs
from palimpsest.providers.extraction.rules.statements import english as english_signs
from palimpsest.providers.extraction.rules.statements.sign import Needs, Sign
from palimpsest.providers.extraction.rules.statements.stating import numbers_in
from palimpsest.providers.extraction.times import SaidWhen


@lru_cache(maxsize=SENTENCES_KEPT)
def kind_of(
    text: str, role: Role, time: TimeExpression | None, said: SaidWhen, *, chinese: bool
) -> Kind | None:
    """By the first sign that fits; None where none does."""
    table: Sequence[Sign] = chinese_signs.SIGNS if chinese else english_signs.SIGNS
    for sign in table:
        if (
            role in sign.said_by
            and _has(sign.needs, text, time, said)
            and sign.pattern.search(text)
        ):
            return sign.kind
    return None


def learnt(text: str, *, chinese: bool) -> Kind | None:
    """Where something went wrong, what an agent says is needed is the lesson of it."""
    pattern = chinese_signs.NEEDED if chinese else english_signs.NEEDED
    return Kind.LESSON if pattern.search(text) else None


def speaks_of_trouble(text: str, *, chinese: bool) -> bool:
    pattern = chinese_signs.TROUBLE if chinese else english_signs.TROUBLE
    return pattern.search(text) is not None


def is_coming(time: TimeExpression, said: SaidWhen) -> bool:
    """Not over yet; a day that has begun counts."""
    moment = time.ends_at or time.starts_at
    return time.recurrence is None and moment is not None and moment >= said.at


def is_exact(time: TimeExpression) -> bool:
    """To the day at least."""
    return time.granularity in {Granularity.INSTANT, Granularity.DAY}


def _has(needs: Needs, text: str, time: TimeExpression | None, said: SaidWhen) -> bool:
    match needs:
        case Needs.NOTHING:
            return True
        case Needs.NUMBER:
            return numbers_in(text) > 0
        case Needs.COMING:
            return time is not None and is_coming(time, said)
        case Needs.COMING_DAY:
            return time is not None and is_coming(time, said) and is_exact(time)
        case Needs.PAST:
            return time is not None and not is_coming(time, said)
