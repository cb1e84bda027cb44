"""Chinese shorthand: 19年, 4/28, 三季度, 下班前, 五月3-5号, 年前."""

import re

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.chinese.calendar import (
    DAY_IN_FIGURES,
    DAY_IN_WORDS,
    NOT_COUNTED,
    NUMBER,
    read_named_month,
)
from palimpsest_language.time_expressions.chinese.numbered_things import is_numbered_thing
from palimpsest_language.time_expressions.clock_time import ClockTime
from palimpsest_language.time_expressions.holidays import find_nearest_holiday
from palimpsest_language.time_expressions.numerals import parse_chinese_number
from palimpsest_language.time_expressions.phrases import PhraseMeaning, TimePhrase
from palimpsest_language.time_expressions.spans import CalendarSpan, SpeechTime

_CENTURY_TURNS = 50
"""98年 is 1998, 19年 is 2019."""
END_OF_WORK = ClockTime(18, exact=True)

_DEED_OF_A_YEAR = (
    r"(?=[底末初春夏秋冬]|[一二三四五六七八九十0-9]{1,2}月|(?:[我他她就才刚]|的时候)*"
    r"(?:毕业|出生|生(?=$|[，。,\s])|生的|生人|入职|入行|结婚|结的|离婚|开始|搬|来的?|去的?|买|到"
    r"|换|退休|考|成立|认识|在|回|跟|学|进|当|接手|嫁|下岗|创业|转行|移民|的"
    r"(?=[。！!，,；;～~\s]|$)))"
)

_SHORT = r"(?:[0-9]{2}|[〇零一二三四五六七八九]{2})"
_PART = (
    r"(?P<part>[底末初](?![一二三中高])|[春夏秋冬](?:天|季)?|[0-9一二三四五六七八九十]{1,2}月"
    r"(?:[0-9一二三四五六七八九十]{1,3}[号日]|(?:[12][0-9]|3[01]|0?[1-9])"
    r"(?![0-9.%:：/-]|[点时分个块元岁年月人次天份名家]))?)?"
)
_IN_FIGURES = r"(?P<month>1[0-2]|0?[1-9])[.-](?P<day>[12][0-9]|3[01]|0?[1-9])"


def _year(match: re.Match[str]) -> PhraseMeaning:
    found = match.groupdict()
    short = parse_chinese_number(found["short"] or found["zero"])
    year = short + (1900 if short >= _CENTURY_TURNS else 2000)
    part = found["part"]
    if not part:
        return PhraseMeaning(resolve=lambda _said: spans.year_of(year))
    if part in {"底", "末"}:
        return PhraseMeaning(resolve=lambda _said: spans.month_of(year, 12))
    if part == "初":
        return PhraseMeaning(resolve=lambda _said: spans.month_of(year, 1))
    if part[0] in "春夏秋冬":
        season = "春夏秋冬".index(part[0])
        return PhraseMeaning(resolve=lambda _said: spans.season_of(year, season))
    month, _, day = part.partition("月")
    return PhraseMeaning(resolve=lambda _said: _in_year(year, parse_chinese_number(month), day))


def _in_year(year: int, month: int, day: str) -> CalendarSpan | None:
    if not 1 <= month <= 12:
        return spans.year_of(year)
    number = day.rstrip("号日")
    return (
        spans.find_date(year, month, parse_chinese_number(number))
        if number
        else spans.month_of(year, month)
    )


def _date(match: re.Match[str]) -> PhraseMeaning | None:
    month, day = int(match["month"]), int(match["day"])
    return PhraseMeaning(
        resolve=lambda said: spans.nearest_date(said, month, day), recurs_yearly=True
    )


def _days(match: re.Match[str]) -> PhraseMeaning | None:
    month, first, last = (parse_chinese_number(match[name]) for name in ("month", "first", "last"))
    if not 1 <= month <= 12 or first > last:
        return None
    return PhraseMeaning(resolve=lambda said: _from_to(said, month, first, last))


def _from_to(said: SpeechTime, month: int, first: int, last: int) -> CalendarSpan | None:
    begins = spans.nearest_date(said, month, first)
    if begins is None:
        return None
    ends = spans.find_date(begins.start.year, month, last)
    return None if ends is None else begins.until(ends)


def _day_behind(match: re.Match[str]) -> PhraseMeaning | None:
    day = parse_chinese_number(match["day"])
    if not 1 <= day <= 31 or is_numbered_thing(match.string, match.start(), match.end()):
        return None
    return PhraseMeaning(resolve=lambda said: spans.nearest_day_of_month(said, day))


def _quarter(match: re.Match[str]) -> PhraseMeaning:
    quarter = parse_chinese_number(match["quarter"] or match["q"])

    def resolve(said: SpeechTime) -> CalendarSpan:
        span = spans.nearest_quarter(said, quarter)
        return spans.last_day_of(span) if match["edge"] else span

    return PhraseMeaning(resolve=resolve)


_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}


def _shopping_day(match: re.Match[str]) -> PhraseMeaning:
    """618, and 520 for those who love each other."""
    month, day = (5, 20) if match["lover"] else (6, 18)
    if match["named"] is None:
        return PhraseMeaning(
            resolve=lambda said: spans.nearest_date(said, month, day), recurs_yearly=True
        )
    offset = _YEARS[match["named"]]
    return PhraseMeaning(resolve=lambda said: spans.find_date(said.today.year + offset, month, day))


def _winter_holiday(_match: re.Match[str]) -> PhraseMeaning:
    return PhraseMeaning(
        resolve=lambda said: spans.month_of(spans.nearest_month(said, 1).start.year, 1, 2)
    )


def _and_a_half(match: re.Match[str]) -> PhraseMeaning:
    minutes = 60 * parse_chinese_number(match["count"]) + 30
    return PhraseMeaning(resolve=lambda said: spans.shift_by_units(said, "minute", minutes))


def _in_days(match: re.Match[str]) -> PhraseMeaning:
    unit, count = {"天": "day", "周": "week"}[match["unit"]], parse_chinese_number(match["count"])
    return PhraseMeaning(resolve=lambda said: spans.shift_by_units(said, unit, count))


CHINESE_OFFHAND = tuple(
    TimePhrase(re.compile(pattern), meaning)
    for pattern, meaning in (
        (
            (
                r"(?<![0-9一二两三四五六七八九十每几第])(?<![农阴闰]历)(?<!闰)"
                rf"(?P<month>[0-9]{{1,2}})月(?P<part>){DAY_IN_FIGURES}"
            ),
            read_named_month,
        ),
        (
            (
                rf"{NOT_COUNTED}(?<![农阴闰]历)(?<!闰)(?P<month>十[一二]?|[一二三四五六七八九])月"
                rf"(?P<part>){DAY_IN_WORDS}"
            ),
            read_named_month,
        ),
        (
            rf"(?<![0-9一二三四五六七八九十〇零两几])(?P<short>{_SHORT})年{_DEED_OF_A_YEAR}{_PART}",
            _year,
        ),
        (
            (
                r"(?<![0-9一二三四五六七八九十〇零两几了过近满整约干做住有学教开用养等卖当共去今])"
                rf"(?P<short>{_SHORT})年(?P<part>)(?=[^，。,；;\s0-9年前后]{{1,6}}的"
                r"(?=[。！!，,；;～~\s]|$)|(?:我|他|她|咱|自己)(?!们?[都就]?[已快])|"
                r"(?:小学|初中|高中|大学|大专|中专)(?:没|毕业|考)|那[年会次场届])"
            ),
            _year,
        ),
        (
            (
                rf"(?<![0-9一二三四五六七八九十〇零两几])(?:(?<=[从自打到])(?P<short>{_SHORT})|"
                rf"(?P<zero>[0零〇][一二三四五六七八九0-9]))年(?![前后级代]){_PART}"
            ),
            _year,
        ),
        (
            (
                r"(?<![0-9A-Za-z./:：-])(?P<month>1[0-2]|0?[1-9])/"
                r"(?P<day>[12][0-9]|3[01]|0?[1-9])(?![0-9A-Za-z./:：%-])"
            ),
            _date,
        ),
        (
            (
                rf"(?<![0-9A-Za-z./:：vV-]){_IN_FIGURES}(?=[号日]?\s?"
                r"(?:之?前|以前|要|上[午线]|下午|早上?|晚上?|中午|凌晨|周|出发|答辩|交|截止|开始"
                r"|回|去|到(?!\s?[0-9])|面试|考|开会|发布|发版|生日|入职))[号日]?"
            ),
            _date,
        ),
        (
            (
                rf"(?<![0-9一二三四五六七八九十])(?P<month>{NUMBER})月(?P<first>{NUMBER})[号日]?"
                rf"(?:-|–|—|~|～|到|至)(?P<last>{NUMBER})[号日]"
            ),
            _days,
        ),
        (rf"(?<=[到至~～—–-])(?P<day>{NUMBER})[日号]", _day_behind),
        (
            (
                r"(?<![上下这本每个0-9一二三四年])(?:第?(?P<quarter>[一二三四1-4])季度|"
                r"(?<![A-Za-z0-9])[Qq](?P<q>[1-4])(?![A-Za-z0-9]))(?P<edge>[底末])?"
            ),
            _quarter,
        ),
        (
            (
                r"(?P<named>大前年|前年|去年|今年|明年|后年)?(?:618|六一八|(?P<lover>520))"
                r"(?=那天|当天|大促|期间|之?前|活动|当晚|[那这]阵|要|发版|封网|正好)"
            ),
            _shopping_day,
        ),
        (r"寒假", _winter_holiday),
        (
            rf"(?<![0-9一二三四五六七八九十])(?P<count>{NUMBER})个半(?:小时|钟头)(?:之?后|以后)",
            _and_a_half,
        ),
        (
            (
                r"(?<![再超越通不经])过(?P<count>[0-9]{1,2}|[一二三四五六七八九十]{1,2})"
                r"(?P<unit>天|周)(?![了的前])"
            ),
            _in_days,
        ),
        (r"下班(?=之?前|以前)", lambda _: PhraseMeaning(clock=END_OF_WORK)),
        (
            r"(?<![0-9一二三四五六七八九十几多半零〇两数百千去今明前后来近])年(?=前(?![面后]))",
            lambda _: PhraseMeaning(resolve=lambda said: find_nearest_holiday(said, "除夕")),
        ),
    )
)
