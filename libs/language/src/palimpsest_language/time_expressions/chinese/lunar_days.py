"""Days by the moon: 农历八月十五, 腊月二十八, 正月初五."""

import re

from borax.calendars.lunardate import LunarDate

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.holidays import KNOWN_YEARS
from palimpsest_language.time_expressions.numerals import parse_chinese_number
from palimpsest_language.time_expressions.phrases import PhraseMeaning, TimePhrase
from palimpsest_language.time_expressions.spans import CalendarSpan, SpeechTime

_NAMED_MONTHS = {"正": 1, "冬": 11, "腊": 12, "臘": 12}
_DAY = (
    r"(?P<day>初[一二三四五六七八九十]|[二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?"
    r"|[12]?[0-9]|30)[日号]?"
)


def _day(match: re.Match[str]) -> PhraseMeaning | None:
    found = match.groupdict()
    month = _NAMED_MONTHS.get(found["month"]) or parse_chinese_number(found["month"])
    written = found["day"].removeprefix("初").replace("廿", "二十")
    day = parse_chinese_number(written)
    if not (1 <= month <= 12 and 1 <= day <= 30):
        return None
    return PhraseMeaning(resolve=lambda said: _nearest(said, month, day))


def _day_of_first_month(match: re.Match[str]) -> PhraseMeaning:
    day = parse_chinese_number(match["day"])
    return PhraseMeaning(resolve=lambda said: _nearest(said, 1, day))


def _nearest(said: SpeechTime, month: int, day: int) -> CalendarSpan | None:
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
            return spans.day_span(found)
    return None


LUNAR = (
    TimePhrase(
        re.compile(
            r"(?:农历|阴历|農曆|陰曆)的?(?P<month>[正冬腊臘]|1[0-2]|[1-9]|十[一二]?"
            rf"|[一二三四五六七八九])月{_DAY}"
        ),
        _day,
    ),
    TimePhrase(re.compile(rf"(?P<month>[正冬腊臘])月{_DAY}"), _day),
    TimePhrase(re.compile(r"(?:大年)初(?P<day>[一二三四五六七八九十])"), _day_of_first_month),
    TimePhrase(
        re.compile(r"(?<![月年])初(?P<day>[四五六七八九十])(?!中|次|级)"), _day_of_first_month
    ),
)
