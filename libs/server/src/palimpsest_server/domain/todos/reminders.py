"""Compute when to remind: an hour before, unless the words say otherwise."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from palimpsest_language.time_expressions.numerals import (
    parse_chinese_number,
    parse_english_number,
)
from palimpsest_server.domain.todos.due_time import DueTime

USUAL_LEAD = timedelta(hours=1)
ALL_DAY_HOUR = 9
"""Hour of reminders for whole days, in the user's zone."""

_NOT_AT_ALL = re.compile(
    r"\bno(?: need for an?)? reminders?\b|\b(?:do not|don't|don’t|no need to) remind\b"
    r"|(?:不用|不要|别|不必|无需|不需要)(?:再)?提醒",
    re.IGNORECASE,
)

_ENGLISH_LEAD = re.compile(
    r"\b(?P<half>half an hour)\b|\b(?P<number>\d{1,3}|an?|one|two|three|four|five|six|seven|eight"
    r"|nine|ten|fifteen|twenty|thirty) (?P<unit>min(?:ute)?|hour|hr|day|week)s?\b",
    re.IGNORECASE,
)
_ENGLISH_BEFORE = re.compile(
    r"\s+(?:before(?:hand)?|ahead|earlier|in advance|prior)\b", re.IGNORECASE
)
_CHINESE_LEAD = re.compile(
    r"提前(?:个)?(?:(?P<half>半)(?:个)?(?:小时|钟头)|(?P<quarter>一刻钟)|(?P<halfday>半天)"
    r"|(?P<number>\d{1,3}|[一二两三四五六七八九十]{1,3})(?:个)?(?P<and_half>半)?"
    r"(?P<unit>分钟|分|小时|钟头|天|日|周|星期|礼拜))"
)

_UNITS = {
    "min": timedelta(minutes=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "hr": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "分钟": timedelta(minutes=1),
    "分": timedelta(minutes=1),
    "小时": timedelta(hours=1),
    "钟头": timedelta(hours=1),
    "天": timedelta(days=1),
    "日": timedelta(days=1),
    "周": timedelta(weeks=1),
    "星期": timedelta(weeks=1),
    "礼拜": timedelta(weeks=1),
}

_REMIND_ME_THEN = re.compile(
    r"\b(?:remind|wake|ping|nudge|alert) me\b(?! (?:about|of|that|before)\b)", re.IGNORECASE
)
"""Words after which the time beside them is that of the reminder: "remind me at 9 to call"."""

_CALL_ME = re.compile(r"(?:喊|叫)我(?:一声|一下)?(?=抢|起|上|去|出|[，。！]|$)")
"""Words that ask for a call when it begins: 八点放票，记得喊我抢."""
_THEN_REMIND_ME = re.compile(r"[^，。,.\n]{0,4}(?:提醒|叫|喊|通知)我")
"""Words right after a reminder's time, as in "明天九点提醒我开会". Before the time, nine is the meeting's."""


@dataclass(frozen=True)
class ReminderRequest:
    """The words about a reminder; None for each part that was not said."""

    lead: timedelta | None = None
    not_at_all: bool = False
    at_the_time: bool = False


def parse_reminder_request(said: str, *, time_words: str | None) -> ReminderRequest:
    """Parse the reminder that these words request. `time_words` are the words of the due time."""
    if _NOT_AT_ALL.search(said):
        return ReminderRequest(not_at_all=True)
    lead = _chinese_lead(said) or _english_lead(said)
    if lead is not None:
        return ReminderRequest(lead=lead)
    return ReminderRequest(at_the_time=_asks_for_the_time(said, time_words))


def compute_reminder_time(
    due: DueTime | None, wished: ReminderRequest, *, noted_at: datetime, time_zone: str
) -> datetime | None:
    """Return when to remind; None if nobody is reminded.

    The reminder is immediate if its time was over when the todo was noted but the todo's time was not. There is
    none for a todo that was over by then, as in a conversation of last year that is imported today.
    """
    if due is None or wished.not_at_all or due.over_at <= noted_at:
        return None
    return max(_before(due, wished, ZoneInfo(time_zone)), noted_at)


def _before(due: DueTime, wished: ReminderRequest, zone: ZoneInfo) -> datetime:
    if due.all_day:
        morning = due.at.astimezone(zone).replace(hour=ALL_DAY_HOUR)
        return morning - (wished.lead or timedelta())
    if wished.at_the_time:
        return due.at
    return due.at - (USUAL_LEAD if wished.lead is None else wished.lead)


def _asks_for_the_time(said: str, time_words: str | None) -> bool:
    if _REMIND_ME_THEN.search(said) or _CALL_ME.search(said):
        return True
    if not time_words:
        return False
    start = said.find(time_words)
    return start >= 0 and _THEN_REMIND_ME.match(said, start + len(time_words)) is not None


def _english_lead(said: str) -> timedelta | None:
    for match in _ENGLISH_LEAD.finditer(said):
        if not _ENGLISH_BEFORE.match(said, match.end()):
            continue
        if match["half"]:
            return timedelta(minutes=30)
        return parse_english_number(match["number"]) * _UNITS[match["unit"].lower()]
    return None


def _chinese_lead(said: str) -> timedelta | None:
    match = _CHINESE_LEAD.search(said)
    if match is None:
        return None
    if match["half"]:
        return timedelta(minutes=30)
    if match["quarter"]:
        return timedelta(minutes=15)
    if match["halfday"]:
        return timedelta(hours=12)
    unit = _UNITS[match["unit"]]
    return parse_chinese_number(match["number"]) * unit + (
        unit / 2 if match["and_half"] else timedelta()
    )
