"""People who talk to each other: "you" is one of them, and praise is no word on an agent's work."""

from palimpsest.model.kinds import Kind
from tests.support.language.statements.saying import proposed

TWO = ("Greta", "Malik")
THREE = (*TWO, "Ines")


async def test_you_is_the_other_of_two() -> None:
    proposals = await proposed(
        "Greta: I finally framed the print you gave me in March",
        "Malik: Glad it hangs somewhere, I have two more of them",
        people=TWO,
        participants=(),
    )
    assert "Malik gave" in proposals[0].content
    assert all("agent" not in proposal.content for proposal in proposals)


async def test_among_three_you_is_the_others() -> None:
    proposals = await proposed(
        "Greta: I still have the tent you lent me in March",
        "Malik: I need it on Sunday",
        "Ines: I have the pegs",
        people=THREE,
        participants=(),
    )
    assert "the others" in proposals[0].content


async def test_ni_is_the_other_of_two() -> None:
    proposals = await proposed(
        "小林: 我把你送的画挂在客厅了",
        "小周: 我还有两幅",
        people=("小林", "小周"),
        participants=(),
    )
    assert "小周送的画" in proposals[0].content


async def test_praise_of_each_other_is_no_feedback() -> None:
    proposals = await proposed(
        "Greta: Your post was spot on, great job!",
        "Malik: I wrote it on the train to Gouda",
        people=TWO,
        participants=(),
    )
    assert Kind.FEEDBACK not in {proposal.kind for proposal in proposals}


async def test_with_an_agent_among_them_you_is_the_agent() -> None:
    proposals = await proposed(
        "Greta: Your last summary was far too long",
        "scribe: Noted.",
        "Malik: I found it fine",
        people=TWO,
    )
    assert proposals[0].kind is Kind.FEEDBACK
