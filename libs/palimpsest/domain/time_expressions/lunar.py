"""Days by the moon: 农历八月十五, 腊月二十八, 正月初五."""

import re

from borax.calendars.lunardate import LunarDate

from palimpsest.domain.time_expressions import spans
from palimpsest.domain.time_expressions.holidays import KNOWN_YEARS
from palimpsest.domain.time_expressions.numerals import chinese_number
from palimpsest.domain.time_expressions.piece import Meaning, Phrase
from palimpsest.domain.time_expressions.spans import Said, Span

_NAMED_MONTHS = {"正": 1, "冬": 11, "腊": 12, "臘": 12}
_DAY = r"(?P<day>初[一二三四五六七八九十]|[二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[12]?[0-9]|30)[日号]?"


def _day(match: re.Match[str]) -> Meaning | None:
    found = match.groupdict()
    month = _NAMED_MONTHS.get(found["month"]) or chinese_number(found["month"])
    written = found["day"].removeprefix("初").replace("廿", "二十")
    day = chinese_number(written)
    if not (1 <= month <= 12 and 1 <= day <= 30):
        return None
    return Meaning(resolve=lambda said: _nearest(said, month, day))


def _day_of_first_month(match: re.Match[str]) -> Meaning:
    day = chinese_number(match["day"])
    return Meaning(resolve=lambda said: _nearest(said, 1, day))


def _nearest(said: Said, month: int, day: int) -> Span | None:
    """The days of a year by the moon begin and end in the February of the next."""
    this = said.today.year
    years = (this, this - 1, this - 2) if said.looks_back else (this - 1, this, this + 1)
    for year in years:
        if year not in KNOWN_YEARS:
            continue
        try:
            found = LunarDate(year, month, day).to_solar_date()
        except ValueError:  # this month has 29 days in that year
            continue
        if found <= said.today if said.looks_back else found >= said.today:
            return spans.days(found)
    return None


LUNAR = (
    Phrase(
        re.compile(
            rf"(?:农历|阴历|農曆|陰曆)的?(?P<month>[正冬腊臘]|1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月{_DAY}"
        ),
        _day,
    ),
    Phrase(re.compile(rf"(?P<month>[正冬腊臘])月{_DAY}"), _day),
    Phrase(re.compile(r"(?:大年)初(?P<day>[一二三四五六七八九十])"), _day_of_first_month),
    Phrase(re.compile(r"(?<![月年])初(?P<day>[四五六七八九十])(?!中|次|级)"), _day_of_first_month),
)
