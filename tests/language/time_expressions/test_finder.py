"""Times in sentences: the laws that hold for all, beside the rows of `rows/time_expressions.jsonl`."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_language.time_expressions.finder import find_times
from tests.support.growth import grows_in_proportion
from tests.support.language.rows import read_rows
from tests.support.language.time_expressions.finding import found, in_zone, said_in

SHANGHAI, NEW_YORK = "Asia/Shanghai", "America/New_York"


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
    assert in_zone(expression.starts_at, zone) == day


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
        assert in_zone(expression.starts_at, SHANGHAI) == day


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
        assert in_zone(expression.starts_at, SHANGHAI) == day, sentence


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
        assert in_zone(today.starts_at, zone) == day


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
    assert [expression.words for expression in expressions] == [
        "In June 2024",
        "since last May",
        "every Monday at 9",
    ]
    for time_expression in expressions:
        assert sentence[time_expression.start : time_expression.end] == time_expression.words
    assert [expression.is_since for expression in expressions] == [False, True, False]
    assert not any(expression.is_until for expression in expressions)


def test_a_rule_goes_on_from_where_it_starts() -> None:
    [expression] = found("每周一早上九点开例会", SHANGHAI)
    assert expression.starts_at
    assert expression.recurrence
    local = expression.starts_at.astimezone(ZoneInfo(SHANGHAI)).replace(tzinfo=None)
    first, second = rrulestr(expression.recurrence, dtstart=local)[:2]
    assert (first.isoformat(), second.isoformat()) == ("2026-03-16T09:00:00", "2026-03-23T09:00:00")


WORDS = st.sampled_from(
    [row.fields["words"] for row in read_rows("time_expressions") if "words" in row.fields]
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
    for time in find_times(sentence, said_at=local.replace(tzinfo=ZoneInfo(zone)), time_zone=zone):
        assert time.start >= position
        assert sentence[time.start : time.end] == time.words
        assert time.starts_at or time.ends_at
        if time.starts_at and time.ends_at:
            assert time.starts_at <= time.ends_at
        position = time.end


@pytest.mark.parametrize(
    "piece", ["周一到", "on Monday to ", "since ", "一二三", "12", "12:", "2026-", "3月", "every other ", "两天", "at 9 "]
)  # fmt: skip
def test_long_texts_take_time_in_proportion_to_their_length(piece: str) -> None:
    def find(text: str) -> object:
        return find_times(text, said_at=said_in(SHANGHAI), time_zone=SHANGHAI)

    assert grows_in_proportion(find, piece, 10_000)
