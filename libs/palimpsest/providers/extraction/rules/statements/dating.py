"""When a clause or a statement is: which of the times said in it counts."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from palimpsest.domain.kinds import Kind
from palimpsest.domain.time_expressions.expression import Granularity, TimeExpression
from palimpsest.providers.extraction.rules.clauses.clause import Clause
from palimpsest.providers.extraction.rules.revising import moves_to, times_moved_to
from palimpsest.providers.extraction.rules.statements.gathering import Statement
from palimpsest.providers.extraction.rules.statements.judged import Judged
from palimpsest.providers.extraction.rules.statements.when_behind import says_when
from palimpsest.providers.extraction.times import SaidWhen, times_in
from palimpsest.providers.extraction.timing import beside

_DAY = timedelta(days=1)
_FOR = re.compile(r"\bfor (?:the )?$", re.IGNORECASE)


def time_in(clause: Clause, said: SaidWhen) -> TimeExpression | None:
    own = times_in(clause.text, said)
    if own:
        own = times_moved_to(clause.text, said) or own
    if own or clause.text == clause.sentence:
        return _told_first(own, clause.text)
    times = times_in(clause.sentence, said)
    return beside(times, clause.sentence, clause.start, clause.end)


def _told_first(times: Sequence[TimeExpression], text: str) -> TimeExpression | None:
    """The first; what something is for ("comes for Easter, arrives on the 9th") after the others."""
    told = [each for each in times if not _FOR.search(text, 0, each.start)]
    return next(iter((*told, *times)), None)


def time_of(statement: Statement, said: SaidWhen) -> tuple[TimeExpression | None, Judged]:
    """The first that was said, and of that day the hour that is said further on.

    Of what is to be done the day by which it is, where there is one.
    """
    parts = statement.parts
    if statement.kind is Kind.ACTION_ITEM:
        parts = [each for each in parts if _is_of_its_time(each, statement.first)]
        for part in parts:
            times = times_in(part.clause.text, said) if part.chinese else ()
            if deadline := next((each for each in times if each.is_until), None):
                return deadline, part
    timed = [part for part in parts if part.time is not None]
    if not timed:
        return None, statement.first
    if moving := next((part for part in timed if moves_to(part.core) is not None), None):
        return moving.time, moving
    first, *others = timed
    for other in others:
        if first.time and other.time and _is_its_hour(first.time, other.time):
            return other.time, other
    return first.time, first


def _is_of_its_time(part: Judged, first: Judged) -> bool:
    """“Return the books. They close at 1”; of “Renew the passport. Lisbon in March” each has its own."""
    return part.is_beside(first) or part.pronoun is not None or says_when(part)


def _is_its_hour(day: TimeExpression, hour: TimeExpression) -> bool:
    begins = day.starts_at or first_of_last_day(day)
    if not day.all_day or day.recurrence or hour.recurrence or begins is None:
        return False
    if hour.granularity is not Granularity.INSTANT or hour.starts_at is None:
        return False
    return begins <= hour.starts_at < begins + _DAY


def first_of_last_day(time: TimeExpression) -> datetime | None:
    """Of what is open at its beginning: "by Friday" speaks of Friday."""
    if time.ends_at is None or not time.all_day:
        return time.ends_at
    return time.ends_at - _DAY
