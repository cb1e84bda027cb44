"""What is said of a plan once it has been told: when it is, and when to be reminded of it."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from palimpsest.model.kinds import Kind
from palimpsest_language.statements.plan_details import asks_when
from tests.support.language.statements.saying import proposed

SHANGHAI = ZoneInfo("Asia/Shanghai")


def local(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(SHANGHAI).strftime("%m-%d %H:%M")


@pytest.mark.parametrize(
    ("plan", "question", "answer", "kind", "starts"),
    [
        ("I have a dentist appointment coming up", "When is it?", "Friday at 3pm", Kind.EVENT, "03-06 15:00"),
        ("need to renew my passport", "By when?", "on June 10", Kind.ACTION_ITEM, "06-10 00:00"),
        ("We're moving to Lisbon", "Exciting! When?", "probably in September", Kind.EVENT, "09-01 00:00"),
        ("我要去客户那边做演示", "什么时候呢？", "下周三下午两点", Kind.EVENT, "03-11 14:00"),
        ("我们要搬去成都了", "哇，什么时候搬？", "大概七月吧", Kind.EVENT, "07-01 00:00"),
        ("提醒我给我妈打电话", "几点提醒你？", "今晚九点", Kind.ACTION_ITEM, "03-04 21:00"),
        ("周五跟房东签合同", "几点？", "晚上七点半", Kind.EVENT, "03-06 19:30"),
    ],
)  # fmt: skip
async def test_the_answer_to_when_belongs_to_the_plan(
    plan: str, question: str, answer: str, kind: Kind, starts: str
) -> None:
    [proposal] = await proposed(plan, f"agent: {question}", answer)
    assert proposal.kind is kind
    assert proposal.time is not None
    assert local(proposal.time.starts_at) == starts
    assert answer in proposal.content
    assert [quote.message for quote in proposal.evidence] == [1, 3]


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When is it?", "Friday at 3pm"), ("什么时候呢？", "下周三下午两点")],
)
async def test_a_time_of_nothing_is_no_fact(question: str, answer: str) -> None:
    proposals = await proposed("hello", f"agent: {question}", answer)
    assert all(proposal.kind is not Kind.EVENT for proposal in proposals)


async def test_an_answer_that_says_more_stands_by_itself() -> None:
    proposals = await proposed("我要去做演示", "agent: 什么时候？", "下周三，我老婆那天生日")
    assert len(proposals) > 1


async def test_a_bare_reminder_is_of_what_was_said_before() -> None:
    first, second = await proposed(
        "I need to send Priya the slides by Friday", "agent: Should I remind you?",
        "Yes, remind me Thursday at 4pm",
    )  # fmt: skip
    assert "Priya" in second.content
    assert second.kind is Kind.ACTION_ITEM
    assert second.time is not None
    assert local(second.time.starts_at) == "03-05 16:00"
    assert first.time is not None


async def test_what_had_no_time_is_due_when_the_reminder_comes() -> None:
    [proposal] = await proposed("我要记得把体检报告取回来", "周五上午提醒我一下")
    assert "体检报告" in proposal.content
    assert proposal.time is not None
    assert local(proposal.time.starts_at) == "03-06 06:00"


@pytest.mark.parametrize(
    "text", ["When?", "Great! What time is it at?", "截止日期是哪天？", "好的，几点出发呢？"]
)
def test_an_agent_asks_when(text: str) -> None:
    assert asks_when(text)


@pytest.mark.parametrize("text", ["When it rains I'd stay home.", "什么时候都行。", "Which one?"])
def test_an_agent_asks_something_else(text: str) -> None:
    assert not asks_when(text)


async def test_a_short_answer_about_somebody_belongs_to_what_was_told_of_them() -> None:
    [proposal] = await proposed(
        "My nephew Tomas starts at the bakery on Monday",
        "agent: Is he nervous? How old is he?",
        "19",
    )
    assert proposal.content.endswith("; 19")
    assert [quote.message for quote in proposal.evidence] == [1, 3]


@pytest.mark.parametrize(
    ("question", "answer"),
    [("And you?", "trying to stay calm"), ("Is she all right?", "she's grand"), ("How is the garden without him?", "empty")],
)  # fmt: skip
async def test_how_somebody_is_now_is_no_memory(question: str, answer: str) -> None:
    assert await proposed(f"agent: {question}", answer) == []


async def test_the_evening_before_counts_from_the_day_that_was_spoken_of() -> None:
    *_, proposal = await proposed(
        "the check-up is on Wednesday 18 March",
        "can you remind me at 8pm the evening before to pack a bag",
    )
    assert proposal.time is not None
    assert local(proposal.time.starts_at) == "03-17 20:00"


@pytest.mark.parametrize(
    ("told", "month"),
    [
        ("I'm no longer at the brewery; I left on January 20.", "01-20 00:00"),
        ("I no longer work at the mill. quit in february", "02-01 00:00"),
    ],
)
async def test_when_it_was_may_stand_right_behind_it(told: str, month: str) -> None:
    proposals = await proposed(told)
    assert proposals[0].time is not None
    assert local(proposals[0].time.starts_at) == month
