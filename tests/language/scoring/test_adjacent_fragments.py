"""What nothing tells stays with what it stands beside; what is told, or asked, does not."""

import pytest

from palimpsest.model.kinds import Kind
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from tests.support.language.scoring.weighing_with import Opinion, weighed_by
from tests.support.language.statements.saying import asked

HELLO = ("hi there", "agent: Hello! What's new?")
CLASSES = "yoga on saturdays starting the 17th, pottery class february 8th at 2, 65 bucks, 8 seats"


async def contents(text: str, **likely: Kind) -> list[str]:
    """Of the last message; `likely` are words that a reader would keep for sure, spaces as `_`."""
    opinion = Opinion(
        {words.replace("_", " "): (kind, 0.95) for words, kind in likely.items()}, 0.0
    )
    proposals = await weighed_by(asked(*HELLO, text), opinion)
    return [
        proposal.content for proposal in proposals if proposal.evidence[0].message == len(HELLO) + 1
    ]


async def test_a_piece_takes_along_the_few_words_behind_it_that_nothing_tells() -> None:
    pieces = {
        "yoga_on_saturdays_starting_the_17th": Kind.FACT,
        "pottery_class_february_8th_at_2": Kind.EVENT,
    }
    assert "Pottery class february 8th at 2, 65 bucks, 8 seats" in await contents(CLASSES, **pieces)


async def test_what_stands_for_itself_is_left_to_itself() -> None:
    pieces = {
        "yoga_on_saturdays_starting_the_17th": Kind.FACT,
        "pottery_class_february_8th_at_2": Kind.EVENT,
    }
    found = await contents(CLASSES, **pieces)
    assert "Yoga on saturdays starting the 17th" in found


async def test_a_few_words_go_along_with_what_they_stand_behind_and_are_not_told_once_more() -> (
    None
):
    pieces = {
        "yoga_on_saturdays_starting_the_17th": Kind.FACT,
        "pottery_class_february_8th_at_2": Kind.FACT,
        "65_bucks": Kind.FACT,
        "8_seats": Kind.FACT,
    }
    found = await contents(CLASSES, **pieces)
    assert "Pottery class february 8th at 2, 65 bucks, 8 seats" in found
    assert not {"65 bucks, 8 seats", "8 seats"} & set(found)


@pytest.mark.parametrize(
    ("text", "first", "behind"),
    [
        ("her hip operation is booked, first of June at the Royal in Belfast", "her hip operation is booked", "Royal"),
        ("我闺女马上过生日了，想赶在那之前印出来给她当礼物", "我闺女马上过生日了", "礼物"),
    ],
)  # fmt: skip
async def test_where_and_what_for_go_along_though_they_stand_for_themselves(
    text: str, first: str, behind: str
) -> None:
    pieces = {first.replace(" ", "_"): Kind.EVENT, text.split(first)[1][1:].strip(): Kind.GOAL}
    found = await contents(text, **pieces)
    assert any(first[-6:] in each and behind in each for each in found)


async def test_of_another_kind_they_are_told_as_well() -> None:
    pieces = {
        "yoga_on_saturdays_starting_the_17th": Kind.FACT,
        "pottery_class_february_8th_at_2": Kind.EVENT,
        "65_bucks": Kind.FACT,
    }
    found = await contents(CLASSES, **pieces)
    assert "Pottery class february 8th at 2, 65 bucks, 8 seats" in found
    assert "65 bucks, 8 seats" in found


@pytest.mark.parametrize(
    ("behind", "goes_along"), [("five km", True), ("thanks", False), ("is it far?", False)]
)
async def test_of_the_next_sentence_a_few_words_go_along(behind: str, *, goes_along: bool) -> None:
    text = f"the shed leaks, i run to the old mill and back every tuesday. {behind}"
    pieces = {
        "the_shed_leaks": Kind.FACT,
        "i_run_to_the_old_mill_and_back_every_tuesday": Kind.PATTERN,
    }
    found = await contents(text, **pieces)
    assert any(behind in each for each in found) is goes_along
    assert any("old mill" in each for each in found)


async def test_what_a_statement_tells_already_is_not_added_to_it() -> None:
    pieces = {
        "we_have_version_4.1": Kind.FACT,
        "the_vendor_corrected_it_in_4.2": Kind.EVENT,
    }
    found = await contents("we have version 4.1, the vendor corrected it in 4.2", **pieces)
    assert any("corrected" in each for each in found)
    assert all(each.count("corrected") <= 1 for each in found)


async def test_its_words_are_quoted_as_they_were_said() -> None:
    pieces = {
        "pottery_class_february_8th_at_2": Kind.EVENT,
        "yoga_on_saturdays_starting_the_17th": Kind.FACT,
    }
    opinion = Opinion(
        {words.replace("_", " "): (kind, 0.95) for words, kind in pieces.items()}, 0.0
    )
    proposals = await weighed_by(asked(*HELLO, CLASSES), opinion)
    assert len(proposals) == len(pieces)
    for proposal in proposals:
        assert all(
            quote.quote in CLASSES for quote in proposal.evidence if quote.message == len(HELLO) + 1
        )


async def test_a_pronoun_that_begins_a_piece_is_told_as_whom_it_means() -> None:
    opinion = Opinion({"她叫淑芬": (Kind.PERSON, 0.95), "教小学的": (Kind.FACT, 0.95)}, 0.0)
    proposals = await weighed_by(
        asked("你好", "agent: 你好！", "太太是吉隆坡人 她叫淑芬,教小学的"), opinion
    )
    assert any("太太" in each.content and "叫淑芬" in each.content for each in proposals)
    assert not any(proposal.content.startswith("她") for proposal in proposals)


async def test_a_piece_that_comes_to_the_words_of_a_rule_does_not_take_its_attribute() -> None:
    request = asked(
        "我住在上海，平时骑车上班。",
        "agent: 好的，需要我留意天气吗？",
        "I love using Vue for the pages of our shop.",
        "agent: Then Vue it is.",
    )
    proposals = (await LocalExtractor().extract(request)).proposals
    [home] = [
        proposal for proposal in proposals if proposal.content == "用户住在上海，平时骑车上班"
    ]
    assert (home.attribute, home.value) == ("city", "上海")
