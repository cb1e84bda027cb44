"""The kinds of conversation that the design is about: what each of them should leave behind."""

import pytest

from palimpsest.model.kinds import Kind
from palimpsest_language.proposals import Proposal
from tests.support.language.statements.saying import proposed


def about(proposals: list[Proposal], words: str) -> Proposal:
    [one] = [proposal for proposal in proposals if words in proposal.content]
    return one


@pytest.mark.parametrize(
    ("text", "kind", "kept"),
    [
        ("我写代码喜欢用 TypeScript，风格偏函数式，组合优先于继承", Kind.PREFERENCE, ["TypeScript", "函数式", "组合"]),
        ("我喜欢函数式的写法", Kind.PREFERENCE, ["函数式"]),
        ("我一般开着 TypeScript 的严格模式写", Kind.FACT, ["TypeScript", "严格模式"]),
        ("我不喜欢用 class 做继承", Kind.PREFERENCE, ["不喜欢", "class"]),
        ("我正在做一个叫 Lumen Studio 的产品", Kind.FACT, ["Lumen Studio"]),
        ("我们的项目用的是 Drizzle 加 SQLite", Kind.FACT, ["Drizzle", "SQLite"]),
        ("碰到了 Docker 的网络问题", Kind.CONTEXT, ["Docker", "网络"]),
        ("Docker 得套上 proxy-env 才能跑", Kind.LESSON, ["Docker", "proxy-env"]),
        ("SQLite 有些复杂的查询是不支持的", Kind.LESSON, ["SQLite", "不支持"]),
        ("上回用这个办法没成功", Kind.LESSON, ["没成功"]),
    ],
)  # fmt: skip
async def test_gated_how_somebody_codes_what_the_project_is_made_of_and_what_failed(
    text: str, kind: Kind, kept: list[str]
) -> None:
    [proposal] = await proposed(text)
    assert proposal.kind is kind
    assert all(words in proposal.content for words in kept)


@pytest.mark.parametrize(
    ("failure", "remedy"),
    [
        ("镜像又构建失败了，拉依赖超时", "我把这个问题记下来：你这边的网络要走代理，docker 命令前面得加 proxy-env。"),
        ("The image build failed again, it times out.", "I have written this down: in your network docker commands need proxy-env in front."),
    ],
)  # fmt: skip
async def test_gated_a_lesson_that_only_the_agent_states(failure: str, remedy: str) -> None:
    proposals = await proposed(failure, f"agent: {remedy}")
    lesson = about(proposals, "proxy-env")
    assert lesson.kind is Kind.LESSON
    assert [quote.message for quote in lesson.evidence] == [2]


async def test_companion_a_cat_in_two_messages_and_a_trip_to_come() -> None:
    for texts, cat, trip in (
        (("我可喜欢猫了", "agent: 养了吗？", "我家那只猫叫小雪", "我下周要去京都出差"), "小雪", "京都"),
        (("I love cats.", "agent: Have you got one?", "My cat is called Snowy.", "I'm flying to Kyoto on business next week."), "Snowy", "Kyoto"),
    ):  # fmt: skip
        proposals = await proposed(*texts)
        assert [proposal.kind for proposal in proposals] == [Kind.PREFERENCE, Kind.FACT, Kind.EVENT]
        assert (proposals[1].attribute, proposals[1].value) == ("pets", cat)
        assert trip in proposals[2].content
        assert proposals[2].occurred_at is not None
        assert proposals[2].occurred_at.isoformat() == "2026-03-08T16:00:00+00:00"


@pytest.mark.parametrize(
    ("text", "kinds", "kept"),
    [
        ("我做图偏好蓝色系的配色", {Kind.PREFERENCE}, ["蓝色"]),
        ("I prefer a blue colour scheme", {Kind.PREFERENCE}, ["blue"]),
        ("我的公司叫深井科技，主要做 AI 产品", {Kind.FACT}, ["深井科技", "AI"]),
        ("My company is called Deepwell and builds AI products", {Kind.FACT}, ["Deepwell", "AI"]),
        ("我一般每周一上午九点用你写周报", {Kind.PREFERENCE, Kind.FACT}, ["每周一", "周报"]),
        ("I usually write the weekly report with you on Monday mornings", {Kind.FACT, Kind.PREFERENCE}, ["Monday", "weekly report"]),
        ("做深度调研先搜索，再读网页，最后总结", {Kind.LESSON}, ["搜索", "读网页", "总结"]),
    ],
)  # fmt: skip
async def test_blended_a_taste_a_company_a_habit_and_a_way_of_working(
    text: str, kinds: set[Kind], kept: list[str]
) -> None:
    [proposal] = await proposed(text)
    assert proposal.kind in kinds
    assert all(words in proposal.content for words in kept)


async def test_profile_a_change_of_job_is_thought_about_and_then_made() -> None:
    [thought] = await proposed("我最近在考虑换工作")
    assert thought.kind is Kind.CONTEXT
    left, joined = await proposed("我之前在甲公司上班，最近跳槽到乙公司了")
    assert (left.attribute, left.value, left.ended) == ("employer", "甲公司", True)
    assert (joined.attribute, joined.value, joined.ended) == ("employer", "乙公司", False)
    left, joined = await proposed("I used to work at Acme. I've just joined Globex.")
    assert (left.value, left.ended, joined.value) == ("Acme", True, "Globex")


@pytest.mark.parametrize(
    ("text", "employer"),
    [
        ("I left Acme last month and joined Globex", "Globex"),
        ("I quit my job at Acme and started at Globex.", "Globex"),
        ("I left Acme to join Globex", "Globex"),
        ("我上个月离开甲公司，加入了乙科技", "乙科技"),
        ("我从甲公司离职去了乙科技", "乙科技"),
        ("我上个月从甲公司跳槽到乙科技", "乙科技"),
    ],
)
async def test_a_change_of_job_may_be_told_in_one_breath(text: str, employer: str) -> None:
    standing = [proposal for proposal in await proposed(text) if not proposal.ended]
    assert [(proposal.attribute, proposal.value) for proposal in standing] == [
        ("employer", employer)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I left Anna and Bob at the station",
        "I left work and went to the gym",
        "我从家里出来去了公园",
    ],
)
async def test_not_all_that_is_left_is_a_job(text: str) -> None:
    assert all(proposal.attribute != "employer" for proposal in await proposed(text))


async def test_layered_several_agents_conclude_decide_and_promise() -> None:
    proposals = await proposed(
        "缓存用哪个，今天定下来",
        "architect: 我压测过，Redis 单机 8 万 QPS，够用。",
        "coder: 换成别的要改 14 个文件，大概两天。",
        "那就用 Redis",
        "coder: 我来把过期时间改成配置，下周一之前提交。",
        participants=("architect", "coder"),
    )
    assert about(proposals, "8 万 QPS").kind is Kind.CONCLUSION
    assert about(proposals, "14 个文件").kind is Kind.CONCLUSION
    assert about(proposals, "就用 Redis").kind is Kind.DECISION
    promise = about(proposals, "过期时间")
    assert promise.kind is Kind.ACTION_ITEM
    assert promise.time is not None
