"""What is to be done, where something is told beside it: what came of it, its day, a correction."""

from datetime import UTC, datetime

import pytest

from palimpsest.model.kinds import Kind
from palimpsest_language.proposals import Proposal
from tests.support.server.extraction.proposals import proposed


async def todos(*texts: str) -> list[Proposal]:
    return [proposal for proposal in await proposed(*texts) if proposal.kind is Kind.ACTION_ITEM]


async def test_what_happened_today_is_not_to_be_done() -> None:
    (told,) = await proposed("今天去复查，医生给换药了")
    assert told.kind is Kind.EVENT
    assert len(await todos("今天去复查，别忘了提醒我")) == 1


async def test_to_be_reminded_some_time_before_a_day_is_of_that_day() -> None:
    (cake,) = await todos("10月18号是糖糖生日，提前一周提醒我订蛋糕")
    assert cake.time is not None
    assert cake.time.starts_at == datetime(2026, 10, 18, tzinfo=UTC)
    assert "提前一周" in cake.content


@pytest.mark.parametrize("correction", ["不对，是16号。", "说错了，应该是16号"])
async def test_a_corrected_day_is_that_of_all_that_was_told_of_it(correction: str) -> None:
    told = await proposed("10月18号是糖糖生日，提前一周提醒我订蛋糕", correction)
    assert {proposal.time.starts_at for proposal in told if proposal.time is not None} == {
        datetime(2026, 10, 16, tzinfo=UTC)
    }
    assert not any(proposal.content.startswith(("不对", "说错")) for proposal in told)


async def test_a_corrected_day_in_english() -> None:
    (dinner,) = await proposed("Dinner with Ana on Oct 18", "Sorry, it's the 16th")
    assert dinner.time is not None
    assert dinner.time.starts_at == datetime(2026, 10, 16, tzinfo=UTC)


async def test_a_wish_of_the_next_sentence_is_no_part_of_it() -> None:
    (todo,) = await todos(
        "I have to ship a map view by the end of October. I'd rather have short answers from you."
    )
    assert "short answers" not in todo.content
    assert todo.time is not None
    assert todo.time.ends_at == datetime(2026, 11, 1, tzinfo=UTC)


async def test_a_state_is_not_over_with_the_week_that_led_to_it() -> None:
    told = await proposed("The doctor put me on a low-salt diet after I was poorly last week")
    assert [proposal.valid_until for proposal in told] == [None]


async def test_the_same_words_are_not_told_twice_as_two_days() -> None:
    for text in (
        "We got back from Lisbon in October. Mum's having her hip replacement on the 19th.",
        "October was hard for her. Hip replacement on the 19th, at last.",
    ):
        told = await proposed(text)
        own = [
            proposal for proposal in told if proposal.time and proposal.time.words == "on the 19th"
        ]
        assert [
            time.words for proposal in own for time in proposal.mentions if "19th" in time.words
        ] == []


async def test_who_comes_on_a_day_comes_then() -> None:
    (told,) = await proposed("The agent comes on Monday at ten.")
    assert (told.kind, told.occurred_at) == (Kind.EVENT, datetime(2026, 10, 12, 10, tzinfo=UTC))


async def test_what_is_put_off_is_moved_and_not_noted_twice() -> None:
    late = "The map view won't be ready by end of October, let's say mid December."
    middle = datetime(2026, 12, 11, tzinfo=UTC)
    (moved,) = await todos("I have to ship a map view by the end of October.", late)
    assert moved.time is not None
    assert moved.time.starts_at == middle
    # Told only now: it is due on the day that it is put off to.
    (told,) = await todos(late)
    assert told.time is not None
    assert told.time.starts_at == middle


@pytest.mark.parametrize(
    ("todo", "done"),
    [
        (
            "I have to book flights, around the 9th",
            "Also booked the flights to Jaipur, Feb 8 to 23, Emirates, £740",
        ),
        ("我得订机票", "还订了去斋浦尔的机票，2月8号到23号，740镑"),
    ],
)
async def test_what_was_booked_for_a_day_to_come_is_done(todo: str, done: str) -> None:
    told = await proposed(todo, done)
    assert [
        proposal.evidence[0].message for proposal in told if proposal.kind is Kind.ACTION_ITEM
    ] == [1]
    booked = [proposal for proposal in told if proposal.evidence[0].message == 2]
    assert {proposal.kind for proposal in booked} == {Kind.EVENT}
    assert datetime(2027, 2, 8, tzinfo=UTC) in {proposal.occurred_at for proposal in booked}
