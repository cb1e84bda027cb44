"""Chooses the time of a clause or a statement from those said in it."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from palimpsest.model.kinds import Kind
from palimpsest_language.clauses.clause import Clause
from palimpsest_language.plans.plan_moves import find_new_time_position, find_new_times
from palimpsest_language.proposal_times.validity import find_adjacent_time
from palimpsest_language.statements.clause_judgement import ClauseJudgement
from palimpsest_language.statements.statement_builder import ClauseStatement
from palimpsest_language.statements.trailing_times import is_trailing_time
from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times

_DAY = timedelta(days=1)
_FOR = re.compile(r"\bfor (?:the )?$", re.IGNORECASE)


def find_clause_time(clause: Clause, said: UtteranceTime) -> TimeExpression | None:
    own = find_sentence_times(clause.text, said)
    if own:
        own = find_new_times(clause.text, said) or own
    if own or clause.text == clause.sentence:
        return _told_first(own, clause.text)
    times = find_sentence_times(clause.sentence, said)
    return find_adjacent_time(times, clause.sentence, clause.start, clause.end)


def _told_first(times: Sequence[TimeExpression], text: str) -> TimeExpression | None:
    """Return the first time, except that of a purpose: "comes for Easter, arrives on the 9th"."""
    told = [time for time in times if not _FOR.search(text, 0, time.start)]
    return next(iter((*told, *times)), None)


def find_statement_time(
    statement: ClauseStatement, said: UtteranceTime
) -> tuple[TimeExpression | None, ClauseJudgement]:
    """Return the first time, with an hour said later for the same day; of a todo its deadline."""
    parts = statement.parts
    if statement.kind is Kind.ACTION_ITEM:
        parts = [part for part in parts if _is_of_its_time(part, statement.first)]
        for part in parts:
            times = find_sentence_times(part.clause.text, said) if part.chinese else ()
            if deadline := next((time for time in times if time.is_until), None):
                return deadline, part
    timed = [part for part in parts if part.time is not None]
    if not timed:
        return None, statement.first
    if moving := next(
        (part for part in timed if find_new_time_position(part.core) is not None), None
    ):
        return moving.time, moving
    first, *others = timed
    for other in others:
        if first.time and other.time and _is_its_hour(first.time, other.time):
            return other.time, other
    return first.time, first


def _is_of_its_time(part: ClauseJudgement, first: ClauseJudgement) -> bool:
    """Tell whether a part's time is a todo's: “return the books. They close at 1”."""
    return part.is_beside(first) or part.pronoun is not None or is_trailing_time(part)


def _is_its_hour(day: TimeExpression, hour: TimeExpression) -> bool:
    begins = day.starts_at or start_of_last_day(day)
    if not day.all_day or day.recurrence or hour.recurrence or begins is None:
        return False
    if hour.granularity is not Granularity.INSTANT or hour.starts_at is None:
        return False
    return begins <= hour.starts_at < begins + _DAY


def start_of_last_day(time: TimeExpression) -> datetime | None:
    """Return the start of the last day: "by Friday" is about Friday."""
    if time.ends_at is None or not time.all_day:
        return time.ends_at
    return time.ends_at - _DAY
