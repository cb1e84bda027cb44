"""Days with a name: by the calendar, by the moon, or by a rule of their own."""

from collections.abc import Callable
from datetime import date, timedelta

from borax.calendars.lunardate import LunarDate, TermUtils
from dateutil.easter import easter
from dateutil.relativedelta import MO, SU, TH, relativedelta, weekday

from palimpsest_language.time_expressions.spans import CalendarSpan, SpeechTime, day_span

HolidayRule = Callable[[int], date]
"""Returns the day of the holiday in a year."""


def _fixed(month: int, day: int) -> HolidayRule:
    return lambda year: date(year, month, day)


def _lunar(month: int, day: int) -> HolidayRule:
    def of(year: int) -> date:
        solar: date = LunarDate(year, month, day).to_solar_date()
        return solar

    return of


def _new_years_eve_by_the_moon(year: int) -> date:
    return _lunar(1, 1)(year) - timedelta(days=1)


def _thanksgiving(year: int) -> date:
    day: date = date(year, 11, 1) + relativedelta(weekday=TH(+4))
    return day


def _weekday_in(month: int, which: weekday) -> HolidayRule:
    def of(year: int) -> date:
        last = which.n is not None and which.n < 0
        day: date = date(year, month, 31 if last else 1) + relativedelta(weekday=which)
        return day

    return of


def _black_friday(year: int) -> date:
    return _thanksgiving(year) + timedelta(days=1)


def _good_friday(year: int) -> date:
    day: date = easter(year) - timedelta(days=2)
    return day


def _easter_monday(year: int) -> date:
    day: date = easter(year) + timedelta(days=1)
    return day


def _ascension(year: int) -> date:
    day: date = easter(year) + timedelta(days=39)
    return day


def _whit_monday(year: int) -> date:
    day: date = easter(year) + timedelta(days=50)
    return day


def _easter_saturday(year: int) -> date:
    day: date = easter(year) - timedelta(days=1)
    return day


def _pancake_day(year: int) -> date:
    day: date = easter(year) - timedelta(days=47)
    return day


def _solar_term(name: str) -> HolidayRule:
    def of(year: int) -> date:
        day: date = TermUtils.nth_term_day(year, term_name=name)
        return day

    return of


_MOTHERS_DAY, _FATHERS_DAY = _weekday_in(5, SU(+2)), _weekday_in(6, SU(+3))

HOLIDAYS: dict[str, HolidayRule] = {
    "母亲节": _MOTHERS_DAY,
    "父亲节": _FATHERS_DAY,
    "教师节": _fixed(9, 10),
    "万圣节": _fixed(10, 31),
    "感恩节": _thanksgiving,
    "双十二": _fixed(12, 12),
    "双11": _fixed(11, 11),
    "双12": _fixed(12, 12),
    "腊八": _lunar(12, 8),
    "mother's day": _MOTHERS_DAY,
    "father's day": _FATHERS_DAY,
    "memorial day": _weekday_in(5, MO(-1)),
    "labor day": _weekday_in(9, MO(+1)),
    "labour day": _fixed(5, 1),
    "black friday": _black_friday,
    "boxing day": _fixed(12, 26),
    "new year's": _fixed(1, 1),
    "元旦": _fixed(1, 1),
    "除夕": _new_years_eve_by_the_moon,
    "春节": _lunar(1, 1),
    "过年": _lunar(1, 1),
    "大年初一": _lunar(1, 1),
    "元宵": _lunar(1, 15),
    "元宵节": _lunar(1, 15),
    "情人节": _fixed(2, 14),
    "妇女节": _fixed(3, 8),
    "清明": _solar_term("清明"),
    "清明节": _solar_term("清明"),
    "立春": _solar_term("立春"),
    "立夏": _solar_term("立夏"),
    "夏至": _solar_term("夏至"),
    "立秋": _solar_term("立秋"),
    "冬至": _solar_term("冬至"),
    "立冬": _solar_term("立冬"),
    "五一": _fixed(5, 1),
    "劳动节": _fixed(5, 1),
    "儿童节": _fixed(6, 1),
    "六一": _fixed(6, 1),
    "端午": _lunar(5, 5),
    "端午节": _lunar(5, 5),
    "七夕": _lunar(7, 7),
    "中元节": _lunar(7, 15),
    "小年": _lunar(12, 23),
    "青年节": _fixed(5, 4),
    "光棍节": _fixed(11, 11),
    "双十": _fixed(10, 10),
    "中秋": _lunar(8, 15),
    "中秋节": _lunar(8, 15),
    "重阳节": _lunar(9, 9),
    "国庆": _fixed(10, 1),
    "国庆节": _fixed(10, 1),
    "十一": _fixed(10, 1),
    "双十一": _fixed(11, 11),
    "平安夜": _fixed(12, 24),
    "圣诞": _fixed(12, 25),
    "圣诞节": _fixed(12, 25),
    "跨年夜": _fixed(12, 31),
    "new year's day": _fixed(1, 1),
    "valentine's day": _fixed(2, 14),
    "chinese new year": _lunar(1, 1),
    "lunar new year": _lunar(1, 1),
    "spring festival": _lunar(1, 1),
    "mid-autumn festival": _lunar(8, 15),
    "easter": easter,
    "good friday": _good_friday,
    "easter sunday": easter,
    "gandhi jayanti": _fixed(10, 2),
    "republic day": _fixed(1, 26),
    "easter saturday": _easter_saturday,
    "ascension day": _ascension,
    "ascension": _ascension,
    "whit monday": _whit_monday,
    "all saints": _fixed(11, 1),
    "all souls": _fixed(11, 2),
    "twelfth night": _fixed(1, 5),
    "epiphany": _fixed(1, 6),
    "may day": _fixed(5, 1),
    "may bank holiday": _weekday_in(5, MO(+1)),
    "august bank holiday": _weekday_in(8, MO(-1)),
    "pentecost monday": _whit_monday,
    "st patricks day": _fixed(3, 17),
    "st. patrick's day": _fixed(3, 17),
    "paddy's day": _fixed(3, 17),
    "pancake day": _pancake_day,
    "shrove tuesday": _pancake_day,
    "st patrick's day": _fixed(3, 17),
    "valentines day": _fixed(2, 14),
    "valentines": _fixed(2, 14),
    "juneteenth": _fixed(6, 19),
    "canada day": _fixed(7, 1),
    "anzac day": _fixed(4, 25),
    "australia day": _fixed(1, 26),
    "bonfire night": _fixed(11, 5),
    "veterans day": _fixed(11, 11),
    "mlk day": _weekday_in(1, MO(+3)),
    "columbus day": _weekday_in(10, MO(+2)),
    "presidents day": _weekday_in(2, MO(+3)),
    "new years day": _fixed(1, 1),
    "new years eve": _fixed(12, 31),
    "xmas": _fixed(12, 25),
    "xmas eve": _fixed(12, 24),
    "easter monday": _easter_monday,
    "new year": _fixed(1, 1),
    "new years": _fixed(1, 1),
    "mothers day": _MOTHERS_DAY,
    "fathers day": _FATHERS_DAY,
    "independence day": _fixed(7, 4),
    "halloween": _fixed(10, 31),
    "thanksgiving": _thanksgiving,
    "christmas eve": _fixed(12, 24),
    "christmas": _fixed(12, 25),
    "christmas day": _fixed(12, 25),
    "new year's eve": _fixed(12, 31),
}


KNOWN_YEARS = range(1901, 2100)
"""Years of the lunar calendar."""


def find_holiday(name: str, year: int) -> CalendarSpan | None:
    return day_span(HOLIDAYS[name](year)) if year in KNOWN_YEARS else None


_MOTHERING_SUNDAY = -21
"""Days from Easter."""


def _mothering_sunday(year: int) -> date:
    day: date = easter(year) + timedelta(days=_MOTHERING_SUNDAY)
    return day


_BRITISH_ISLES = ("Europe/London", "Europe/Dublin")
_DOWN_UNDER = ("Australia/", "Pacific/Auckland")
_INDIA = ("Asia/Kolkata", "Asia/Calcutta")
_CANADA = (
    "America/Toronto",
    "America/Vancouver",
    "America/Edmonton",
    "America/Winnipeg",
    "America/Regina",
    "America/Halifax",
    "America/Montreal",
)
_ELSEWHERE: tuple[tuple[tuple[str, ...], frozenset[str], HolidayRule], ...] = (
    (("America/",), frozenset({"labour day"}), _weekday_in(9, MO(+1))),
    (_CANADA, frozenset({"thanksgiving"}), _weekday_in(10, MO(+2))),
    (_DOWN_UNDER, frozenset({"father's day", "fathers day"}), _weekday_in(9, SU(+1))),
    (_BRITISH_ISLES, frozenset({"mother's day", "mothers day"}), _mothering_sunday),
    (_INDIA, frozenset({"independence day"}), _fixed(8, 15)),
)
"""Holidays with another day in other parts of the world, by the speaker's time zone."""


def _day_of(name: str, zone: str) -> HolidayRule:
    for zones, names, day in _ELSEWHERE:
        if name in names and zone.startswith(zones):
            return day
    return HOLIDAYS[name]


def find_nearest_holiday(said: SpeechTime, name: str) -> CalendarSpan | None:
    years = (0, -1) if said.looks_back else (0, 1)
    for year in years:
        day = _day_of(name, said.zone)(said.today.year + year)
        if day <= said.today if said.looks_back else day >= said.today:
            return day_span(day)
    return None
