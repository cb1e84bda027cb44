"""One thing is told once, whatever kinds it may be taken for."""

import pytest

from palimpsest.model.kinds import Kind
from tests.support.language.scoring.weighing_with import Opinion, weighed_by
from tests.support.language.statements.saying import asked

HELLO = ("你好", "agent: 你好呀！最近怎么样？")
CAUSE = "The root cause of the slow checkout was a missing index on the orders table"


async def told(*texts: str, likely: dict[str, tuple[Kind, float]]) -> list[tuple[Kind, str]]:
    proposals = await weighed_by(asked(*texts), Opinion(likely, 0.0))
    return [(proposal.kind, proposal.content) for proposal in proposals]


async def test_the_same_words_as_two_kinds_are_told_as_the_likelier() -> None:
    found = await told("it is slow", f"agent: {CAUSE}.", likely={CAUSE: (Kind.DECISION, 0.95)})
    assert [content for _, content in found].count(CAUSE) == 1


async def test_what_a_rule_has_taken_apart_stays_what_it_is() -> None:
    texts = ("你好", "agent: 新家怎么样？", "我已经搬到杭州了，离西湖走路十分钟。")
    likely = {"我已经搬到杭州了，离西湖走路十分钟": (Kind.EVENT, 0.99)}
    found = await told(*texts, likely=likely)
    assert found == [(Kind.FACT, "用户已经搬到杭州了，离西湖走路十分钟")]


async def test_a_statement_with_an_attribute_is_not_told_again_behind_another_sentence() -> None:
    texts = ("你好", "agent: 今天想先做哪一块？", "先做商品页。我喜欢用 Vue 写前端页面。")
    assert await told(*texts, likely={"先做商品页": (Kind.DECISION, 0.95)}) == [
        (Kind.DECISION, "先做商品页"),
        (Kind.PREFERENCE, "用户喜欢用 Vue 写前端页面"),
    ]


async def test_what_leaves_out_who_did_it_is_told_once_with_who_did() -> None:
    booked = "also booked the dentist for Tuesday"
    texts = ("renewed my pass", "agent: good", booked)
    found = await told(*texts, likely={booked: (Kind.EVENT, 0.95)})
    assert [content for _, content in found if "dentist" in content] == [
        "The user booked the dentist for Tuesday"
    ]


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("我有个饭搭子叫阿杰 是隔壁健身房的教练", "是隔壁健身房的教练"),
        ("我在准备考宠物美容师A级证 明年四月考", "明年四月考"),
        ("我抽烟抽了三十年了 一天一包半", "一天一包半"),
        ("我最爱吃肥肠粉 但是不吃香菜", "但是不吃香菜"),
    ],
)
async def test_what_goes_on_what_stands_before_it_is_not_told_alone(text: str, piece: str) -> None:
    found = await told(*HELLO, text, likely={text: (Kind.FACT, 0.95), piece: (Kind.FACT, 0.95)})
    assert piece not in [content for _, content in found]


@pytest.mark.parametrize(
    ("text", "piece"),
    [("周强月考考砸了 班主任", "班主任"), ("先背单词 明年12月考", "明年12月考")],
)
async def test_somebody_or_a_time_of_which_nothing_is_said_is_nothing_to_tell(
    text: str, piece: str
) -> None:
    found = await told(*HELLO, text, likely={piece: (Kind.FACT, 0.95)})
    assert piece not in [content for _, content in found]


async def test_what_is_said_of_another_of_ones_people_is_told_of_them_alone() -> None:
    father = "我爸开了家五金店 都在岳阳"
    found = await told(*HELLO, f"我妈是小学老师 {father}", likely={father: (Kind.PERSON, 0.95)})
    assert not any("老师" in content and "五金店" in content for _, content in found)
