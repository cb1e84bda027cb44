"""Times that are found in a sentence, in the form of the rows of time expressions.

All sentences are said on Wednesday, 11 March 2026, at 10:20 local time. A meaning is the granularity,
then start and end (exclusive) in local time. A date stands for its midnight, a plain instant has no
end, `..` is an open side, and a recurrence comes last.
"""

from datetime import datetime, time
from zoneinfo import ZoneInfo

from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.finder import find_times


def said_in(zone: str, local: str = "2026-03-11T10:20") -> datetime:
    return datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))


def found(sentence: str, zone: str, local: str = "2026-03-11T10:20") -> list[TimeExpression]:
    return list(find_times(sentence, said_at=said_in(zone, local), time_zone=zone))


def find_shown(sentence: str, zone: str) -> list[tuple[str, str]]:
    """The words of each time, and its meaning."""
    return [
        (time_expression.words, shown(time_expression, zone))
        for time_expression in found(sentence, zone)
    ]


def shown(expression: TimeExpression, zone: str) -> str:
    """The meaning of the expression."""
    starts, ends = (in_zone(each, zone) for each in (expression.starts_at, expression.ends_at))
    both = expression.granularity is not Granularity.INSTANT or starts != ends
    span = f"{starts}/{ends}" if both else starts
    rule = f" {expression.recurrence}" if expression.recurrence else ""
    return f"{expression.granularity} {span}{rule}"


def in_zone(moment: datetime | None, zone: str) -> str:
    if moment is None:
        return ".."
    local = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    return local.date().isoformat() if local.time() == time() else local.isoformat("T", "minutes")
