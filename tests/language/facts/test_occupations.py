"""A trade that ends, and the one that begins: each is told by itself, and cleanly."""

import pytest

from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from tests.support.language.statements.saying import proposed

NEITHER = [
    "I quit nursing school",
    "I gave up nursing my sister's baby",
    "I stopped teaching my son piano",
    "I quit painting",
    "I'm no longer a fan of coffee",
]


def found(text: str) -> list[tuple[str | None, str | None, bool]]:
    speaker = SentenceSpeaker(Role.USER, None)
    return [
        (proposal.attribute, proposal.value, proposal.ended)
        for sentence in split_declarative_sentences(text)
        for proposal in read_facts(sentence, speaker, message=1)
    ]


@pytest.mark.parametrize("text", NEITHER)
def test_what_sounds_like_it_is_no_trade(text: str) -> None:
    assert [one for one in found(text) if one[0] == "job"] == []


@pytest.mark.parametrize(
    "text",
    [
        "I'm not a nurse any more, I started as a teacher last week",
        "not a nurse anymore, i became a teacher in september",
        "quit nursing, started as a teacher in september",
        "I gave up nursing and I'm a teacher now",
        "I no longer work as a nurse; I'm a teacher now",
    ],
)
@pytest.mark.parametrize("before", [(), ("I live in Leeds", "agent: Nice!")])
async def test_the_old_one_ends_and_the_new_one_is_told_without_more(
    before: tuple[str, ...], text: str
) -> None:
    told = [proposal for proposal in await proposed(*before, text) if proposal.attribute != "city"]
    assert sorted((proposal.content, proposal.ended) for proposal in told) == [
        ("The user is a teacher", False),
        ("The user is no longer a nurse", True),
    ]


async def test_where_somebody_works_may_end_without_what_they_are() -> None:
    told = await proposed("I work as a nurse at St Mary's")
    assert [(proposal.attribute, proposal.content) for proposal in told] == [
        ("job", "The user is a nurse"),
        ("employer", "The user works at St Mary's"),
    ]


@pytest.mark.parametrize(
    "text", ["it's not soy any more", "I'm not a morning person any more", "she's not well anymore"]
)
async def test_what_is_no_longer_so_is_not_told_a_second_time_in_pieces(text: str) -> None:
    assert not [
        proposal for proposal in await proposed(text) if proposal.content.startswith("No longer so")
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "hi its ola, 31, porter at Kent General",
            {("name", "Ola"), ("age", "31"), ("job", "porter"), ("employer", "Kent General")},
        ),
        (
            "its dex, 24, apprentice sparky w/ Hallam Electrical in sheffield",
            {("name", "Dex"), ("employer", "Hallam Electrical")},
        ),
        ("hiya im bron, 53, farrier", {("name", "Bron"), ("age", "53"), ("job", "farrier")}),
        (
            "I'm Nora, 62, a retired teacher",
            {("name", "Nora"), ("age", "62"), ("job", "retired teacher")},
        ),
    ],
)
def test_who_introduces_themselves_says_several_things(
    text: str, told: set[tuple[str, str]]
) -> None:
    said = {(attribute, value) for attribute, value, _ in found(text)}
    assert {one for one in said if one[0] in {"name", "age", "job", "employer"}} == told


async def test_the_age_is_told_by_itself() -> None:
    told = await proposed(
        "hiya im bron, 53, farrier, been shoeing horses 30 odd yr", "agent: Hi!", "ok"
    )
    assert ("age", "53") in {(proposal.attribute, proposal.value) for proposal in told}
