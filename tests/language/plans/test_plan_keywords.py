"""Which plan a later message changes by its time: the one that it names, or the one just told."""

from datetime import UTC, datetime

import pytest

from palimpsest.model.kinds import Kind
from tests.support.server.extraction.proposals import proposed

YESTERDAY = datetime(2026, 10, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("told", "late"),
    [
        (
            "I had Indian food with Tom yesterday",
            "The map view won't be ready by end of October, let's say mid December",
        ),
        (
            "I booked a table with Tom yesterday",
            "The report won't be ready by Friday, let's say Monday",
        ),
        ("昨天跟汤姆吃了印度菜", "报告改到下周一"),
        ("昨天跟汤姆吃了印度菜", "地图页面月底做不完了，推迟到12月中旬"),
    ],
)
async def test_what_is_put_off_is_no_part_of_something_else(told: str, late: str) -> None:
    first, second = await proposed(told, late)
    assert (first.kind, first.occurred_at) == (Kind.EVENT, YESTERDAY)
    assert second.content == late
    assert second.time is not None


@pytest.mark.parametrize(
    ("told", "late"),
    [
        ("Dinner with Ana on Friday", "The report won't be ready by Friday, let's say Monday"),
        ("Dinner with Ana on Friday", "The dentist's appointment has been moved to Monday"),
        ("周五跟安娜吃饭", "体检改到下周一"),
        ("周五跟安娜吃饭", "体检时间改了，改到下周一"),
    ],
)
async def test_a_day_alone_makes_no_two_plans_one(told: str, late: str) -> None:
    first, second = await proposed(told, late)
    assert first.occurred_at == datetime(2026, 10, 9, tzinfo=UTC)
    assert second.content == late


@pytest.mark.parametrize(
    ("told", "moved"),
    [
        ("Gym on Friday", "Gym moved to Saturday"),
        ("Dinner with Ana on Friday", "Let's move it to Saturday"),
        ("周五跟安娜吃饭", "改到周六"),
        ("周五跟安娜吃饭", "客户说改到周六"),
    ],
)
async def test_what_names_the_plan_or_nothing_moves_it(told: str, moved: str) -> None:
    (plan,) = await proposed(told, moved)
    assert plan.time is not None
    assert plan.time.starts_at == datetime(2026, 10, 10, tzinfo=UTC)


async def test_a_correction_is_of_no_past_day() -> None:
    dinner, shoes = await proposed(
        "Dinner with Ana on Oct 18", "I bought new shoes yesterday.", "Sorry, it's the 16th"
    )
    assert dinner.occurred_at == datetime(2026, 10, 16, tzinfo=UTC)
    assert shoes.occurred_at == YESTERDAY


@pytest.mark.parametrize(
    ("told", "reminder"),
    [
        ("I had Indian food with Tom yesterday", "Remind me on Thursday"),
        ("昨天跟汤姆吃了印度菜", "周四提醒我"),
    ],
)
async def test_nobody_is_reminded_of_what_is_over(told: str, reminder: str) -> None:
    first, *rest = await proposed(told, reminder)
    assert first.occurred_at == YESTERDAY
    assert not any("Indian" in proposal.content or "印度" in proposal.content for proposal in rest)
