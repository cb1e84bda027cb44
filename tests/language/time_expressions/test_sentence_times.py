"""Times as people write them in a hurry: with gaps, in pieces, by what was spoken of before."""

from datetime import UTC, datetime

import pytest

from palimpsest_language.time_expressions.sentence_times import (
    UtteranceTime,
    find_sentence_times,
    move_time,
)

SAID = UtteranceTime(datetime(2026, 3, 4, 2, 0, tzinfo=UTC), "Asia/Shanghai")
"""A Wednesday, ten in the morning."""
PARTY = datetime(2026, 3, 20, 16, 0, tzinfo=UTC)
"""Midnight of the 21st in Shanghai."""


def shown(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).strftime("%m-%d %H:%M") if moment else None


TIMES = [
    ("call her tomorrow before 10am", "tomorrow before 10am", None, "03-05 02:00"),
    ("明天去一趟银行 下午三点前到", "明天去一趟银行 下午三点前", None, "03-05 07:00"),
    ("定在 3 月 12 号 凌晨两点", "3 月 12 号 凌晨两点", "03-11 18:00", "03-11 18:00"),
    ("禮拜天晚上十點", "禮拜天晚上十點", "03-08 14:00", "03-08 14:00"),
    ("on the last day of April", "on the last day of April", "04-29 16:00", "04-30 16:00"),
    ("pay it by the 9th", "by the 9th", None, "03-09 16:00"),
    ("the tram at 4.15pm", "at 4.15pm", "03-04 08:15", "03-04 08:15"),
    ("周五中午之前发我", "周五中午之前", None, "03-06 04:00"),
    ("约了师傅周四上午十点来", "周四上午十点", "03-05 02:00", "03-05 02:00"),
    ("主要在三月下旬拿到过两次", "三月下旬", "03-20 16:00", "03-31 16:00"),
    ("send it by Friday evening", "by Friday evening", None, "03-06 15:59"),
    ("I've got a check-up on the 2nd", "on the 2nd", "04-01 16:00", "04-02 16:00"),
    ("the launch moves to the 20th", "the 20th", "03-19 16:00", "03-20 16:00"),
    ("started on Monday as a planning officer", "on Monday", "03-01 16:00", "03-02 16:00"),
]


@pytest.mark.parametrize(("sentence", "words", "starts", "ends"), TIMES)
def test_a_time_is_one_however_it_is_written(
    sentence: str, words: str, starts: str | None, ends: str
) -> None:
    [time] = find_sentence_times(sentence, SAID)
    assert (shown(time.starts_at), shown(time.ends_at)) == (starts, ends)
    assert time.words == words
    assert sentence[time.start : time.end] == words


ANCHORED = [
    ("order flowers 3 days before", "03-17 16:00"),
    ("iron the shirt the day before", "03-19 16:00"),
    ("那天下午四点去取蛋糕", "03-21 08:00"),
    ("前一天晚上八点过一遍稿子", "03-20 12:00"),
]


@pytest.mark.parametrize(("sentence", "starts"), ANCHORED)
def test_the_day_of_something_else_is_counted_from(sentence: str, starts: str) -> None:
    spoken_of = UtteranceTime(SAID.at, SAID.time_zone, day_spoken_of=PARTY)
    assert shown(find_sentence_times(sentence, spoken_of)[0].starts_at) == starts


def test_a_bare_hour_is_on_the_day_that_the_message_speaks_of() -> None:
    message = UtteranceTime(SAID.at, SAID.time_zone, day_of_message=PARTY)
    for sentence in ("table for two at 7 pm", "两位，晚上七点"):
        assert shown(find_sentence_times(sentence, message)[0].starts_at) == "03-21 11:00"
    assert shown(find_sentence_times("tomorrow at 7 pm", message)[0].starts_at) == "03-05 11:00"


def test_what_is_moved_keeps_what_the_new_words_leave_open() -> None:
    [old] = find_sentence_times("on Friday at 9 am", SAID)
    [day], [hour] = find_sentence_times("Thursday", SAID), find_sentence_times("11 am", SAID)
    assert shown(move_time(old, day, SAID).starts_at) == "03-05 01:00"
    assert shown(move_time(old, hour, SAID).starts_at) == "03-06 03:00"
    [whole] = find_sentence_times("on Monday at 5 pm", SAID)
    assert move_time(old, whole, SAID) == whole
