"""Reading the tables of signs: of what kind a clause is, by its words and by when it speaks of."""

from collections.abc import Sequence
from functools import lru_cache

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import SENTENCE_CACHE_SIZE
from palimpsest_language.statements import chinese_kind_cues as chinese_signs
from palimpsest_language.statements import english_kind_cues as english_signs
from palimpsest_language.statements.kind_cue import CueCondition, KindCue
from palimpsest_language.statements.uncued_statements import count_numbers
from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def classify_kind(
    text: str, role: Role, time: TimeExpression | None, said: UtteranceTime, *, chinese: bool
) -> Kind | None:
    """By the first sign that fits; None where none does."""
    table: Sequence[KindCue] = chinese_signs.SIGNS if chinese else english_signs.SIGNS
    for sign in table:
        if (
            role in sign.said_by
            and _has(sign.needs, text, time, said)
            and sign.pattern.search(text)
        ):
            return sign.kind
    return None


def classify_lesson(text: str, *, chinese: bool) -> Kind | None:
    """Where something went wrong, what an agent says is needed is the lesson of it."""
    pattern = chinese_signs.NEEDED if chinese else english_signs.NEEDED
    return Kind.LESSON if pattern.search(text) else None


def mentions_trouble(text: str, *, chinese: bool) -> bool:
    pattern = chinese_signs.TROUBLE if chinese else english_signs.TROUBLE
    return pattern.search(text) is not None


def is_upcoming(time: TimeExpression, said: UtteranceTime) -> bool:
    """Not over yet; a day that has begun counts."""
    moment = time.ends_at or time.starts_at
    return time.recurrence is None and moment is not None and moment >= said.at


def is_exact_to_day(time: TimeExpression) -> bool:
    """To the day at least."""
    return time.granularity in {Granularity.INSTANT, Granularity.DAY}


def _has(needs: CueCondition, text: str, time: TimeExpression | None, said: UtteranceTime) -> bool:
    match needs:
        case CueCondition.NOTHING:
            return True
        case CueCondition.NUMBER:
            return count_numbers(text) > 0
        case CueCondition.COMING:
            return time is not None and is_upcoming(time, said)
        case CueCondition.COMING_DAY:
            return time is not None and is_upcoming(time, said) and is_exact_to_day(time)
        case CueCondition.PAST:
            return time is not None and not is_upcoming(time, said)
