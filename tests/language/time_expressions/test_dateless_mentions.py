"""What is only compared with, and how long something took: no time is found there."""

from datetime import UTC, datetime

import pytest

from palimpsest_language.time_expressions.finder import find_times

SAID = datetime(2026, 11, 3, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("取暖费交了，1860，比去年贵", []),
        ("今年跟去年一样冷", ["今年"]),
        ("The bill came to 240, more than last year", []),
        ("It is as busy as last week", []),
        ("Compared to last month I sleep better", []),
        ("Goal is under 1:55", []),
        ("My target time is 1:55", []),
        ("She ran the half in 1:55", []),
        ("我半马想跑进1:55", []),
        # They say when.
        ("去年我们去了杭州，比上海好玩", ["去年"]),
        ("比赛在去年十月", ["去年十月"]),
        ("It has to be done earlier than Monday", ["Monday"]),
        ("We moved last year", ["last year"]),
        ("The train leaves at 1:55", ["at 1:55"]),
        ("It was cheaper last year than now", ["last year"]),
    ],
)
def test_a_time_is_found_where_it_dates_something(sentence: str, words: list[str]) -> None:
    expressions = find_times(sentence, said_at=SAID, time_zone="UTC")
    assert [expression.words for expression in expressions if expression.words != "now"] == words
