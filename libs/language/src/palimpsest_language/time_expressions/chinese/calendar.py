"""Chinese days, weeks, months, years and holidays."""

import re
from collections.abc import Callable
from datetime import date

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.chinese.numbered_things import is_numbered_thing
from palimpsest_language.time_expressions.habits import is_habit
from palimpsest_language.time_expressions.holidays import (
    HOLIDAYS,
    find_holiday,
    find_nearest_holiday,
)
from palimpsest_language.time_expressions.numerals import parse_chinese_number
from palimpsest_language.time_expressions.phrases import PhraseMeaning, TimePhrase
from palimpsest_language.time_expressions.recurrence import WEEKEND, WEEKLY, Recurrence
from palimpsest_language.time_expressions.spans import CalendarSpan, SpanResolver

NUMBER = r"(?:[0-9]{1,3}|[一二两三四五六七八九十]{1,3})"
WEEK = r"(?:周|星期|礼拜)"
NOT_COUNTED = r"(?<![0-9一二两三四五六七八九十每几第个])"

_DAYS = {
    "大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "今儿": 0,
    "昨儿": -1, "前儿": -2, "后儿": 2,
    "明天": 1, "明日": 1, "明儿": 1, "后天": 2, "後天": 2, "大后天": 3,
}  # fmt: skip
_WEEKS = {
    "上上": -2,
    "上": -1,
    "这": 0,
    "本": 0,
    "这一": 0,
    "上一": -1,
    "下": 1,
    "下一": 1,
    "下下": 2,
}
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2, "大后年": 3}
_OFFSET = r"(?P<offset>上上|下下|上一?|下一?|这一?|本)个?"
_UNITS = {
    "秒": "second", "秒钟": "second", "分钟": "minute", "小时": "hour", "钟头": "hour",
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month",
    "年": "year",
}  # fmt: skip
_UNIT = r"个?(?P<unit>秒钟?|分钟|小时|钟头|天|日|周|星期|礼拜|月|年)"
_HALF = {"小时": ("minute", 30), "月": ("day", 15), "年": ("month", 6)}
_SEASONS = "春夏秋冬"
DAY_IN_FIGURES = (
    r"(?P<day>[12][0-9]|3[01]|0?[1-9])(?![0-9.%:：/-])(?=$|[^\u4e00-\u9fff]|(?!"
    r"(?!元宵)[点时分个块元岁年月人次天份名家条台位斤公度米])[\u4e00-\u9fff])"
)
"""Of a month, where the word for a day is left out: 5月23，南京站."""
DAY_IN_WORDS = (
    r"(?P<day>二十[一二三四五六七八九]?|三十一?|十[一二三四五六七八九]?)"
    r"(?![0-9一二三四五六七八九十几多余号日](?!早|大早)|"
    r"(?!元宵)[点时分个块元岁年月人次天份名家条台位斤公度米万千百种件篇套张本场])"
)
"""The same in characters: 九月十八, and a number from ten on, for 三月一 says nothing."""
_YEAR = (
    r"(?:(?P<named>大前年|前年|去年|今年|明年|大后年|后年)|(?P<year>[12][0-9]{3}"
    r"|[一二][〇零一二三四五六七八九]{3})年)"
)
_AGE = r"\s?[0-9一二三四五六七八九十]+多?岁"
_AMBIGUOUS_HOLIDAYS = frozenset({"十一", "五一", "六一", "过年"})
_HOLIDAY = "|".join(
    sorted((name for name in HOLIDAYS if not name.isascii()), key=len, reverse=True)
)


def _simply(resolve: SpanResolver) -> PhraseMeaning:
    return PhraseMeaning(resolve=resolve)


def _day(match: re.Match[str]) -> PhraseMeaning:
    from_today = _DAYS[match["day"]]
    return _simply(lambda said: spans.shift_by_units(said, "day", from_today))


def _ago(match: re.Match[str]) -> PhraseMeaning:
    sign = -1 if match["way"].endswith("前") else 1
    if match["half"]:
        unit, count = _HALF[match["half"]]
    else:
        unit, count = _UNITS[match["unit"]], parse_chinese_number(match["count"])
    return _simply(lambda said: spans.shift_by_units(said, unit, sign * count))


def _around(match: re.Match[str]) -> PhraseMeaning | None:
    sign = -1 if match["way"] in {"未来", "接下来"} else 1
    unit, count = _UNITS[match["unit"]], parse_chinese_number(match["count"])
    if unit in {"second", "minute", "hour"}:
        return None
    return _simply(lambda said: spans.span_around_now(said, unit, sign * count))


def _week_day(match: re.Match[str]) -> PhraseMeaning:
    weekday = parse_chinese_number(match["weekday"]) - 1
    if match["offset"] is None:
        if is_habit(match.string, *match.span()):
            return PhraseMeaning(recurrence=Recurrence(WEEKLY, 1, (weekday,)))
        return _simply(lambda said: spans.nearest_weekday(said, weekday))
    offset = _WEEKS[match["offset"]]
    return _simply(lambda said: spans.day_of_week(said, offset, weekday))


def _week(match: re.Match[str]) -> PhraseMeaning:
    offset = _WEEKS[match["offset"]]
    if match["end"]:
        return _simply(lambda said: spans.weekend(said, offset))
    return _simply(lambda said: spans.week_span(said, offset))


def _weekend(match: re.Match[str]) -> PhraseMeaning:
    if is_habit(match.string, *match.span()):
        return PhraseMeaning(recurrence=Recurrence(WEEKLY, 1, WEEKEND))
    return _simply(spans.nearest_weekend)


def _quarter(match: re.Match[str]) -> PhraseMeaning:
    offset = _WEEKS[match["offset"]]
    return _simply(lambda said: spans.quarter_from(said, offset))


_PARTS_OF_MONTH: dict[str, Callable[[date], CalendarSpan]] = {
    "初": spans.day_span,
    "中": lambda first: spans.day_span(first.replace(day=15)),
    "上旬": lambda first: spans.day_span(first, 10),
    "中旬": lambda first: spans.day_span(first.replace(day=11), 10),
    "下旬": lambda first: spans.rest_of_month_from(first, 21),
    "底": lambda first: spans.last_day_of(spans.month_of(first.year, first.month)),
    "尾": lambda first: spans.last_day_of(spans.month_of(first.year, first.month)),
    "末": lambda first: spans.last_day_of(spans.month_of(first.year, first.month)),
}


def _within_month(span: CalendarSpan, part: str | None, day: str | None) -> CalendarSpan | None:
    first = span.start.date()
    if day:
        return spans.find_date(first.year, first.month, parse_chinese_number(day))
    return _PARTS_OF_MONTH[part](first) if part in _PARTS_OF_MONTH else span


def _month(match: re.Match[str]) -> PhraseMeaning:
    offset = _WEEKS[match["offset"]] if match["offset"] else 0
    part, day = match["part"], match["day"]
    return _simply(lambda said: _within_month(spans.month_from(said, offset), part, day))


def read_named_month(match: re.Match[str]) -> PhraseMeaning | None:
    month = 1 if match["month"] == "元" else parse_chinese_number(match["month"])
    if not 1 <= month <= 12:
        return None
    part, day = match["part"], match["day"]
    if day:
        return PhraseMeaning(
            resolve=lambda said: spans.nearest_date(said, month, parse_chinese_number(day)),
            recurs_yearly=True,
        )
    return _simply(lambda said: _within_month(spans.nearest_month(said, month), part, None))


def _weekday_of_month(match: re.Match[str]) -> PhraseMeaning | None:
    weekday = parse_chinese_number(match["weekday"]) - 1
    which = -1 if match["last"] else parse_chinese_number(match["which"])
    if match["offset"]:
        offset = _WEEKS[match["offset"]]
        return _simply(
            lambda said: spans.weekday_of_month(spans.month_from(said, offset), weekday, which)
        )
    month = parse_chinese_number(match["month"])
    if not 1 <= month <= 12:
        return None
    return _simply(
        lambda said: spans.weekday_of_month(spans.nearest_month(said, month), weekday, which)
    )


def _day_of_month(match: re.Match[str]) -> PhraseMeaning | None:
    day = parse_chinese_number(match["day"])
    if not 1 <= day <= 31 or is_numbered_thing(match.string, match.start(), match.end()):
        return None
    return _simply(lambda said: spans.nearest_day_of_month(said, day))


def _edge_of_year(edge: str, year: int) -> CalendarSpan:
    if edge == "中":
        return spans.month_of(year, 6, 2)
    return spans.month_of(year, 1 if edge == "初" else 12)


_PARTS_OF_YEAR: dict[str, Callable[[str, int], CalendarSpan | None]] = {
    "half": lambda half, year: spans.half_of(year, 1 if half == "上" else 2),
    "quarter": lambda quarter, year: spans.quarter_of(year, parse_chinese_number(quarter)),
    "q": lambda quarter, year: spans.quarter_of(year, int(quarter)),
    "season": lambda season, year: spans.season_of(year, _SEASONS.index(season)),
    "vacation": lambda _vacation, year: spans.month_of(year, 7, 2),
    "holiday": find_holiday,
    "edge": _edge_of_year,
}


def _of_year(match: re.Match[str]) -> PhraseMeaning | None:
    found = match.groupdict()
    if found["month"] and not 1 <= parse_chinese_number(found["month"]) <= 12:
        return None
    if found["year"]:
        year = parse_chinese_number(found["year"])
        return _simply(lambda _said: _within_year(found, year))
    offset = _YEARS[found["named"]] if found["named"] else 0
    return _simply(lambda said: _within_year(found, said.today.year + offset))


def _this_day_of_year(match: re.Match[str]) -> PhraseMeaning:
    offset = _YEARS[match["named"]]
    return _simply(
        lambda said: spans.find_date(said.today.year + offset, said.today.month, said.today.day)
    )


def _within_year(found: dict[str, str | None], year: int) -> CalendarSpan | None:
    if month := found["month"]:
        return _within_month(
            spans.month_of(year, parse_chinese_number(month)), found["part"], found["day"]
        )
    for name, part in _PARTS_OF_YEAR.items():
        if words := found[name]:
            return part(words, year)
    return spans.year_of(year)


def _holiday(match: re.Match[str]) -> PhraseMeaning | None:
    name = match["holiday"]
    if name in _AMBIGUOUS_HOLIDAYS and match["plainly"] is None:
        return None
    return PhraseMeaning(resolve=lambda said: find_nearest_holiday(said, name), recurs_yearly=True)


def _phrase(pattern: str, meaning: Callable[[re.Match[str]], PhraseMeaning | None]) -> TimePhrase:
    return TimePhrase(re.compile(pattern), meaning)


_PART_OF_MONTH = (
    r"(?P<part>份|初|中旬|上旬|下旬|中(?![午间])|底|末|尾(?![声巴随款]))?(?:(?P<day>"
    rf"{NUMBER})[号日])?"
)

CHINESE = (
    _phrase(
        (
            r"(?P<day>大前天|大后天|前天(?!线)|后天(?![性的]|培养)|前日|[昨今明][天日]"
            r"|[今明昨前后]儿(?![子女媳童歌科]))(?!向上)"
        ),
        _day,
    ),
    _phrase(
        r"(?:从?(?:今天|现在)(?:起|开始|算起)?，?)?"
        rf"(?:(?P<count>{NUMBER}){_UNIT}|(?<!个)半个?(?P<half>小时|月|年))(?:多|左右)?"
        r"(?P<way>之?前|以前|之?后|以后|过后)(?![面者端台])",
        _ago,
    ),
    _phrase(
        rf"(?P<way>最近|过去|近|这|未来|接下来)的?(?P<count>{NUMBER}){_UNIT}(?![前后之以])", _around
    ),
    _phrase(
        rf"(?:{_OFFSET}|{NOT_COUNTED}){WEEK}(?P<weekday>[一二三四五六日天])(?![个些])", _week_day
    ),
    _phrase(rf"再过(?P<count>{NUMBER}){_UNIT}(?P<way>)(?P<half>)", _ago),
    _phrase(rf"{_OFFSET}{WEEK}(?P<end>末)?", _week),
    _phrase(rf"{_OFFSET}季度", _quarter),
    _phrase(r"(?<![每个])周末(?!愉快|快乐|好)", _weekend),
    _phrase(rf"{_OFFSET}月{_PART_OF_MONTH}", _month),
    _phrase(
        (
            r"(?P<offset>)(?<![0-9一二三四五六七八九十个每正腊冬])月(?P<part>初|中"
            r"(?![午间])|底|末|尾(?![声巴随款]))(?P<day>)"
        ),
        _month,
    ),
    _phrase(
        rf"{NOT_COUNTED}(?<![农阴闰]历)(?<!闰)(?P<month>{NUMBER})月{_PART_OF_MONTH}",
        read_named_month,
    ),
    _phrase(
        rf"(?:{_OFFSET}月|{NOT_COUNTED}(?P<month>{NUMBER})月份?)的?(?:第"
        r"(?P<which>[一二三四五])个?|(?P<last>最后)一?个?)"
        rf"{WEEK}(?P<weekday>[一二三四五六日天])",
        _weekday_of_month,
    ),
    _phrase(
        r"(?<![0-9一二两三四五六七八九十每几第.:：月编型订单账工尾])(?<!字体)(?<!字号)(?P<day>"
        rf"{NUMBER})号"
        r"(?![线楼院门店机码文公房车选桌床字位球]|的?\s?(?!Q[1-4])[A-Za-z]{2})",
        _day_of_month,
    ),
    _phrase(
        (
            r"(?P<named>大前年|前年|去年|今年|明年|大后年|后年)(?P<year>)(?P<half>)(?P<quarter>)"
            r"(?P<q>)(?P<season>)(?P<vacation>)(?P<holiday>)(?P<edge>)(?P<part>)(?P<month>"
            rf"{NUMBER})月{DAY_IN_FIGURES}"
        ),
        _of_year,
    ),
    _phrase(
        (
            r"(?P<named>大前年|前年|去年|今年|明年|大后年|后年)(?P<year>)(?P<half>)(?P<quarter>)"
            r"(?P<q>)(?P<season>)(?P<vacation>)(?P<holiday>)(?P<edge>)(?P<part>)(?P<month>"
            rf"{NUMBER})月{DAY_IN_WORDS}"
        ),
        _of_year,
    ),
    _phrase(rf"(?P<month>元)月{_PART_OF_MONTH}", read_named_month),
    _phrase(r"(?P<named>前年|去年|明年)的?今[天日](?!的)", _this_day_of_year),
    _phrase(
        (
            r"(?<![0-9月.])(?P<day>[12][0-9]|3[01]|[1-9])\s?日"
            r"(?![内游均间本元语文报志期程后常用子新夜记产活复])"
        ),
        _day_of_month,
    ),
    _phrase(
        rf"{_YEAR}的?(?:(?P<month>{NUMBER})月{_PART_OF_MONTH}|(?P<half>[上下])半年"
        r"|第?(?:(?P<quarter>[一二三四1-4])季度|[Qq](?P<q>[1-4]))|(?P<season>[春夏秋冬])"
        r"(?!节)[天季]?|(?P<vacation>暑假)"
        rf"|(?P<holiday>{_HOLIDAY})|年?(?P<edge>[初底末]|中(?![国午])))?(?!{_AGE}|同期)",
        _of_year,
    ),
    _phrase(
        r"(?P<named>)(?P<year>)(?P<month>)(?P<part>)(?P<day>)(?P<quarter>)(?P<q>)(?P<season>)"
        r"(?P<holiday>)"
        r"(?:(?P<half>[上下])半年|(?<![0-9今去明前后一二三四五六七八九十〇零])年"
        r"(?P<edge>[初中底末])(?!国)"
        r"|(?P<vacation>暑假))",
        _of_year,
    ),
    _phrase(
        (
            rf"(?P<holiday>{_HOLIDAY})(?P<plainly>假期|长假|黄金周|期间|放假|那[天会阵]|当天|"
            r"(?=(?:我们?|咱们?|用户|大家|全家|一家[子人三四五]?口?|都|也|就)*(?:[去回飞]|带|陪|跟)|请假|要(?!求)|[想打准前后休出办结]|之[前后]|到))?"
        ),
        _holiday,
    ),
)
