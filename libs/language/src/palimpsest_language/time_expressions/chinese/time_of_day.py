"""Chinese times of day, and recurrence."""

import re

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.chinese.calendar import NUMBER, WEEK
from palimpsest_language.time_expressions.clock_time import (
    AFTERNOON,
    EVENING,
    MORNING,
    NIGHT,
    NOON,
    ClockTime,
)
from palimpsest_language.time_expressions.numerals import parse_chinese_number
from palimpsest_language.time_expressions.phrases import PhraseMeaning, TimePhrase
from palimpsest_language.time_expressions.recurrence import (
    DAILY,
    MONTHLY,
    WEEKEND,
    WEEKLY,
    WORKING_DAYS,
    YEARLY,
    Recurrence,
)

_PARTS = {
    "凌晨": NIGHT, "半夜": NIGHT, "深夜": NIGHT, "清晨": MORNING, "早晨": MORNING, "早上": MORNING,
    "早": MORNING, "一早": MORNING, "一大早": MORNING, "大清早": MORNING, "上午": MORNING,
    "中午": NOON, "下午": AFTERNOON, "午后": AFTERNOON,
    "傍晚": EVENING, "晚上": EVENING, "夜里": EVENING, "晚": EVENING, "夜": EVENING,
}  # fmt: skip
_PART = (
    r"(?P<part>一大早|一早(?!就)|大清早|凌晨|半夜|深夜|清晨|早晨|早上|上午|中午|下午|午后|傍晚"
    r"|晚上|夜里"
    r"|(?<![今明昨后])[早晚](?=\s?(?:[0-9]{1,2}[点:：]|[一二三四五六七八九十]{1,2}点))"
    r"|(?<=[周期拜][一二三四五六日天])[早晚](?![就已饭餐点班]))"
)
_DAY_AND_PART = {"今": 0, "明": 1, "昨": -1, "后": 2}
_LEADS_TO_AN_HOUR = re.compile(
    r"(?:^|[，,。；;、\s]|[在就是定改约到日天号末前后晚早午一二三四五六])$"
)
_MINUTE = r"(?:[0-5][0-9](?![0-9])|[零〇][一二三四五六七八九]|[二三四五]?十[一二三四五六七八九]?)"
"""Without 分: 十点二十, 三点零五; 十点一对一 is at ten."""
_MINUTES = {"半": 30, "一刻": 15, "三刻": 45, "整": 0}


def _clock(match: re.Match[str]) -> PhraseMeaning | None:
    found = match.groupdict()
    hour, minute = parse_chinese_number(found["hour"]), 0
    if spoken := found.get("minute"):
        minute = _MINUTES[spoken] if spoken in _MINUTES else _number_of_minutes(spoken)
    if hour > 24 or minute > 59:
        return None
    plainly = found.get("plainly") is not None or found["hour"] == "零"
    weak = not (found["part"] or found.get("minute") or plainly)
    if not found["part"] and not minute and _counts_points(match):
        return None
    clock = ClockTime(hour, minute, _PARTS[found["part"]] if found["part"] else None)
    return PhraseMeaning(clock=clock, weak=weak)


def _from_hour_to_hour(match: re.Match[str]) -> PhraseMeaning | None:
    """9-11点: the word for an hour stands behind both."""
    hour, until = parse_chinese_number(match["hour"]), parse_chinese_number(match["until"])
    if not hour < until <= 24:
        return None
    part = _PARTS[match["part"]] if match["part"] else None
    return PhraseMeaning(clock=ClockTime(hour, 0, part, until=until))


def _number_of_minutes(spoken: str) -> int:
    return parse_chinese_number(spoken.removesuffix("分"))


def _counts_points(match: re.Match[str]) -> bool:
    """“小声一点吧”, “说三点”: no hour, unless the words begin with it or lead up to it."""
    if match.string[max(0, match.start() - 2) : match.start()] == "还是":
        return True  # as it was before: 还是七点
    if match["hour"] in {"一", "两", "二", "三"}:
        return match.groupdict().get("plainly") == ""
    ends = match.string[match.end() : match.end() + 1] in {"", "吧", "呢"}
    return ends and not _LEADS_TO_AN_HOUR.search(
        match.string, max(0, match.start() - 2), match.start()
    )


def _part(match: re.Match[str]) -> PhraseMeaning:
    return PhraseMeaning(clock=ClockTime(part=_PARTS[match["part"]]), weak=True)


def _day_and_part(match: re.Match[str]) -> PhraseMeaning:
    from_today = _DAY_AND_PART[match["day"]]
    return PhraseMeaning(
        resolve=lambda said: spans.shift_by_units(said, "day", from_today),
        clock=ClockTime(part=_PARTS[match["part"]]),
    )


_WEEKS = {"工作日": WORKING_DAYS, "周末": WEEKEND}


def _every(match: re.Match[str]) -> PhraseMeaning | None:
    found = match.groupdict()
    interval = parse_chinese_number(found["interval"]) if found["interval"] else 1
    interval += 1 if found["skipping"] else 0
    month_day = parse_chinese_number(found["month_day"]) if found["month_day"] else None
    month = parse_chinese_number(found["month"]) if found["month"] else None
    if (month_day or 1) > 31 or (month or 1) > 12:
        return None
    unit = found["unit"]
    if unit in {"天", "日", "晚", "晚上"}:
        return _recurring(Recurrence(DAILY, interval))
    if unit == "月":
        return _recurring(Recurrence(MONTHLY, interval, month_day=month_day))
    if unit == "年":
        return _recurring(Recurrence(YEARLY, interval, month=month, month_day=month_day))
    named = re.findall(r"[一二三四五六日天]", found["weekday"] or "")
    weekdays = tuple(parse_chinese_number(each) - 1 for each in named)
    return _recurring(Recurrence(WEEKLY, interval, weekdays or _WEEKS.get(unit or "", ())))


def _recurring(recurrence: Recurrence) -> PhraseMeaning:
    return PhraseMeaning(recurrence=recurrence)


CHINESE_CLOCK = (
    TimePhrase(
        re.compile(
            rf"(?:{_PART}的?)?(?:(?<![0-9一二三四五六七八九十第周期拜])|"
            rf"(?<=[周期拜][一二三四五六日天]))(?P<hour>零|{NUMBER})[点點时]"
            r"(?!间|候|代|刻|期|差|常|尚|评|击|名|赞|菜|餐|心)"
            rf"(?P<minute>半|一刻|三刻|整|{NUMBER}分|{_MINUTE})?"
            r"(?P<plainly>钟|(?=左右|见|开会|集合|出发|起床|提醒|叫|喊|前|之前|下[班课]|上[班课]"
            r"|开[始播门场]|[吧呢]?$|[吧呢]|到(?![处底])|我?[回走出发交接送](?!来说|题)|要"
            r"(?!求|注|说|补|强|看|改|做|点|睡)))?"
        ),
        _clock,
    ),
    TimePhrase(
        re.compile(
            rf"(?:{_PART}的?\s?)?(?<![0-9.:：])(?P<hour>[01]?[0-9]|2[0-4])[:：]"
            r"(?P<minute>[0-5][0-9])(?![0-9:：])"
        ),
        _clock,
    ),
    TimePhrase(
        re.compile(
            rf"(?:{_PART}的?)?(?<![0-9一二三四五六七八九十第.:：-])(?P<hour>{NUMBER})\s?[-–—~～到至]\s?"
            rf"(?P<until>{NUMBER})[点點时](?!间|候|代|刻|期|差|常|尚|评|击|名|赞|菜|餐|心|半)"
        ),
        _from_hour_to_hour,
    ),
    TimePhrase(re.compile(_PART), _part),
    TimePhrase(
        re.compile(r"(?P<day>[今明昨后])(?P<part>早上?|晚上?|夜里?)(?!餐|饭|报|会|熟|安)"),
        _day_and_part,
    ),
    TimePhrase(
        re.compile(
            rf"每(?P<skipping>隔)?(?P<interval>{NUMBER})?个?(?:{WEEK}的?"
            rf"(?P<weekday>[一二三四五六日天](?:[、和与到]?{WEEK}?[一二三四五六日天])*)"
            r"|(?P<unit>天|日|晚(?:上)?|工作日|周末|周|星期(?![一二三四五六日天])|礼拜|月|年)"
            rf"(?:的?(?:(?P<month>{NUMBER})月)?(?P<month_day>{NUMBER})[号日])?)"
            r"(?!都会更)"
        ),
        _every,
    ),
    TimePhrase(
        re.compile(
            r"(?P<interval>)(?P<skipping>)(?P<weekday>)(?P<month_day>)(?P<month>)(?P<unit>"
            r"(?<!个)工作日)"
        ),
        _every,
    ),
)
