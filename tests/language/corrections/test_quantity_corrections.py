"""How many it is after all, said right behind a plan: in one message, in the next, or in another window."""

import pytest

from tests.support.language.statements.saying import proposed


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        (
            ("I need to buy two tickets", "agent: ok", "Scratch that. Make it three."),
            "The user needs to buy three tickets (three instead of two)",
        ),
        (
            ("need to order 6 folding chairs. scratch that. make it 8",),
            "Need to order 8 folding chairs (8 instead of 6)",
        ),
        (
            ("I have to pick up two crates", "no wait, make that five crates, Sol is coming"),
            "The user has to pick up five crates (five instead of two)",
        ),
        (
            ("我要买一张周五的电影票", "agent: 好的", "不对，改成两张吧"),
            "用户要买两张周五的电影票（两张，原为一张）",
        ),
    ],
)
async def test_another_number_is_told_with_what_it_is_of(
    messages: tuple[str, ...], told: str
) -> None:
    (plan,) = await proposed(*messages)
    assert plan.content == told


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (
            "I need to order six chairs by Friday",
            "Scratch that, make it eight chairs.",
            "The user needs to order eight chairs by Friday (eight instead of six)",
        ),
        (
            "I have a dentist appointment on Friday.",
            "make it Monday",
            "The user has a dentist appointment on Monday",
        ),
        ("我要买一张周五的电影票", "算了，改成两张", "用户要买两张周五的电影票（两张，原为一张）"),
    ],
)
async def test_what_was_told_in_the_window_before_is_told_anew(
    before: str, now: str, told: str
) -> None:
    (plan,) = await proposed(before, "agent: ok", now, fresh_from=3)
    assert plan.content == told
    assert [quote.message for quote in plan.evidence] == [1, 3]


@pytest.mark.parametrize(
    ("plan", "change"),
    [
        ("Book a table for 4 at 7 on Friday", "make it 8"),
        ("I need to call the plumber", "make it two"),
        ("I have 2 cats and 3 dogs", "make it four"),
        ("I need to buy two tickets", "make it two hours"),
        ("I need to buy two tickets", "make it 8 pm"),
    ],
)
async def test_where_it_may_be_of_something_else_nothing_is_counted_anew(
    plan: str, change: str
) -> None:
    proposals = await proposed(plan, "agent: ok", change)
    assert not any("instead of" in proposal.content for proposal in proposals)


async def test_what_was_told_long_before_is_not_told_anew() -> None:
    messages = ("I need to buy two tickets", "agent: ok", "It rains", "agent: ok", "make it three")
    proposals = await proposed(*messages)
    assert "The user needs to buy two tickets" in {proposal.content for proposal in proposals}
