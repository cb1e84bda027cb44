"""What asks, and what only says that something is to be found out."""

import pytest

from palimpsest.model.kinds import Kind
from palimpsest_language.statements.questions_and_requests import is_question
from tests.support.language.statements.saying import proposed


@pytest.mark.parametrize(
    "text",
    [
        "教训：选框架之前先看组件库够不够用",
        "结论：先看组件库够不够用再选",
        "教训：要先看清楚够不够用",
        "教训：先确认数据对不对",
        "上线前必须检查配置有没有改",
        "签合同以前一定问清楚能不能退",
    ],
)
def test_what_has_to_be_found_out_is_no_question(text: str) -> None:
    assert not is_question(text, chinese=True)


@pytest.mark.parametrize(
    "text",
    [
        "这几天在休陪产假",
        "过几天再去",
        "我不怎么吃辣",
        "跑了好几次",
        "前几天刚搬完",
        "根本没怎么用过",
    ],
)
def test_words_of_questions_ask_nothing_in_statements(text: str) -> None:
    assert not is_question(text, chinese=True)


@pytest.mark.parametrize(
    "text",
    [
        "组件库够不够用",
        "这个框架好不好",
        "你看看数据对不对",
        "帮我看看够不够",
        "你去确认一下他来不来",
        "要不要先看看够不够用",
        "我先看看够不够用好吗",
    ],
)
def test_what_is_asked_of_somebody_is_one(text: str) -> None:
    assert is_question(text, chinese=True)


@pytest.mark.parametrize(
    "text", ["天气不错", "今天天气挺好的", "外面太阳很好", "Nice weather today!", "Lovely day, isn't it", "The weather is nice"]
)  # fmt: skip
@pytest.mark.parametrize("before", [(), ("hi", "agent: hello")])
async def test_the_weather_is_nobodys_work(text: str, before: tuple[str, ...]) -> None:
    assert await proposed(*before, text) == []


@pytest.mark.parametrize("text", ["这家店味道不错", "我老板人不错", "单身挺好的"])
async def test_what_the_agent_did_not_do_is_no_feedback(text: str) -> None:
    assert all(proposal.kind is not Kind.FEEDBACK for proposal in await proposed(text))


@pytest.mark.parametrize(
    "text", ["这个总结不错，很清楚", "你写得挺好的", "刚才的方案很好", "good summary, very clear"]
)
async def test_what_it_did_is(text: str) -> None:
    [proposal] = await proposed(text)
    assert (proposal.kind, proposal.subject, proposal.attribute) == (
        Kind.FEEDBACK,
        "agent",
        "likes",
    )


@pytest.mark.parametrize(
    "text",
    ["改主意了", "我又改主意了", "我改变主意了", "I changed my mind", "Nah, I've changed my mind"],
)
@pytest.mark.parametrize("before", [(), ("hi", "agent: hello")])
async def test_that_a_mind_was_changed_says_not_to_what(text: str, before: tuple[str, ...]) -> None:
    assert await proposed(*before, text) == []
