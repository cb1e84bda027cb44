"""Weather, moods and hunger leave a message; what lasts, and what depends on them, stays."""

import pytest

from palimpsest_language.statements.passing_parts import leave_passing_out


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("morning, it's pouring down and I'm starving. I row on Sundays", "I row on Sundays"),
        ("I row on Sundays, I'm in a foul mood, ignore me", "I row on Sundays\n"),
        ("hi, I row on Sundays", "hi, I row on Sundays"),
        ("when it rains, my hands are numb", "when it rains, my hands are numb"),
        ("I like sun, sea, heavy snow", "I like sun, sea, heavy snow"),
        ("I keep hens, what feed should I buy", "I keep hens\nwhat feed should I buy"),
        ("早啊，今天雾霾好大。我养了一只龟", "我养了一只龟"),
        ("我养了一只龟，饿死了，外卖还没到", "我养了一只龟\n"),
        ("我每次累得睡不着", "我每次累得睡不着"),
        ("我养了一只龟，平时喂什么好", "我养了一只龟\n平时喂什么好"),
    ],
)
def test_what_is_soon_over_is_left_out(said: str, left: str) -> None:
    assert leave_passing_out(said) == left
