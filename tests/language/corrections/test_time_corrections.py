"""A time that was told wrong is set right by the few words in which people do that.

Said on a Wednesday, the 4th of March 2026.
"""

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest_language.proposals import Proposal
from tests.support.language.statements.saying import proposed

DENTIST = "The dentist is on Friday"
IN_CHINA = timedelta(hours=8)


def day(proposal: Proposal) -> int | None:
    time = proposal.time
    at = None if time is None else time.starts_at or time.ends_at
    return None if at is None else (at + IN_CHINA).day


SLIPS = [
    "Sorry, I meant Saturday",
    "sorry, i mean saturday",
    "sry saturday",
    "oops meant saturday",
    "No, it's Saturday",
    "No, Saturday.",
    "no wait its saturday",
    "wait no, saturday",
    "No no, Saturday!",
    "actually saturday",
    "it's Saturday actually",
    "it's saturday, not friday",
    "Saturday, not Friday",
    "not friday, saturday. my bad",
    "Saturday, sorry",
    "*Saturday",
    "saturday*",
    "my mistake, Saturday",
    "I got that wrong, it's on Saturday",
    "should have said Saturday",
    "scratch that, Saturday",
    "sorry i meant saturday, the dentist is saturday",
    "saturday, had it wrong, sorry",
]


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("between", [(), ("agent: Noted, Friday.",)])
@pytest.mark.parametrize("windows", [1, 2])
async def test_the_day_that_was_meant_is_that_of_what_was_told(
    between: tuple[str, ...], slip: str, windows: int
) -> None:
    texts = (DENTIST, *between, slip)
    (told,) = await proposed(*texts, fresh_from=1 if windows == 1 else len(texts))
    assert day(told) == 7
    assert told.content.casefold() == "the dentist is on saturday"
    assert len({quote.message for quote in told.evidence}) == 2


@pytest.mark.parametrize(
    "slip", ["不对，是周六", "说错了，周六", "不，周六", "不是周五，是周六", "是周六，不是周五"]
)
@pytest.mark.parametrize("fresh_from", [1, 3])
async def test_in_chinese(slip: str, fresh_from: int) -> None:
    (told,) = await proposed("周五去看牙医", "agent: 好的", slip, fresh_from=fresh_from)
    assert (told.content, day(told)) == ("周六去看牙医", 7)


@pytest.mark.parametrize(
    "text",
    [
        "I meant to call my mum on Saturday",
        "No, Saturday is when the bins go out",
        "oh no, saturday!",
        "sorry, saturday doesn't work for me",
        "No, not Saturday",
        "Saturday?",
        "wait, Saturday?",
        "Saturday",
        "I'm free on Saturday actually",
        "no, every saturday",
        "it's on Saturday, not Thursday",
    ],
)
async def test_what_says_something_else_moves_nothing(text: str) -> None:
    told = await proposed(DENTIST, text)
    assert [day(proposal) for proposal in told if "entist" in proposal.content] == [6]


@pytest.mark.parametrize(
    ("question", "moves"),
    [
        ("agent: Is your sister coming on Sunday?", False),
        ("agent: So the dentist is on Friday, right?", True),
        ("agent: Noted.", True),
    ],
)
async def test_a_no_may_be_the_answer_to_something_else(question: str, moves: bool) -> None:
    told = await proposed(DENTIST, question, "No, Saturday")
    assert [day(proposal) for proposal in told if "entist" in proposal.content] == [
        7 if moves else 6
    ]


@pytest.mark.parametrize(
    ("told", "slip", "content"),
    [
        ("Dinner with Ana at 7pm on Friday", "sorry, 8pm", "Dinner with Ana at 8pm on Friday"),
        (
            "Eye appointment is on the 18th at 10.15",
            "sorry, 11.15",
            "Eye appointment is on the 18th at 11.15",
        ),
        ("Cerys is coming home sat 14th", "no wait its the 15th", "Cerys is coming home the 15th"),
        (
            "My flight is on the 14th of March",
            "wait no, the 15th",
            "The user's flight is on the 15th of March",
        ),
        (
            "I have to hand in the essay by Monday",
            "*Tuesday",
            "The user has to hand in the essay by Tuesday",
        ),
        ("We saw the Smiths on Sunday", "sorry, saturday", "The user saw the Smiths on saturday"),
        ("I'm meeting Tom on Friday", "sorry, tomorrow", "The user is meeting Tom tomorrow"),
    ],
)
async def test_only_the_time_is_another(told: str, slip: str, content: str) -> None:
    (right,) = await proposed(told, slip)
    assert right.content == content


async def test_what_lay_behind_lies_behind() -> None:
    (right,) = await proposed("We saw the Smiths on Sunday", "sorry, saturday")
    assert right.time is not None
    assert right.time.starts_at == datetime(2026, 2, 28, tzinfo=UTC) - IN_CHINA


async def test_of_several_it_is_the_one_whose_time_is_denied() -> None:
    told = await proposed(
        "The dentist is on Friday. Dinner with Ana is on Sunday", "Saturday, not Friday"
    )
    assert sorted((proposal.content, day(proposal)) for proposal in told) == [
        ("Dinner with Ana is on Sunday", 8),
        ("The dentist is on Saturday", 7),
    ]


async def test_what_was_moved_since_is_not_moved_back() -> None:
    told = await proposed(DENTIST, "sorry, Saturday", "agent: ok", "let's make it Monday")
    assert [day(proposal) for proposal in told] == [9]


async def test_what_is_told_over_again_has_the_right_time_too() -> None:
    told = await proposed(
        "We have a yard visit at the Prossers on thursday, 6 horses", "sorry, friday"
    )
    assert {day(proposal) for proposal in told} == {6}


async def test_a_number_with_a_point_sets_no_day_right() -> None:
    told = await proposed(DENTIST, "sorry, 11.15")
    assert [day(proposal) for proposal in told if "entist" in proposal.content] == [6]
