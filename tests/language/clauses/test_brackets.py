"""What is cut out of a text has both brackets of a pair, or neither."""

import pytest

from palimpsest_language.clauses.brackets import (
    balance_brackets,
    drop_places_inside_brackets,
    find_bracket_pairs,
)
from palimpsest_language.clauses.clause_splitter import split_clauses
from tests.support.language.statements.saying import proposed

PAID = "paid ($18,000, before tax) now"
PAID_CHINESE = "月薪18000（税前，不含奖金）"


@pytest.mark.parametrize("text", [PAID, PAID_CHINESE])
def test_a_pair_is_where_it_begins_and_ends(text: str) -> None:
    [(begin, end)] = find_bracket_pairs(text)
    assert (text[begin] in "(（", text[end] in ")）") == (True, True)


def test_one_that_is_never_closed_is_no_pair() -> None:
    assert list(find_bracket_pairs("half (of it")) == []
    assert list(find_bracket_pairs("half) of it")) == []


@pytest.mark.parametrize(("text", "mark"), [(PAID, ","), (PAID_CHINESE, "，")])
def test_nothing_is_cut_within(text: str, mark: str) -> None:
    places = [place for place, character in enumerate(text) if character == mark]
    assert drop_places_inside_brackets(text, places) == []


def test_the_mark_beside_it_goes_along() -> None:
    end = PAID.index(")")
    assert balance_brackets(PAID, 0, end) == (0, end + 1)
    begin = PAID.index("$")
    assert balance_brackets(PAID, begin, len(PAID)) == (begin - 1, len(PAID))


def test_a_stretch_that_cuts_a_pair_is_none() -> None:
    assert balance_brackets(PAID, PAID.index("before"), len(PAID)) is None


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "My salary is high ($18,000, before tax) and I live in Boston",
            "My salary is high ($18,000, before tax)",
        ),
        ("我工资涨了（每月18000，税前），我住在成都", "我工资涨了（每月18000，税前）"),
    ],
)
def test_a_clause_keeps_its_brackets(text: str, first: str) -> None:
    assert next(iter(split_clauses(text))).text == first


@pytest.mark.parametrize(
    "text",
    [
        "My salary is high ($18,000, before tax) and I live in Boston",
        "They pay me more now ($18,000 a month, before tax), starting in May",
        "早上出门前豆包（我家狗，柯基，三岁了）把我新买的耳机线给咬断了，然后我到公司发现电梯坏了",
        "我工资涨了（每月18000，税前），从五月开始，住在成都",
    ],
)
async def test_no_memory_has_one_of_two(text: str) -> None:
    proposals = await proposed("hi", "agent: hello", text)
    assert proposals
    for proposal in proposals:
        assert proposal.content.count("(") == proposal.content.count(")")
        assert proposal.content.count("（") == proposal.content.count("）")
