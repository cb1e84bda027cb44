"""What people and agents say in passing in Chinese, and what must not be made of it."""

import pytest

from palimpsest.model.turn import Role
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.proposals import Proposal
from palimpsest_server.extraction.extraction_window import build_extraction_request
from tests.support.windows import said, window

AGENT = "A:"


async def kept(*messages: str) -> tuple[Proposal, ...]:
    turns = [
        said(
            message.removeprefix(AGENT), role=Role.AGENT if message.startswith(AGENT) else Role.USER
        )
        for message in messages
    ]
    return (await LocalExtractor().extract(build_extraction_request(window(*turns)))).proposals


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("大夫让我把烟戒了", "大夫让用户戒烟"),
        ("书法课先停了", "用户的书法课停了"),
        ("我们放弃了原来的MySQL方案", "用户放弃了原来的 MySQL 方案"),
        ("先自我介绍一下，我是刘建国", "先自我介绍一下，用户是刘建国"),
        ("你提醒我下周三联系货拉拉", "提醒用户下周三联系货拉拉"),
        ("改喝普洱", "用户改喝普洱"),
        ("咖啡不喝了，改喝普洱", "用户不再喝咖啡"),
    ],
)
async def test_it_is_told_as_it_was_meant(text: str, content: str) -> None:
    assert [proposal.content for proposal in await kept(text)] == [content]


@pytest.mark.parametrize("text", ["大夫让我把烟戒了", "书法课先停了", "我们放弃了原来的MySQL方案"])
async def test_what_is_no_pastime_is_none(text: str) -> None:
    assert {proposal.attribute for proposal in await kept(text)} <= {None}


@pytest.mark.parametrize("text", ["我不玩滑板了", "围棋我放弃了", "我把吉他戒了"])
async def test_what_is_one_is_given_up(text: str) -> None:
    assert [(proposal.attribute, proposal.ended) for proposal in await kept(text)] == [
        ("hobbies", True)
    ]


async def test_she_is_whoever_was_named_last() -> None:
    proposals = await kept("18号是我丈母娘生日", "养猫的事我和小雅商量了，她对猫毛过敏")
    assert not [proposal for proposal in proposals if proposal.subject == "丈母娘"]


async def test_she_is_whoever_was_told_of_where_nobody_else_is() -> None:
    proposals = await kept("我丈母娘下周过生日", "她对猫毛过敏")
    assert "用户的丈母娘对猫毛过敏" in [one.content for one in proposals]


@pytest.mark.parametrize(
    "text",
    [
        "A:真是分工明确的一家人。",
        "A:记得按时吃药，定期量血压。",
        "A:太厉害了，一家人都会做饭。",
        "二月初走",
        "明年12月考",
    ],
)
async def test_kind_words_and_pieces_are_not_kept(text: str) -> None:
    assert await kept(text) == ()


async def test_what_is_moved_is_what_the_words_around_it_name() -> None:
    proposals = await kept("取暖费11月15号要交", "手术改时间了，改到12月15号上午")
    assert [proposal.content for proposal in proposals][-1] == "手术改时间了，改到12月15号上午"
    assert not [
        proposal
        for proposal in proposals
        if "取暖费" in proposal.content and "12月" in proposal.content
    ]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("我在小学教语文", "job", "教语文"),
        ("我是教高中数学的", "job", "教高中数学"),
        ("我开网约车的", "job", "开网约车"),
        ("你可以叫我婷婷", "preferred_name", "婷婷"),
        ("我全名周婷", "name", "周婷"),
        ("我姓刘，刘建国", "name", "刘建国"),
        ("我吃虾会起疹子", "allergies", "虾"),
        ("我最近在学吉他", "skills", "吉他"),
        ("我会弹钢琴", "skills", "钢琴"),
        ("我会游泳", "skills", "游泳"),
        ("我有高血压", "health_conditions", "高血压"),
        ("我血压有点高", "health_conditions", "高血压"),
        ("我去年查出来有痛风", "health_conditions", "痛风"),
        ("我有女朋友了", "marital_status", "有女朋友"),
        ("我今年六十二岁", "age", "62"),
        ("我在吃二甲双胍", "medication", "二甲双胍"),
    ],
)
async def test_it_is_known_what_it_is_about(text: str, attribute: str, value: str) -> None:
    assert [(proposal.attribute, proposal.value) for proposal in await kept(text)] == [
        (attribute, value)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "我妈有高血压",
        "我没有对象",
        "我不会弹钢琴",
        "我儿子在学钢琴",
        "我女儿在小学教语文",
        "我有高血压家族史",
        "我教他数学",
        "我爸在吃二甲双胍",
        "我会努力的",
        "我吃了虾",
    ],
)
async def test_what_is_of_others_or_not_so_is_not_the_speakers(text: str) -> None:
    mine = [
        proposal
        for proposal in await kept(text)
        if proposal.subject in (None, "user") and proposal.attribute
    ]
    assert mine == []
