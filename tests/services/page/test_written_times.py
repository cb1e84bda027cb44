"""Moments as people read them, in both languages and in the user's time zone."""

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.model.user import Language
from services.page.written_times import WrittenTimes

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
ENGLISH = WrittenTimes(Language.ENGLISH, "UTC", NOW)
CHINESE = WrittenTimes(Language.CHINESE, "Asia/Shanghai", NOW)


@pytest.mark.parametrize(
    ("before", "english", "chinese"),
    [
        (timedelta(seconds=5), "just now", "刚刚"),
        (timedelta(minutes=1), "a minute ago", "1分钟前"),
        (timedelta(hours=5), "5 hours ago", "5小时前"),
        (timedelta(seconds=59.6), "a minute ago", "1分钟前"),
        (timedelta(minutes=59, seconds=40), "an hour ago", "1小时前"),
        (timedelta(hours=23, minutes=58), "a day ago", "1天前"),
        (timedelta(days=6, hours=20), "a week ago", "1周前"),
        (timedelta(hours=43), "2 days ago", "2天前"),
        (timedelta(days=3), "3 days ago", "3天前"),
        (timedelta(days=8), "a week ago", "1周前"),
        (timedelta(days=30), "a month ago", "1个月前"),
        (timedelta(days=366), "a year ago", "1年前"),
        (timedelta(days=800), "2 years ago", "2年前"),
        (timedelta(days=-2), "in 2 days", "2天后"),
    ],
)
def test_ages_are_told_in_their_largest_unit(before: timedelta, english: str, chinese: str) -> None:
    assert (ENGLISH.age(NOW - before), CHINESE.age(NOW - before)) == (english, chinese)


def test_days_are_those_of_the_users_time_zone() -> None:
    late = datetime(2026, 3, 2, 20, 5, tzinfo=UTC)
    assert ENGLISH.moment(late) == "2 Mar 2026 20:05"
    assert CHINESE.moment(late) == "2026年3月3日 04:05"


@pytest.mark.parametrize("times", [ENGLISH, CHINESE])
def test_what_a_form_shows_is_read_as_the_same_moment(times: WrittenTimes) -> None:
    moment = datetime(2026, 3, 2, 20, 5, tzinfo=UTC)
    assert times.parse_field(times.field(moment)) == moment
