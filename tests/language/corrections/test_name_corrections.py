"""A name that was told wrong is set right where it can be told whose it is, and else left alone."""

import pytest

from tests.support.language.statements.saying import proposed

DOG = "I have a dog named Rex"


@pytest.mark.parametrize(
    "text",
    [
        "Actually his name is Max",
        "actually his names max",
        "his name is actually Max",
        "sorry, his name is Max",
        "no wait, he's called Max",
        "oops he's called Max not Rex",
        "Max, not Rex",
        "I meant Max, not Rex",
        "sorry, the dog's name is Max",
        "his name is Max, not Rex. sorry",
        "it's Max not Rex lol",
    ],
)
@pytest.mark.parametrize(
    "between", [(), ("agent: Lovely!",), ("agent: Lovely!", "the rent is due on friday")]
)
async def test_the_one_who_was_named_just_now_is_called_otherwise(
    between: tuple[str, ...], text: str
) -> None:
    told = [
        proposal
        for proposal in await proposed(DOG, *between, text)
        if "rent" not in proposal.content
    ]
    assert [(proposal.content, proposal.value) for proposal in told] == [
        ("The user has a dog named Max", "Max")
    ]


@pytest.mark.parametrize(
    ("told", "text", "content"),
    [
        ("my daughter Lina started school today", "her name is actually Lena", "The user's daughter Lena started school today"),
        ("My son is called Jon", "no sorry, his name is John", "The user's son is named John"),
        ("got a kitten, called her biscuit", "no wait her names custard", "The user got a kitten, called her Custard"),
        ("my mate Dave is coming over on Friday", "sorry, I meant Davy", "The user's mate Davy is coming over on Friday"),
        ("my sister Lina is visiting. Joe is my boss", "her name's actually Lena", "The user's sister Lena is visiting, joe is the user's boss"),
    ],
)  # fmt: skip
async def test_so_is_whoever_else_was_named(told: str, text: str, content: str) -> None:
    found = [proposal.content for proposal in await proposed(told, text)]
    assert content in found
    assert not any("Lina" in one or "Jon " in one or "biscuit" in one for one in found)


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("my cousin Alex and my friend Sam came over", "actually his name is Tom"),
        ("my brother Alex lives in Leeds", "actually her name is Tom"),
        ("my mate Dave is coming over on Friday", "sorry, I meant Leeds"),
        ("my mate Dave is coming over on Friday", "his name is hard to spell"),
        ("my mate Dave is coming over on Friday", "is his name actually Max?"),
        ("my mate Dave is coming over on Friday", "Max, not Rex"),
        ("my son Alex is five", "actually my name is Tom"),
    ],
)
async def test_where_it_cannot_be_told_whose_name_it_is_all_stay_as_they_were(
    told: str, text: str
) -> None:
    before = {proposal.content for proposal in await proposed(told)}
    after = {proposal.content for proposal in await proposed(told, text)}
    assert before <= after
    assert not any("'s name is Tom" in one and "user's name" not in one for one in after)


async def test_an_earlier_window_is_told_under_the_right_name() -> None:
    told = await proposed(
        "we got a puppy called Rex", "agent: Aw", "actually his name is Max", fresh_from=3
    )
    assert [(proposal.attribute, proposal.value, proposal.replaces) for proposal in told] == [
        ("pets", "Max", "Rex")
    ]


async def test_so_is_somebody_of_whom_no_rule_told_the_name() -> None:
    told = await proposed(
        "my daughter Lina started school", "agent: Aw", "her name is actually Lena", fresh_from=3
    )
    assert [(proposal.content, proposal.subject, proposal.ended) for proposal in told] == [
        ("The user's daughter is called Lena", "Lena", False),
        ("The user's daughter is not called Lina", "Lina", True),
    ]


async def test_one_of_several_names_may_be_a_typo() -> None:
    told = await proposed("the dogs are called Pip and Mable", "oh and its Mabel, typo lol")
    assert [proposal.content for proposal in told] == ["The dogs are called Pip and Mabel"]


async def test_a_plan_is_told_anew_under_the_right_name() -> None:
    told = await proposed(
        "got a new apprentice starting on Monday, lad called Tomos", "agent: Nice", "actually his name is Tomas, had it wrong", fresh_from=3
    )  # fmt: skip
    assert [proposal.content for proposal in told] == [
        "The user got a new apprentice starting on Monday, lad called Tomas (Tomas instead of Tomos)"
    ]


async def test_nobody_in_particular_is_not_said_to_be_the_users() -> None:
    told = await proposed(
        "met a lad called Tomos", "agent: Nice", "actually his name is Tomas", fresh_from=3
    )
    assert all(
        "user's lad" not in proposal.content and "Tomas" in proposal.content for proposal in told
    )


async def test_somebody_of_whom_was_told_is_known_without_a_capital() -> None:
    told = await proposed(
        "my daughter Cerys is doing marine biology", "agent: Nice", "cerys isnt doing marine biology any more, she swapped to geography"
    )  # fmt: skip
    assert [proposal.subject for proposal in told] == ["Cerys", "Cerys"]
