"""What lies in a time is asked for, or something of it; and which time that is."""

from datetime import UTC, datetime

import pytest

from palimpsest_language.question_intents.question_times import (
    asks_only_for_a_time,
    build_time_span,
    find_question_times,
    is_span_over,
    names_a_past_time,
)
from palimpsest_language.time_expressions.expression import TimeExpression

NOW = datetime(2026, 11, 25, 9, 30, tzinfo=UTC)

OF_A_TIME = (
    "What happened last May?",
    "What happened in August?",
    "what went on last week",
    "What did I say in May?",
    "What did I tell you on August 27?",
    "What did I do yesterday?",
    "what did we talk about last Friday?",
    "Last month, what happened?",
    "What was going on in 2024?",
    "what's on next Friday?",
    "Anything planned for tomorrow?",
    "How was my last weekend?",
    "Tell me what happened on 3 March",
    "What have I been doing this week?",
    "what did I get up to last summer?",
    "Did anything happen on Monday?",
    "What do I have on next Tuesday?",
    "Can you summarize last week?",
    "what was I up to in June",
    "what did I mention to you last night?",
    "what were we talking about yesterday?",
    "What important things happened last year?",
    "and in August?",
    "What did you tell me on Monday?",
    "what happened to me in July?",
    "What all did I do this morning?",
    "五月发生了什么",
    "五月份我说了什么",
    "昨天我说了什么",
    "今年五月我跟你说了什么",
    "上周发生了什么事",
    "八月有什么大事",
    "我上个月都做了些什么",
    "去年夏天我干了什么？",
    "前天我们聊了什么",
    "昨天我跟你聊了些什么来着",
    "3月5日我说了什么",
    "上周末我忙了什么",
    "明天有什么安排",
    "下周五有什么事",
    "上周过得怎么样",
    "请总结一下上个月发生的事",
    "还记得去年十月发生了什么吗",
    "五月里发生过哪些事",
    "今天早上我讲了什么",
    "我五月在做什么",
    "8月27号我告诉你什么了",
    "国庆节我们做了什么",
    "前天有没有发生什么",
    "昨天我问了你什么",
    "今年六月都有什么",
    "What was up with me in July?",
    "Anything notable in March?",
    "Give me a recap of last month",
    "what have we discussed this week?",
    "On May 3, what did I do?",
    "what did I share with you last week",
    "List everything from last Tuesday",
    "What took place in 2023?",
    "how did last week go?",
    "What did you and I talk about in April?",
    "上个月有什么新鲜事",
    "帮我总结一下这周",
    "去年都发生了啥",
    "上周二我跟你提了什么",
    "四月份咱们都聊了哪些话题",
    "昨晚我做了什么",
    "周末干什么了",
    "我八月过得怎么样",
    "6月我都说过什么",
)

OF_SOMETHING = (
    "What happened?",
    "What did I say?",
    "What did I eat last May?",
    "What happened at work in August?",
    "Who did I meet last week?",
    "Where did I live in March?",
    "What did I say about the car in May?",
    "What did Tom do yesterday?",
    "Where did I go last summer?",
    "when is my flight next Friday?",
    "What did I buy on Monday?",
    "What does May like?",
    "what book did I read last month?",
    "What did my boss tell me on Monday?",
    "Did it rain yesterday?",
    "How was the concert last Friday?",
    "What is the plan for the garden next week?",
    "what happened to the cat in June?",
    "发生了什么",
    "我说了什么",
    "五月我吃了什么",
    "昨天小王说了什么",
    "上周我去了哪里",
    "三月份我住在哪",
    "五月工作上发生了什么",
    "昨天医生说了什么",
    "我上个月买了什么",
    "上周我跟小李聊了什么",
    "明天几点开会",
    "昨天我说的书叫什么",
    "去年我读了哪些书",
    "下周五谁来吃饭",
    "八月的旅行怎么样",
    "五月天唱了什么",
    "上周见了谁",
    "昨天的会议讨论了什么",
    "what did I cook last week?",
    "Who visited in May?",
    "what did I tell Ann yesterday?",
    "Is the shop open on Monday?",
    "how much did I spend in May?",
    "what was the weather in May?",
    "昨天吃了什么",
    "上周我见了谁",
    "五月我花了多少钱",
    "周五有雨吗",
)


def named(question: str) -> tuple[TimeExpression, ...]:
    return find_question_times(question, now=NOW, time_zone="UTC")


@pytest.mark.parametrize("question", OF_A_TIME)
def test_what_lies_in_a_time_is_asked_for(question: str) -> None:
    assert asks_only_for_a_time(question, named(question))


@pytest.mark.parametrize("question", OF_SOMETHING)
def test_where_more_is_named_that_is_asked_for(question: str) -> None:
    assert not asks_only_for_a_time(question, named(question))


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("三月份我住在哪", ["2026-03-01", "2027-03-01"]),
        ("3月5号我在哪", ["2026-03-05", "2027-03-05"]),
        ("What happened at Christmas?", ["2025-12-25", "2026-12-25"]),
        ("12月有什么", ["2026-12-01"]),
        ("明年三月我住哪", ["2027-03-01"]),
        ("Where will I live in March?", ["2027-03-01"]),
        ("Where did I live in March?", ["2026-03-01"]),
        ("what was I up to in June", ["2026-06-01"]),
        ("明天我在哪", ["2026-11-26"]),
        ("Where do I live?", []),
    ],
)
def test_what_comes_back_was_too_unless_the_question_looks_ahead(
    question: str, begins: list[str]
) -> None:
    assert [
        f"{time_expression.starts_at:%Y-%m-%d}" for time_expression in named(question)
    ] == begins


def test_a_time_is_over_once_its_end_is_known_and_was() -> None:
    (august,) = map(build_time_span, named("last August"))
    (since,) = map(build_time_span, named("since August"))
    assert is_span_over(august, NOW)
    assert not is_span_over(since, NOW)
    assert names_a_past_time("What did I say in August?", now=NOW, time_zone="UTC")
    assert not names_a_past_time("What did I say today?", now=NOW, time_zone="UTC")
