"""What a statement is about that no rule takes apart: its topic, and the one value that it names.

The sentences are none of those that the simulated users say.
"""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.attributes.attribute_names import is_single_valued
from palimpsest_language.attribution.attribute_finder import (
    MAX_STATEMENT_CHARACTERS,
    find_attribute_value,
)
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.proposals import Proposal
from palimpsest_language.rule_tables import all_rules

HELD = [
    example["text"]
    for row in all_rules()
    if row.table.startswith("attribution/")
    for example in row.examples
]


STATEMENTS = st.sampled_from(HELD)
ENGLISH = st.sampled_from([text for text in HELD if text.isascii()])
CHINESE = st.sampled_from([text for text in HELD if has_chinese(text)])


@given(ENGLISH, st.sampled_from(["If only: ", "Maybe ", "I wish ", "My sister says ", "Imagine: "]))
def test_what_is_supposed_in_english_never_holds(text: str, before: str) -> None:
    assert find_attribute_value(before + text) is None


@given(CHINESE, st.sampled_from(["如果", "要是", "我妈说", "听说", "我打算"]))
def test_what_is_supposed_in_chinese_never_holds(text: str, before: str) -> None:
    assert find_attribute_value(before + text) is None


@given(STATEMENTS, STATEMENTS, st.sampled_from([", ", "，", " and ", "。"]))
def test_only_an_attribute_with_one_value_and_a_value_that_is_said(
    one: str, other: str, between: str
) -> None:
    text = one + between + other
    said = find_attribute_value(text)
    if said is not None:
        assert is_single_valued(said.attribute)
        assert said.value in text


def test_whoever_says_much_at_once_is_left_as_they_said_it() -> None:
    assert (
        find_attribute_value("Home is Lyon these days" + " and so on" * MAX_STATEMENT_CHARACTERS)
        is None
    )


AGAIN = [
    ("Home is Lyon these days", "We've put down roots in Tallinn", "city"),
    ("My Dacia Duster has a new set of tyres", "Our new car is a Skoda", "car"),
    ("我的工资卡是招行的", "我的钱现在都放在建设银行", "bank"),
]


@pytest.mark.parametrize(("before", "after", "attribute"), AGAIN)
async def test_a_statement_in_ones_own_words_is_proposed_under_what_it_is_about(
    before: str, after: str, attribute: str
) -> None:
    earlier, later = await proposed(before), await proposed(after)
    assert (earlier.subject, earlier.attribute) == ("user", attribute)
    assert (later.subject, later.attribute) == ("user", attribute)
    assert earlier.value != later.value


async def test_what_is_liked_best_is_no_longer_one_of_many_that_are_liked() -> None:
    best, liked = await proposed("我最喜欢川菜"), await proposed("我喜欢川菜")
    assert (best.attribute, best.value) == ("favorite_cuisine", "川菜")
    assert (liked.attribute, liked.value) == ("likes", "川菜")


@pytest.mark.parametrize("role", [Role.AGENT, Role.TOOL])
async def test_what_an_agent_says_is_not_of_its_user(role: Role) -> None:
    proposals = await said("Home is Lyon these days", role)
    assert all(proposal.attribute is None for proposal in proposals)


async def proposed(text: str) -> Proposal:
    (only,) = await said(text, Role.USER)
    return only


async def said(text: str, role: Role) -> list[Proposal]:
    message = DialogueMessage(
        number=1,
        role=role,
        speaker=None,
        text=text,
        fresh=True,
        occurred_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
    )
    request = ExtractionRequest(
        user_id="anna", messages=(message,), participants=(), language=None, time_zone="UTC"
    )
    return list((await LocalExtractor().extract(request)).proposals)
