"""Expressions of time in a sentence, resolved against when it was said and where.

What words mean that people use in more than one way:

- Weeks begin on Monday, and a day of a week is counted by weeks in both
  languages: "next Friday" and 下周五 are the Friday of next week, "last Monday"
  and 上周一 the Monday of last week, "this Friday" and 这周五 that of this week,
  past or to come.
- A bare name that comes back ("on Friday", 周五, "in June", 六月, "on the 15th",
  15号, "at Christmas", "at 9") is the next one, today included; in a sentence
  that tells what was ("We launched on Monday", 周二发布了) the one before. The
  month we are in counts either way. "Since" looks back, "until" ahead.
- "Last May" and "last summer" are the latest that is over, "next June" and "next
  summer" the first that has not begun. Chinese names the year: 去年五月, 今年夏天.
- "This weekend", 周末 and 这个周末 are Saturday and Sunday of this week, also on a
  Sunday; "next weekend" and 下周末 those of next week.
- 月初 is the first day of the month, 月中 the 15th, 月底 and "the end of the month"
  the last day; 年初 is January, 年中 June and July, 年底 and "the end of the year"
  December. "The end of the week" is Friday.
- 上半年 and "the first half" are January to June, 下半年 July to December, of this
  year unless another is named. Spring begins in March, as north of the equator;
  暑假 is July and August, 寒假 January and February.
- Days and weeks ahead or ago are exact to the day ("in two weeks" is the 14th day
  from today, 半个月前 the 15th day ago), months and years to the calendar month and
  year, minutes and hours to the minute. "The past three days" and 最近三天 end today.
- Hours up to six without a half of the day are in the afternoon (三点 and "at 3" are
  15:00), others as they are said; that of a dinner or concert is in the evening. Mornings are 6 to
  12, afternoons 12 to 18, evenings and nights 18 to 24, 凌晨 0 to 6.
- "Until", "by", 到, 之前 and 前 include the day that they name (作业周五之前交 is due when
  Friday ends), not the part of a day (中午之前 is by 12); "before" includes neither. "After" and
  之后 begin when it is over.
- "EOD", "close of business" and 下班前 are 18:00. "Early", "mid" and "late" are the thirds of a
  month ("late May" begins on the 21st) or of a year. 年前 is before the Spring Festival.
  Years of two figures (19年毕业, "in '98") are those from 1950 on. 4/28 in a Chinese sentence is
  the 28th of April; in English such figures are left alone where both could be the month.
- The part of the sentence that a time stands in tells which way it looks, before the whole does.
  A day of a month near ahead is that one, and not that of last year ("all booked, 4 May"), unless
  it says "was". Where nothing says which, a day or a month that was only just, and is not again for
  most of a year, was ("laid off jan 9", said on the 19th). "As of", 入职, 起 and 就…了 take the
  nearer. "Got the scan on Thursday" is to come, and "until Christmas I was" over. "Before 8", said
  in the afternoon, is before eight of that evening.
- A bare year ("divorced 2011", "the 2014 flood") is one where nothing is counted by it. "Moved from
  the 16th to the 24th" is the 24th. "Labour Day" is that of September in America, and else 1 May.
- What is booked for a date ("booked the flights, 8 to 23 Feb") lies ahead; a birthday on a bare day
  ("the 18th is her birthday") is the nearer one, for it comes back.
- A year that stands once in a range is that of both ends ("January to March 2024", 2024年1月到3月).
- What is usually done ("usually on Friday", 通常周一, 一般六点) comes back.
- 号 alone is a day where a time may stand, and counts things elsewhere (座位是12号, D区17号).
- What is only compared with ("more than last year", 比去年贵) and how long a race took ("under
  1:55") date nothing.
- What comes back starts at its next occurrence.

Vague words (recently, 最近, 改天, "a few days ago") are left alone. Everything takes
time in proportion to the length of the sentence.
"""

import re
from dataclasses import replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.value_types import to_instant
from palimpsest_language.time_expressions.chinese.calendar import CHINESE
from palimpsest_language.time_expressions.chinese.lunar_days import LUNAR
from palimpsest_language.time_expressions.chinese.shorthand import CHINESE_OFFHAND
from palimpsest_language.time_expressions.chinese.time_of_day import CHINESE_CLOCK
from palimpsest_language.time_expressions.clock_time import EVENING
from palimpsest_language.time_expressions.dateless_mentions import is_dateless_mention
from palimpsest_language.time_expressions.direction import find_sentence_direction
from palimpsest_language.time_expressions.english.abbreviated_weekdays import (
    ENGLISH_SHORT_WEEKDAYS,
)
from palimpsest_language.time_expressions.english.calendar import ENGLISH
from palimpsest_language.time_expressions.english.numeric_dates import ENGLISH_FIGURES
from palimpsest_language.time_expressions.english.shorthand import ENGLISH_OFFHAND
from palimpsest_language.time_expressions.english.spoken_hours import ENGLISH_HOURS
from palimpsest_language.time_expressions.english.time_of_day import ENGLISH_CLOCK
from palimpsest_language.time_expressions.english.weekdays import ENGLISH_WEEKDAYS
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.numeric_forms import COMMON
from palimpsest_language.time_expressions.phrases import (
    PhraseMatch,
    build_phrase_sieve,
    join_days_with_clock_times,
    match_phrases,
)
from palimpsest_language.time_expressions.resolution import (
    SAID_IN_YEARS,
    ResolvedTime,
    resolve_matches,
)
from palimpsest_language.time_expressions.spans import SpeechTime
from palimpsest_language.time_expressions.time_bounds import TimeBound

_HAN = (*CHINESE, *CHINESE_OFFHAND, *LUNAR, *CHINESE_CLOCK)
_ENGLISH = (
    *ENGLISH,
    *ENGLISH_OFFHAND,
    *ENGLISH_HOURS,
    *ENGLISH_FIGURES,
    *ENGLISH_SHORT_WEEKDAYS,
    *ENGLISH_WEEKDAYS,
    *ENGLISH_CLOCK,
)
_LATIN = build_phrase_sieve((*COMMON, *_ENGLISH))
_BOTH = build_phrase_sieve((*COMMON, *_HAN, *_ENGLISH))
_MAY_SPEAK_OF_TIME = re.compile(
    r"[0-9]|\b(?:at|after|before|by|till|until) (?:one|two|three|four|five|six|seven|eight|nine"
    r"|ten|eleven|twelve|twenty)\b|day\b|week|month|year|noon|night|morning|evening|days\b|ago\b"
    r"|quarter|hour|minute|seconds\b"
    r"|\b(?:min|hr|wk|mth|yr)s?\b|o ?clock|new year|spring|summer|autumn|fall\b|winter|christmas"
    r"|easter|xmas|jayanti|ascension|all s(?:aint|oul)s|epiphany|pentecost|paddy|whit mon|pancake"
    r"|patrick|valentine|juneteenth|passed|thanksgiving|halloween|festival|mother|father|memorial"
    r"|labou?r|friday|fortnight|morrow|morow|2moro|\btmr|\bq[1-4]|half|\bEO[DB]\b|\bCOB\b|close "
    r"of"
    r"|\b(?:mon|tues?|weds?|thur?s?|fri|sat|sun)\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct"
    r"|nov|dec)"
    r"|[昨今明前后]儿|[天日周月年季点點时号晚早夜春夏秋冬]|下班|过年|初[一二三四五六七八九十]"
    r"|星期|礼拜|小时|分钟|秒|节|国庆|中秋|端午|清明|七夕|圣诞|元旦|[暑寒]假|五一|十一|双十二|除夕"
    r"|元宵",
    re.IGNORECASE,
)
_OF_AN_EVENING = re.compile(
    r"\b(?:dinner|supper|drinks|gig|concert)\b|晚饭|晚餐|晚宴|夜宵|宵夜|演唱会|晚会", re.IGNORECASE
)
_END = re.compile(r"\bend of\b|\b(?:is|['’]s) out$", re.IGNORECASE)
_EVENING_HOURS = range(5, 12)


def find_times(sentence: str, *, said_at: datetime, time_zone: str) -> tuple[TimeExpression, ...]:
    """The expressions of one sentence, in order.

    Args:
        sentence: in Chinese or English.
        said_at: when, aware.
        time_zone: the speaker's, by its IANA name: days begin and end there.

    Returns:
        None of them where it was said in a year so far away that calendars end.
    """
    if said_at.year not in SAID_IN_YEARS:
        return ()
    # Phrases are looked for by their words, which takes a tenth of trying this pattern.
    spoken = match_phrases(sentence, _BOTH if has_chinese(sentence) else _LATIN)
    if not spoken or not _MAY_SPEAK_OF_TIME.search(sentence):
        return ()
    zone = ZoneInfo(time_zone)
    local = said_at.astimezone(zone).replace(tzinfo=None)
    said = SpeechTime(local, find_sentence_direction(sentence), time_zone)
    matches = join_days_with_clock_times(sentence, spoken)
    if _OF_AN_EVENING.search(sentence):
        matches = [_in_the_evening(match) for match in matches]
    return tuple(
        _expression(sentence, match, zone)
        for match in resolve_matches(sentence, matches, said)
        if not is_dateless_mention(sentence, match.sided.start, match.sided.end)
    )


def _in_the_evening(piece: PhraseMatch) -> PhraseMatch:
    """Dinner at seven is at 19:00."""
    clock = piece.meaning.clock
    if clock is None or clock.hour is None or clock.part or clock.exact:
        return piece
    if clock.hour not in _EVENING_HOURS:
        return piece
    return replace(piece, meaning=replace(piece.meaning, clock=replace(clock, part=EVENING)))


def _expression(sentence: str, found: ResolvedTime, zone: ZoneInfo) -> TimeExpression:
    span, side = found.span, found.sided.side
    starts, ends = span.start, span.end
    if side is TimeBound.AFTER:
        starts = ends
    elif (side is TimeBound.BEFORE and not _names_an_end(sentence, found)) or (
        side is TimeBound.UNTIL and _is_before_a_part(sentence, found)
    ):
        ends = starts + timedelta(hours=1) if _is_noon(sentence, found) else starts
    if (
        side is TimeBound.UNTIL
        and not span.all_day
        and ends is not None
        and ends.time() == time.min
    ):
        ends -= timedelta(minutes=1)  # by an evening: while it is still that day
    return TimeExpression(
        words=sentence[found.sided.start : found.sided.end],
        start=found.sided.start,
        starts_at=None if side in {TimeBound.UNTIL, TimeBound.BEFORE} else _aware(starts, zone),
        ends_at=None
        if side in {TimeBound.SINCE, TimeBound.FROM, TimeBound.AFTER}
        else _aware(ends, zone),
        granularity=span.granularity,
        all_day=span.all_day,
        recurrence=found.recurrence,
    )


def _names_an_end(sentence: str, found: ResolvedTime) -> bool:
    """“Before the end of the month”: on its last day at the latest."""
    return _END.search(sentence, found.sided.start, found.sided.end) is not None


def _is_before_a_part(sentence: str, found: ResolvedTime) -> bool:
    """中午前, 晚上之前: before that part of the day has begun."""
    return not found.span.all_day and sentence[found.sided.end - 1] == "前"


def _is_noon(sentence: str, found: ResolvedTime) -> bool:
    """中午 is from 11 to 13, and what is done before it is done by 12."""
    span = found.span
    part = not span.all_day and span.start != span.end
    return part and "中午" in sentence[found.sided.start : found.sided.end]


def _aware(local: datetime, zone: ZoneInfo) -> datetime:
    return to_instant(local.replace(tzinfo=zone))
