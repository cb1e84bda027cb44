"""Statements of somebody else end as the user's, and are told of that person."""

import pytest

from palimpsest.model.turn import Role
from palimpsest_language.off_the_record.withheld_turns import find_withheld_turn_ids
from tests.support.language.statements.saying import proposed
from tests.support.turns import turn


@pytest.mark.parametrize(
    ("texts", "ended", "owner"),
    [
        (
            ("That wasn't me last time, my brother Owen was typing. The walnut allergy is his.",),
            ("allergies", "walnuts"),
            ("Owen", "The user's brother Owen is allergic to walnuts"),
        ),
        (
            (
                "I'm allergic to cats.",
                "agent: ok",
                "It's not me who is allergic to cats, it's my wife.",
            ),
            ("allergies", "cats"),
            ("wife", "The user's wife is allergic to cats"),
        ),
        (
            ("My brother is the one who lives in Rome, not me",),
            ("city", "Rome"),
            ("brother", "The user's brother lives in Rome"),
        ),
        (
            ("It's my flatmate who is vegan, not me.",),
            ("diet", "vegan"),
            ("flatmate", "The user's flatmate is vegan"),
        ),
        (
            ("上次那句不是我说的，是我弟用我手机发的，对海鲜过敏的是他，不是我。",),
            ("allergies", "海鲜"),
            ("弟弟", "用户弟弟对海鲜过敏"),
        ),
        (
            ("我住在大理。", "agent: 好", "住在大理的其实是我姐，不是我。"),
            ("city", "大理"),
            ("姐姐", "用户姐住在大理"),
        ),
        (("不是我对花生过敏，是我弟。",), ("allergies", "花生"), ("弟弟", "用户弟对花生过敏")),
        (("海鲜过敏是他的，不是我的",), ("allergies", "海鲜"), None),
    ],
)
async def test_a_denied_statement_ends_and_is_its_owners(
    texts: tuple[str, ...], ended: tuple[str, str], owner: tuple[str, str] | None
) -> None:
    proposals = await proposed(*texts)
    of_user = [proposal for proposal in proposals if proposal.subject == "user"]
    assert [(proposal.attribute, proposal.value, proposal.ended) for proposal in of_user] == [
        (*ended, True)
    ]
    others = [
        (proposal.subject, proposal.content) for proposal in proposals if proposal not in of_user
    ]
    assert others == ([owner] if owner else [])


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to walnuts, not my brother.",
        "The walnut allergy is mine, not his.",
        "对海鲜过敏的是我，不是他。",
    ],
)
async def test_what_is_the_users_stays_the_users(text: str) -> None:
    assert not any(proposal.ended for proposal in await proposed(text))


def withheld(*texts: str) -> list[str]:
    turns = [
        turn(number, text=text, role=Role.AGENT if text == "ok" else Role.USER)
        for number, text in enumerate(texts, start=1)
    ]
    ids = find_withheld_turn_ids(turns)
    return [one.text for one in turns if one.id in ids and one.text != "ok"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("I am a spy", "ok", "That was my brother typing."), ["I am a spy"]),
        (("I am a spy", "ok", "That wasn't me, my flatmate had my phone"), ["I am a spy"]),
        (("I am a spy", "ok", "Please disregard my last message, my kid sent it"), ["I am a spy"]),
        (
            (
                "I have diabetes",
                "ok",
                "I live in Rome",
                "ok",
                "ignore what I wrote about diabetes, my flatmate had my phone",
            ),
            ["I have diabetes"],
        ),
        (("我是间谍", "ok", "刚才那条不是我发的"), ["我是间谍"]),
        (("我是间谍", "ok", "是我弟用我手机发的"), ["我是间谍"]),
        (
            ("我有糖尿病", "ok", "我住大理", "ok", "忘掉我说的糖尿病的事，是室友拿我手机发的"),
            ["我有糖尿病"],
        ),
        (("I am a spy", "ok", "That wasn't me last time, my brother was typing"), []),
        (("I am a spy", "ok", "That was my brother's wedding"), []),
        (("I wrote to him", "ok", "It was my boss who hired me"), []),
        (("我是间谍", "ok", "那是我弟弟的婚礼"), []),
        (("我是间谍", "ok", "上次那句不是我说的"), []),
    ],
)
def test_a_message_that_somebody_else_wrote_is_withheld(
    texts: tuple[str, ...], expected: list[str]
) -> None:
    assert withheld(*texts) == expected
