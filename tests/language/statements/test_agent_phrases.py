"""What agents say that is worth keeping: conclusions, decisions, promises, lessons."""

import pytest

from palimpsest.model.kinds import Kind
from tests.support.language.statements.saying import proposed

LESSONS = [
    ("The deploy failed again, it times out.", "Your runner needs the mirror setting, docker pulls hang without it."),
    ("镜像又拉失败了", "你这边的网络得走镜像站，拉之前要先设好加速地址。"),
]  # fmt: skip


@pytest.mark.parametrize(("trouble", "remedy"), LESSONS)
async def test_where_something_went_wrong_what_an_agent_says_is_needed_is_a_lesson(
    trouble: str, remedy: str
) -> None:
    proposals = await proposed(trouble, f"agent: {remedy}")
    assert [proposal.kind for proposal in proposals if proposal.evidence[0].message == 2] == [
        Kind.LESSON
    ]
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
    ("The share of returns went from 4% to 11% in a month", Kind.CONCLUSION),
    ("Refunds were booked as new sales", Kind.CONCLUSION),
    ("The new banner had no measurable effect", Kind.CONCLUSION),
    ("退货率从 4% 涨到了 11%", Kind.CONCLUSION),
]


@pytest.mark.parametrize(("text", "kind"), AGENTS)
async def test_agents_conclude_decide_promise_and_learn(text: str, kind: Kind) -> None:
    [proposal] = await proposed(f"scribe: {text}", participants=("scribe", "analyst"))
    assert proposal.kind is kind


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
        "Reminder set for 6 pm today: book the van.",
        "Monday at 9, call the vet. Sleep well, both of you.",
        "记好了：9 月 23 日 14:30 拔牙，22 日提醒您。",
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


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how long should a bio be?", "Most are between 60 and 120 words."),
        ("溏心蛋煮几分钟", "水开后下锅，中小火 6 分半到 7 分钟。"),
        ("给我讲个冷笑话", "有一天绿豆跳楼，就变成了红豆。"),
    ],
)
async def test_what_a_lone_agent_answers_is_no_finding(question: str, answer: str) -> None:
    assert await proposed(question, f"agent: {answer}") == []


async def test_what_it_found_out_is_one() -> None:
    [proposal] = await proposed(
        "which subject line won?", "agent: The second won: 31% opens over 4,800 recipients."
    )
    assert proposal.kind is Kind.CONCLUSION


async def test_a_labelled_lesson_is_a_thing_of_its_own() -> None:
    proposals = await proposed(
        "the orders come twice",
        "agent: The webhook is retried after 10 seconds. Lesson: answer first, work in a queue.",
    )
    assert [proposal.kind for proposal in proposals][:2] == [Kind.CONCLUSION, Kind.LESSON]
    assert "retried" not in proposals[1].content
