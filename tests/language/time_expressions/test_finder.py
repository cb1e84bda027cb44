"""The table of expressions, and what holds for all of them."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.finder import find_times
from tests.support.growth import grows_in_proportion
from tests.support.language.time_expressions.table import CHINESE, ENGLISH, NO_TIMES

SHANGHAI, NEW_YORK = "Asia/Shanghai", "America/New_York"


def said_in(zone: str, local: str = "2026-03-11T10:20") -> datetime:
    return datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))


def found(sentence: str, zone: str, local: str = "2026-03-11T10:20") -> list[TimeExpression]:
    return list(find_times(sentence, said_at=said_in(zone, local), time_zone=zone))


def shown(expression: TimeExpression, zone: str) -> str:
    """In the form of the table."""
    starts, ends = (_local(each, zone) for each in (expression.starts_at, expression.ends_at))
    both = expression.granularity is not Granularity.INSTANT or starts != ends
    span = f"{starts}/{ends}" if both else starts
    rule = f" {expression.recurrence}" if expression.recurrence else ""
    return f"{expression.granularity} {span}{rule}"


def _local(moment: datetime | None, zone: str) -> str:
    if moment is None:
        return ".."
    local = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    return local.date().isoformat() if local.time() == time() else local.isoformat("T", "minutes")


ROWS = [
    *((*row, SHANGHAI) for row in CHINESE),
    *((*row, NEW_YORK) for row in ENGLISH),
]


@pytest.mark.parametrize(("sentence", "words", "meaning", "zone"), ROWS)
def test_words_mean_a_time(sentence: str, words: str, meaning: str, zone: str) -> None:
    assert [(each.words, shown(each, zone)) for each in found(sentence, zone)] == [(words, meaning)]


@pytest.mark.parametrize("sentence", NO_TIMES)
def test_what_only_sounds_like_a_time_is_none(sentence: str) -> None:
    assert found(sentence, SHANGHAI) == []


TOGETHER = [
    ("between Monday and Wednesday", "day 2026-03-16/2026-03-19"),
    ("next week on Tuesday", "day 2026-03-17/2026-03-18"),
    ("on Monday, March 16", "day 2026-03-16/2026-03-17"),
    ("from 9am to 5pm", "instant 2026-03-12T09:00/2026-03-12T17:00"),
    ("by the end of next month", "day ../2026-05-01"),
    ("before Christmas", "day ../2026-12-25"),
    ("after Easter", "day 2026-04-06/.."),
    ("last night at 11", "instant 2026-03-10T23:00"),
    ("the second quarter of 2026", "month 2026-04-01/2026-07-01"),
    ("two weekends ago", "day 2026-02-28/2026-03-02"),
    ("this past weekend", "day 2026-03-07/2026-03-09"),
    ("this past Tuesday", "day 2026-03-10/2026-03-11"),
    ("the past week", "day 2026-03-05/2026-03-12"),
    ("over the weekend", "day 2026-03-14/2026-03-16"),
    ("last Fri", "day 2026-03-06/2026-03-07"),
    ("3月20日下午2点到4点", "instant 2026-03-20T14:00/2026-03-20T16:00"),
    ("每周二、四", "day 2026-03-12/2026-03-13 FREQ=WEEKLY;BYDAY=TU,TH"),
    ("每隔两天", "day 2026-03-11/2026-03-12 FREQ=DAILY;INTERVAL=3"),
    ("2023年3月至今", "month 2023-03-01/.."),
    ("下个季度", "month 2026-04-01/2026-07-01"),
    ("周五之后", "day 2026-03-14/.."),
    ("本月下旬", "day 2026-03-21/2026-04-01"),
    ("今年清明", "day 2026-04-05/2026-04-06"),
    ("晚上十二点", "instant 2026-03-12"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "meaning"), TOGETHER)
def test_several_words_make_one_expression(words: str, meaning: str) -> None:
    assert [(each.words, shown(each, SHANGHAI)) for each in found(words, SHANGHAI)] == [
        (words, meaning)
    ]


@pytest.mark.parametrize(
    ("words", "zone", "day"),
    [
        ("on Labour Day", "Europe/London", "2026-05-01"),
        ("on Labour Day", "America/Toronto", "2026-09-07"),
        ("for Thanksgiving", "America/New_York", "2026-11-26"),
        ("for Thanksgiving", "America/Toronto", "2026-10-12"),
        ("on Father's Day", "Europe/Paris", "2026-06-21"),
        ("on Father's Day", "Australia/Sydney", "2026-09-06"),
        ("on Mother's Day", "Europe/Dublin", "2026-03-15"),
        ("on Independence Day", "Asia/Kolkata", "2026-08-15"),
    ],
)
def test_a_holiday_is_that_of_the_part_of_the_world(words: str, zone: str, day: str) -> None:
    [expression] = found(words, zone)
    assert _local(expression.starts_at, zone) == day


@pytest.mark.parametrize(
    ("said", "last", "this", "following"),
    [
        ("2026-03-09T00:00", "2026-03-06", "2026-03-13", "2026-03-20"),
        ("2026-03-13T23:59", "2026-03-06", "2026-03-13", "2026-03-20"),
        ("2026-03-14T12:00", "2026-03-06", "2026-03-13", "2026-03-20"),
        ("2026-03-15T23:59", "2026-03-06", "2026-03-13", "2026-03-20"),
        ("2026-03-16T00:00", "2026-03-13", "2026-03-20", "2026-03-27"),
    ],
)
def test_fridays_are_counted_by_weeks_in_both_languages(
    said: str, last: str, this: str, following: str
) -> None:
    for words, day in (
        ("last Friday", last), ("this Friday", this), ("next Friday", following),
        ("上周五", last), ("这周五", this), ("下周五", following),
    ):  # fmt: skip
        [expression] = found(words, SHANGHAI, said)
        assert _local(expression.starts_at, SHANGHAI) == day


def test_a_bare_name_is_the_next_one_or_the_one_before() -> None:
    for sentence, day in (
        ("The meeting is on Wednesday", "2026-03-11"),
        ("The meeting was on Wednesday", "2026-03-04"),
        ("周三开会", "2026-03-11"),
        ("周三开过会了", "2026-03-04"),
        ("I will have moved out in March", "2026-03-01"),
        ("I moved out in March", "2026-03-01"),
        ("I moved out in April", "2025-04-01"),
    ):
        [expression] = found(sentence, SHANGHAI)
        assert _local(expression.starts_at, SHANGHAI) == day, sentence


@pytest.mark.parametrize(
    ("sentence", "starts"),
    [
        ("My exam is on December 3rd", "2026-12-03"),
        ("My flight is BA283 on Dec 12", "2026-12-12"),
        ("The party is Dec 31", "2026-12-31"),
        ("We fly on Dec 12", "2026-12-12"),
        ("We fly to New York on Dec 12", "2026-12-12"),
        ("I have a meeting on Jan 5", "2027-01-05"),
        ("My visa expires on Jan 15", "2027-01-15"),
        ("I visited Rome on Jan 5", "2026-01-05"),
        ("We flew on Dec 12", "2025-12-12"),
        ("I had a meeting on Jan 5", "2026-01-05"),
    ],
)
def test_the_present_tense_of_a_dated_thing_looks_ahead(sentence: str, starts: str) -> None:
    [time] = found(sentence, NEW_YORK)
    assert time.starts_at is not None
    assert time.starts_at.astimezone(ZoneInfo(NEW_YORK)).date().isoformat() == starts


def test_a_day_begins_where_the_speaker_is() -> None:
    said_at = datetime.fromisoformat("2026-03-11T18:30+00:00")
    for zone, day in ((SHANGHAI, "2026-03-12"), (NEW_YORK, "2026-03-11")):
        [today] = find_times("today", said_at=said_at, time_zone=zone)
        assert _local(today.starts_at, zone) == day


def test_clocks_that_change_at_night_move_no_hour_of_the_day() -> None:
    [expression] = found("on Monday at 9", NEW_YORK, "2026-03-06T09:00")
    assert expression.starts_at == datetime.fromisoformat("2026-03-09T13:00+00:00")
    [sunday] = found("this Sunday", NEW_YORK, "2026-03-06T09:00")
    assert sunday.starts_at
    assert sunday.ends_at
    assert (sunday.ends_at - sunday.starts_at).total_seconds() == 23 * 3600


def test_the_words_stand_in_the_sentence_where_it_says() -> None:
    sentence = "In June 2024 I moved; since last May I run every Monday at 9."
    expressions = found(sentence, NEW_YORK)
    assert [each.words for each in expressions] == [
        "In June 2024",
        "since last May",
        "every Monday at 9",
    ]
    for each in expressions:
        assert sentence[each.start : each.end] == each.words
    assert [each.is_since for each in expressions] == [False, True, False]
    assert not any(each.is_until for each in expressions)


def test_a_rule_goes_on_from_where_it_starts() -> None:
    [expression] = found("每周一早上九点开例会", SHANGHAI)
    assert expression.starts_at
    assert expression.recurrence
    local = expression.starts_at.astimezone(ZoneInfo(SHANGHAI)).replace(tzinfo=None)
    first, second = rrulestr(expression.recurrence, dtstart=local)[:2]
    assert (first.isoformat(), second.isoformat()) == ("2026-03-16T09:00:00", "2026-03-23T09:00:00")


WORDS = st.sampled_from(
    [words for _, words, *_ in ROWS]
    + ["1850年春节", "2999年中秋", "Easter 1901", "999年前", "999 months ago", "in 999 hours"]
    + [" ", "，", "到", "from ", " to ", "since ", "每", "前", "后", "at ", "点", "30", "31", "月", "日", "年", "周", "32号"]
)  # fmt: skip


@given(
    st.lists(WORDS, max_size=8).map("".join),
    st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)),  # noqa: DTZ001
    st.sampled_from([SHANGHAI, NEW_YORK, "Pacific/Apia", "UTC"]),
)
def test_any_words_at_any_time_resolve_in_order_or_not_at_all(
    sentence: str, local: datetime, zone: str
) -> None:
    position = 0
    for each in find_times(sentence, said_at=local.replace(tzinfo=ZoneInfo(zone)), time_zone=zone):
        assert each.start >= position
        assert sentence[each.start : each.end] == each.words
        assert each.starts_at or each.ends_at
        if each.starts_at and each.ends_at:
            assert each.starts_at <= each.ends_at
        position = each.end


@pytest.mark.parametrize(
    "piece", ["周一到", "on Monday to ", "since ", "一二三", "12", "12:", "2026-", "3月", "every other ", "两天", "at 9 "]
)  # fmt: skip
def test_long_texts_take_time_in_proportion_to_their_length(piece: str) -> None:
    def find(text: str) -> object:
        return find_times(text, said_at=said_in(SHANGHAI), time_zone=SHANGHAI)

    assert grows_in_proportion(find, piece, 10_000)
