"""What agents say that is worth keeping: conclusions, decisions, promises, lessons."""

import pytest

from palimpsest.domain.kinds import Kind
from tests.libs.providers.extraction.rules.statements.saying import proposed

LESSONS = [
    ("The deploy failed again, it times out.", "Your runner needs the mirror setting, docker pulls hang without it."),
    ("镜像又拉失败了", "你这边的网络得走镜像站，拉之前要先设好加速地址。"),
]  # fmt: skip


@pytest.mark.parametrize(("trouble", "remedy"), LESSONS)
async def test_where_something_went_wrong_what_an_agent_says_is_needed_is_a_lesson(
    trouble: str, remedy: str
) -> None:
    found = await proposed(trouble, f"agent: {remedy}")
    assert [each.kind for each in found if each.evidence[0].message == 2] == [Kind.LESSON]
    assert await proposed("Good morning, all fine here?", f"agent: {remedy}") == []


AGENTS = [
    ("Conclusion: below 20 euros nobody cancels", Kind.CONCLUSION),
    ("In the survey 8 of 12 people never opened the menu", Kind.CONCLUSION),
    ("Decision: invoices go out on the 5th", Kind.DECISION),
    ("I'll have the mock-ups ready by Friday", Kind.ACTION_ITEM),
    ("Lesson: warm the cache before the campaign", Kind.LESSON),
    ("The date picker breaks on leap years", Kind.CONCLUSION),
    ("日期控件遇到闰年会出错", Kind.CONCLUSION),
    ("Six of ten people never found the exit", Kind.CONCLUSION),
    ("The main reason was the missing index", Kind.CONCLUSION),
    ("Headers break with tabs, I reproduced it twice", Kind.CONCLUSION),
    ("Headers break with tabs. I saw it on both machines", Kind.CONCLUSION),
    ("I can deliver the icons by Friday", Kind.ACTION_ITEM),
    ("表头遇到制表符会错，两台机器都能复现", Kind.CONCLUSION),
    ("好，周四给修复", Kind.ACTION_ITEM),
    ("压测结果：单机每秒 900 单，瓶颈在磁盘", Kind.CONCLUSION),
    ("结论：账单统一在每月 5 号发", Kind.DECISION),
    ("我来改导出脚本，周五之前提交", Kind.ACTION_ITEM),
    ("教训：活动前要先预热缓存", Kind.LESSON),
]


@pytest.mark.parametrize(("text", "kind"), AGENTS)
async def test_agents_conclude_decide_promise_and_learn(text: str, kind: Kind) -> None:
    [found] = await proposed(f"scribe: {text}", participants=("scribe", "analyst"))
    assert found.kind is kind


@pytest.mark.parametrize(
    "text",
    [
        "Got it, no bullet points from now on.",
        "Moved it to Friday at 9.",
        "Would you like a reminder for 5 pm?",
        "好的，以后都用黑体。",
        "已经改好了。",
        "需要我周五提醒你吗？",
        "好的，周三晚上八点提醒你。",
    ],
)
async def test_an_agent_that_says_again_what_it_was_told_adds_nothing(text: str) -> None:
    assert await proposed(f"agent: {text}") == []


@pytest.mark.parametrize(
    "text",
    ["我可以为您申请退款，3 个工作日内到账", "I could offer you 50% off for three months", "明天降水概率 70%"],
)  # fmt: skip
async def test_what_an_agent_offers_or_knows_of_the_world_is_not_remembered(text: str) -> None:
    assert await proposed("好的", f"agent: {text}") == []
