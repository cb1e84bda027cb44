"""On what day, at what hour and how much of something: read out of plain statements."""

from typing import Any

import pytest

from palimpsest_language.wording.quantity_claims import parse_quantity_claim

A_DAY: dict[str, Any] = {"starts_at": "2026-05-11T00:00:00Z", "all_day": True}


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("The meeting with Bob is on Monday", {"day": "monday"}),
        ("The meeting with Bob was moved to Thursday.", {"day": "thursday"}),
        ("The user's release is planned for May 10", {"day": "may 10"}),
        ("Our launch has been postponed to the 5th", {"day": "the 5th"}),
        ("The deadline is 2026-05-01", {"day": "2026-05-01"}),
        ("Bob's flight is at 5pm", {"clock": "5pm"}),
        ("Our standup is at 9:30", {"clock": "9:30"}),
        ("The party is on May 3 at 7pm", {"day": "may 3", "clock": "7pm"}),
        ("The budget is 5000 dollars", {"number": "5000 dollars"}),
        ("The rent costs $1,200", {"number": "$1,200"}),
        ("The team is now 12 people", {"number": "12 people"}),
        ("和 Bob 的会议在周一", {"day": "周一"}),
        ("和客户的会议改到周四了", {"day": "周四"}),
        ("发布日期是5月10日", {"day": "5月10日"}),
        ("发布日是下周一", {"day": "下周一"}),
        ("演示定在6月3号", {"day": "6月3号"}),
        ("会议时间是周四下午三点", {"day": "周四", "clock": "下午三点"}),
        ("截止日期为2026-05-01", {"day": "2026-05-01"}),
        ("预算是五万", {"number": "五万"}),
        ("房租是4500元", {"number": "4500元"}),
        ("团队有12人", {"number": "12人"}),
        ("项目预算: 5000美元", {"number": "5000美元"}),
    ],
)
def test_a_thing_is_on_a_day_at_an_hour_or_so_much(content: str, parts: dict[str, str]) -> None:
    found = parse_quantity_claim(content, {})
    assert found is not None
    assert dict(found[1]) == parts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The meeting with Bob is on Monday", "The meeting with Bob has been moved to Thursday"),
        ("The release is planned for May 3", "The release is on May 10"),
        ("和 Bob 的会议在周一", "和Bob的会议改到周四了"),
        ("发布日期定在5月3日", "发布日期是5月10日"),
    ],
)
def test_it_is_the_same_thing_however_it_is_said_to_be_then(one: str, other: str) -> None:
    ours, theirs = parse_quantity_claim(one, {}), parse_quantity_claim(other, {})
    assert ours is not None
    assert theirs is not None
    assert ours[0] == theirs[0]
    assert ours[1] != theirs[1]


@pytest.mark.parametrize(
    "content",
    [
        "The user went to the gym on Monday",
        "The user is 34",
        "The user was in Paris on Monday",
        "The user ran 5 km",
        "Bob is on Monday",
        "My brother is at work on Monday",
        "The project is in Python",
        "The user's father is 70 and lives in Rome",
        "The wedding of Ann was lovely on Monday",
        "用户在周一",
        "用户去健身房是在周一",
        "用户今天跑了5公里",
        "我周一开会",
        "用户喜欢周五",
        "用户周一到周五上班",
        "今天是周五",
    ],
)
def test_what_somebody_does_then_is_not_of_that_kind(content: str) -> None:
    assert parse_quantity_claim(content, {}) is None


def test_a_day_is_the_one_that_was_understood() -> None:
    for words in ("Monday", "May 11", "next Monday"):
        found = parse_quantity_claim(f"The release is on {words}", {"time": A_DAY})
        assert found is not None
        assert found[1] == (("date", "2026-05-11"),)
