"""A bare day, weekday or month within a longer time, or in the month, spoken of just before.

"Lisbon in August, the flight is on the 6th" is the 6th of August, "last year we married in
May" the May of last year, "at sea next week, back Thursday" the Thursday of that week.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from palimpsest.model.value_types import to_instant
from palimpsest_language.time_expressions.expression import Granularity, TimeExpression

RereadTime = Callable[[TimeExpression, datetime], TimeExpression | None]
"""Resolves the same words as if they were said at another moment."""

_ENGLISH_LEAD = r"(?:(?:on|by|from|since|until|till?|before|after|to|at|in)\s+)?(?:the\s+)?"
_BARE_DAY = re.compile(
    rf"{_ENGLISH_LEAD}[0-9]{{1,2}}(?:st|nd|rd|th)?(?:,?\s+(?:at\s+)?[0-9]{{1,2}}"
    rf"(?:[:.][0-9]{{2}})?\s?(?:[ap]\.?m)?)?"
    r"|[从到在自]?[0-9一二三四五六七八九十]{1,3}\s?[号日][^月]*",
    re.IGNORECASE,
)
_BARE_WEEKDAY = re.compile(
    (
        rf"{_ENGLISH_LEAD}(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b(?! \d+"
        r"(?:st|nd|rd|th)).*|[从到在自]?(?:周|星期|礼拜)[一二三四五六日天].*"
    ),
    re.IGNORECASE,
)
_BARE_MONTH = re.compile(
    (
        rf"{_ENGLISH_LEAD}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
        rf"|[从到在自]?[0-9一二三四五六七八九十]{{1,2}}月(?:份|初|底|末|[上中下]旬)?"
    ),
    re.IGNORECASE,
)
_SHORTER = {Granularity.WEEK: _BARE_WEEKDAY, Granularity.YEAR: _BARE_MONTH}
_OF_A_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|month)|月|春节|国庆", re.IGNORECASE
)
_OF_A_YEAR = re.compile(
    r"大前年|前年|去年|明年|后年|\b(?:last|next) year\b|\b(?:19|20)[0-9]{2}\b|[12][0-9]{3}年"
)
_ENGLISH_DATE = (
    r"(?:[0-9]{1,2}(?:st|nd|rd|th)?\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"[a-z]*\.?(?:\s+[0-9]{1,2}(?:st|nd|rd|th)?)?"
)
_CHINESE_DATE = (
    r"[0-9一二三四五六七八九十]{1,2}月(?:[0-9一二三四五六七八九十]{1,3}[号日]?|份|初|底|末"
    r"|[上中下]旬)?"
)
_BARE_DATE = re.compile(
    rf"(?:between\s+)?{_ENGLISH_LEAD}{_ENGLISH_DATE}"
    rf"(?:\s*(?:to|and|until|till?|through|thru|-|–|—)\s*{_ENGLISH_DATE})?"
    rf"|[从到在自]?{_CHINESE_DATE}(?:\s*[到至~-]\s*{_CHINESE_DATE})?",
    re.IGNORECASE,
)
"""A month, or a day of it, with no year: of the year that was just named, where it is behind it."""
_ANOTHER_MATTER = re.compile(r"[,;，；。]")


def narrow_times(
    sentence: str,
    expressions: Sequence[TimeExpression],
    *,
    before: TimeExpression | None,
    said_at: datetime,
    time_zone: str,
    reread: RereadTime,
) -> tuple[TimeExpression, ...]:
    """Narrow times to the time named before them; `before` is from earlier words.

    A longer time is dropped if its narrower one stands beside it without a comma.
    """
    kept: list[TimeExpression] = []
    for time_expression in expressions:
        around = kept[-1] if kept else before
        inner = time_expression
        if around is not None and around.recurrence is None and time_expression.recurrence is None:
            inner = _within(time_expression, around, said_at, time_zone, reread) or time_expression
        if kept and inner is not time_expression and _is_replaced(sentence, kept[-1], inner):
            kept.pop()
        kept.append(inner)
    return tuple(kept)


def _is_replaced(sentence: str, longer: TimeExpression, inner: TimeExpression) -> bool:
    if longer.granularity is Granularity.DAY or longer.granularity is Granularity.INSTANT:
        return False
    between = sentence[longer.end : inner.start]
    return longer.granularity is Granularity.YEAR or _ANOTHER_MATTER.search(between) is None


def _within(
    expression: TimeExpression,
    around: TimeExpression,
    said_at: datetime,
    time_zone: str,
    reread: RereadTime,
) -> TimeExpression | None:
    words = expression.words
    begins = around.starts_at or (around.ends_at - timedelta(days=1) if around.ends_at else None)
    if begins is None:
        return None
    shorter = _SHORTER.get(around.granularity)
    if shorter is not None and shorter.fullmatch(words) and not expression.is_since:
        return _inside(reread(expression, begins), around)
    of_that_year = _OF_A_YEAR.search(around.words) and not expression.is_since
    if of_that_year and _BARE_DATE.fullmatch(words):
        return _in_its_year(
            reread(expression, _first_of_year(begins, time_zone)), begins, time_zone
        )
    if not _BARE_DAY.fullmatch(words) or not names_a_month(around):
        return None
    if around.granularity is not Granularity.MONTH and not _leads_up(expression, begins, time_zone):
        return None
    found = reread(expression, _first_of_month(begins, time_zone))
    return found if found is not None and _all_alike(found, expression, begins, said_at) else None


def names_a_month(time: TimeExpression) -> bool:
    return _OF_A_MONTH.search(time.words) is not None


def _all_alike(
    expression: TimeExpression, time_expression: TimeExpression, begins: datetime, said_at: datetime
) -> bool:
    """Tell whether all times are past, or all ahead: otherwise they are of different months."""
    days = (
        expression.starts_at or expression.ends_at,
        time_expression.starts_at or time_expression.ends_at,
        begins,
    )
    return len({day is not None and day < said_at for day in days}) == 1


def _leads_up(expression: TimeExpression, to: datetime, time_zone: str) -> bool:
    """“The feast is 24 June, so the oven is in by the 9th”: of a day before it in its month."""
    zone = ZoneInfo(time_zone)
    day = expression.starts_at or (
        expression.ends_at - timedelta(days=1) if expression.ends_at else to
    )
    return day.astimezone(zone).day < to.astimezone(zone).day


def _inside(expression: TimeExpression | None, around: TimeExpression) -> TimeExpression | None:
    if expression is None or around.starts_at is None or around.ends_at is None:
        return None
    day = expression.starts_at or expression.ends_at
    return expression if day is not None and around.starts_at <= day <= around.ends_at else None


def _in_its_year(
    expression: TimeExpression | None, begins: datetime, time_zone: str
) -> TimeExpression | None:
    """Return a time in the year just named, and not before it; None otherwise."""
    day = None if expression is None else expression.starts_at or expression.ends_at
    if expression is None or day is None or day < begins:
        return None
    zone = ZoneInfo(time_zone)
    return expression if day.astimezone(zone).year == begins.astimezone(zone).year else None


def _first_of_year(moment: datetime, time_zone: str) -> datetime:
    local = moment.astimezone(ZoneInfo(time_zone))
    return to_instant(local.replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0))


def _first_of_month(moment: datetime, time_zone: str) -> datetime:
    local = moment.astimezone(ZoneInfo(time_zone))
    return to_instant(local.replace(day=1, hour=0, minute=0, second=0, microsecond=0))
