"""A slip that is set right, in the same breath or a message later."""

import pytest

from tests.support.language.statements.saying import proposed

KATE = "My sister's name is Kate"


@pytest.mark.parametrize(
    ("texts", "content"),
    [
        ((KATE, "agent: Nice!", "no wait it's Cate with a C"), "The user's sister is named Cate"),
        (("My sister's name is Kate. No wait, it's Cate",), "The user's sister is named Cate"),
        (("I was born in June 1976", "sorry, July 1976"), "The user was born in July 1976"),
        (("I was born in June 1976", "oops, I meant July"), "The user was born in July 1976"),
        (
            ("My birthday is on the 14th of May", "sorry, the 15th"),
            "The user's birthday is the 15th of May",
        ),
        (("My name is Jon", "sorry, John with an H"), "The user's name is John"),
    ],
)
async def test_what_was_meant_stands_in_the_place_of_the_slip(
    texts: tuple[str, ...], content: str
) -> None:
    (told,) = await proposed(*texts)
    assert told.content == content
    assert {quote.quote for quote in told.evidence} >= {texts[-1].rpartition(". ")[2]}


@pytest.mark.parametrize(
    "text", ["no, it's Paul", "sorry, Robert", "sorry, wait, Monday works", "it's Cate", "sorry!"]
)
async def test_another_name_or_another_matter_sets_nothing_right(text: str) -> None:
    told = await proposed(KATE, "agent: Is she your boss?", text)
    assert [proposal.value for proposal in told if proposal.attribute == "sister"] == ["Kate"]


async def test_what_was_said_in_an_earlier_window_is_replaced() -> None:
    told = await proposed(KATE, "no wait it's Cate with a C", fresh_from=2)
    assert [(proposal.value, proposal.replaces) for proposal in told] == [("Cate", "Kate")]
