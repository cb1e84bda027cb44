"""Of whom everyday words are, how they are told, and what of them is not worth telling."""

import pytest

from tests.support.language.statements.saying import proposed

IMANI = "Imani doesn't eat pork by the way, she's 14"


async def contents(*texts: str) -> list[str]:
    return [proposal.content for proposal in await proposed(*texts)]


@pytest.mark.parametrize(
    ("texts", "content"),
    [
        (
            (IMANI, "agent: Got it. How old is Theo?", "he's six, seven in January"),
            "Theo is six, seven in January",
        ),
        (
            ("房东要涨房租", "宋一鸣说毕业了要来长沙找工作 他明年六月毕业"),
            "宋一鸣明年六月毕业",
        ),
        (
            ("My sister Lena loves climbing", "agent: And your brother?", "he's a nurse in Leeds"),
            "The user's brother is a nurse in Leeds",
        ),
    ],
)
async def test_whoever_was_asked_about_is_who_is_told_of(
    texts: tuple[str, ...], content: str
) -> None:
    assert (await contents(*texts))[-1] == content


async def test_who_was_she_a_moment_ago_is_no_he() -> None:
    assert not any(
        "allergic" in content for content in await contents(IMANI, "he's allergic to nuts")
    )


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Devin, I'm finally looking at houses", "The user is finally looking at houses"),
        ("Tomorrow, I'm flying to Leeds", "Tomorrow, the user is flying to Leeds"),
        ("I was born in Arbroath you know", "The user is from Arbroath"),
        ("Elena and I are moving in together", "Elena and the user are moving in together"),
        ("I almost moved to Leeds in 2019", "The user almost moved to Leeds in 2019"),
        ("I like 2 sugars in my tea", "The user likes 2 sugars in their tea"),
        ("My interview is in two hours", "The user's interview is in two hours"),
    ],
)
async def test_it_is_told_without_whom_it_is_said_to(text: str, content: str) -> None:
    assert await contents(text) == [content]


@pytest.mark.parametrize(
    "text",
    [
        "Just between us, ok",
        "That'll be like 2 grand",
        "Shift starts in an hour",
        "I nearly fell over",
        "In St Andrews",
    ],
)
async def test_what_passes_or_says_nothing_by_itself_is_not_kept(text: str) -> None:
    assert await contents(text) == []


async def test_what_is_said_of_a_dog_is_no_taste_of_its_owner() -> None:
    told = await proposed("The vet says she's too heavy. No treats")
    assert [(proposal.kind.value, proposal.subject) for proposal in told] == [("person", "vet")]
    assert "No treats" in told[0].content


async def test_somebody_who_is_fine_is_no_preference() -> None:
    assert [proposal.kind.value for proposal in await proposed("Nora is fine")] == ["fact"]
