"""Days that count from the day that was spoken of last: "that day", 前一天, "3 days before"."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from palimpsest.model.value_types import to_instant
from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.numerals import parse_english_number

_DAYS = timedelta(days=1)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

_ANCHORED = re.compile(
    r"(?P<that>\bthat (?:same )?(?:day|morning|afternoon|evening|night)\b|当天|那天|当晚|那晚)"
    r"|(?P<before>\bthe (?:day|night|evening) before\b|(?<!提)前一[天晚]|头一天)"
    r"|\bthe (?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day) (?P<way>after|before)"
    r"(?: that)?\b(?! (?:the|last|next|my|we|I)\b)"
    r"|\bby then\b|\b(?P<number>\d{1,2}|an?|one|two|three|four|five|six|seven|ten) "
    r"(?P<unit>day|week)s? (?:before|earlier|ahead)\b(?! I\b| we\b)",
    re.IGNORECASE,
)
"""The day of something else; a number without Chinese, where 提前三天 is the reminder's."""


def find_anchored_day(
    sentence: str, day_spoken_of: datetime | None, time_zone: str
) -> TimeExpression | None:
    """The first such day of the sentence; None where there is none, or nothing to count from."""
    if day_spoken_of is None or (match := _ANCHORED.search(sentence)) is None:
        return None
    local = day_spoken_of.astimezone(ZoneInfo(time_zone))
    local -= _back(match, local.weekday())
    begins = to_instant(local.replace(hour=0, minute=0, second=0, microsecond=0))
    return TimeExpression(
        words=match.group(),
        start=match.start(),
        starts_at=None if match.group().lower() == "by then" else begins,
        ends_at=begins + _DAYS,
        granularity=Granularity.DAY,
        all_day=True,
    )


def _back(match: re.Match[str], weekday: int) -> timedelta:
    """From the day that was spoken of; `weekday` is its own, from Monday on."""
    if match["before"]:
        return _DAYS
    if match["weekday"]:
        distance = _WEEKDAYS.index(match["weekday"][:3].lower()) - weekday
        return (
            ((-distance) % 7 or 7) * _DAYS
            if match["way"] == "before"
            else -(distance % 7 or 7) * _DAYS
        )
    if match["unit"] is None:
        return timedelta()
    unit = 7 * _DAYS if match["unit"].lower() == "week" else _DAYS
    return parse_english_number(match["number"]) * unit
