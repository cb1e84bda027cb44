"""One subject, several lasting things: told apart only where rules know each of them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.memory import Status
from palimpsest_language.local_extraction.compound_sentences import split_into_statements
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.time_expressions.sentence_times import UtteranceTime
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from tests.support.language.statements.saying import answered
from tests.support.windows import window

SAID = UtteranceTime(datetime(2026, 3, 4, 2, 0, tzinfo=UTC), "Asia/Shanghai")

APART = [
    ("我住在上海，对花生过敏。", ["我住在上海", "我对花生过敏。"]),
    ("我现在住在上海，对花生过敏", ["我现在住在上海", "我对花生过敏"]),
    ("我在腾讯上班，对海鲜过敏", ["我在腾讯上班", "我对海鲜过敏"]),
    ("我住在上海，在腾讯工作", ["我住在上海", "我在腾讯工作"]),
    ("我住在上海，喜欢喝咖啡", ["我住在上海", "我喜欢喝咖啡"]),
    ("我住在上海，而且对花生过敏", ["我住在上海", "我对花生过敏"]),
    ("我是程序员，在腾讯上班", ["我是程序员", "我在腾讯上班"]),
    ("我住在上海，养了一只猫，叫小白", ["我住在上海", "我养了一只猫，叫小白"]),
    ("你好，我住在上海，对花生过敏", ["你好，我住在上海", "我对花生过敏"]),
    ("我在字节做后端，对花生过敏", ["我在字节做后端", "我对花生过敏"]),
    (
        "I'm a software engineer at Google, live in Zurich, and love hiking.",
        ["I'm a software engineer at Google", "I live in Zurich", "I love hiking."],
    ),
    (
        "我叫李雷，住在上海，是程序员，喜欢喝咖啡，对花生过敏。",
        ["我叫李雷", "我住在上海", "我是程序员", "我喜欢喝咖啡", "我对花生过敏。"],
    ),
    (
        "I live in Shanghai, work at Tencent and am allergic to peanuts",
        ["I live in Shanghai", "I work at Tencent", "I am allergic to peanuts"],
    ),
    (
        "我叫林涛 今年三十二 在苏州上班 老婆怀孕了",
        ["我叫林涛", "我今年三十二", "我在苏州上班 老婆怀孕了"],
    ),
    ("我在苏州做外贸 对海鲜过敏", ["我在苏州做外贸", "我对海鲜过敏"]),
    ("I live in Berlin and work at Google.", ["I live in Berlin", "I work at Google."]),
    (
        "I'm allergic to peanuts and live in Berlin",
        ["I'm allergic to peanuts", "I live in Berlin"],
    ),
    (
        "I'm a nurse, live in Lyon, and have a dog",
        ["I'm a nurse", "I live in Lyon", "I have a dog"],
    ),
    ("I have a cat and am allergic to peanuts", ["I have a cat", "I am allergic to peanuts"]),
    ("I'm a nurse and allergic to peanuts", ["I'm a nurse", "I am allergic to peanuts"]),
]

TOGETHER = [
    "我养了一只猫，叫小白",
    "我养了一只猫 叫小白",
    "我住在上海 他对花生过敏",
    "我明天去北京 在酒店上班",
    "我养了一只猫，喜欢吃鱼",
    "我养了一只猫，对花生过敏",
    "我在苏州做嵌入式，干了六年了",
    "我在腾讯工作，做搜索",
    "我在腾讯上班，负责搜索",
    "我在字节做后端，在搜索团队",
    "我在腾讯上班，喜欢这份工作",
    "我住在上海，很喜欢这里",
    "我住在上海，喜欢上海的夜景",
    "我住在上海，在浦东工作",
    "我住在上海，离公司很远",
    "我喜欢吃火锅，不喜欢太辣",
    "我对花生过敏，不吃坚果",
    "我妈住在上海，对花生过敏",
    "我和老婆住在上海，在腾讯工作",
    "我住在上海，女儿在北京，对花生过敏",
    "我想搬到上海，在腾讯工作",
    "以前我住在上海，在腾讯工作",
    "去年我住在上海，在腾讯工作",
    "如果我住在上海，在腾讯工作",
    "我住在上海，在腾讯工作吗？",
    "住在上海，对花生过敏",
    "我住在上海，我对花生过敏",
    "I work at Tencent, in the search team",
    "I work at Tencent and love it",
    "I live in Berlin and love the food there",
    "I like people who live in Berlin and work at Google",
    "I used to live in Berlin and work at Google",
    "I want to live in Berlin and work at Google",
    "I lived in Berlin last year and work at Google",
    "My wife lives in Berlin and works at Google",
    "I have a cat, called Snow",
    "I like hiking, skiing and swimming",
    "I live and work in Berlin",
    "If I live in Berlin and work at Google",
]


@pytest.mark.parametrize(("text", "parts"), APART)
def test_each_thing_that_a_rule_knows_has_the_subject_carried_over(
    text: str, parts: list[str]
) -> None:
    assert split_into_statements(text, SAID).splitlines() == parts


@pytest.mark.parametrize("text", TOGETHER)
def test_what_adds_detail_or_may_be_of_somebody_else_stays_where_it_is(text: str) -> None:
    assert split_into_statements(text, SAID) == text


@pytest.mark.parametrize(("text", "parts"), APART)
def test_what_was_told_apart_is_left_as_it_is(text: str, parts: list[str]) -> None:
    assert split_into_statements("\n".join(parts), SAID) == "\n".join(parts)


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("我住在上海，对花生过敏。", ["我住在上海", "对花生过敏。"]),
        ("我住在上海，而且对花生过敏。", ["我住在上海", "对花生过敏。"]),
        ("I live in Berlin and am allergic to nuts", ["I live in Berlin", "am allergic to nuts"]),
        ("I'm a nurse and allergic to nuts", ["I'm a nurse", "allergic to nuts"]),
    ],
)
async def test_the_evidence_of_each_is_its_own_words(text: str, quotes: list[str]) -> None:
    answer = await answered(text)
    assert [[quote.quote for quote in proposal.evidence] for proposal in answer.proposals] == [
        [quote] for quote in quotes
    ]


async def test_several_people_each_speak_of_themselves() -> None:
    answer = await answered("Lin: 我住在上海，对花生过敏", "Bo: 我住在杭州", people=("Lin", "Bo"))
    assert [
        (proposal.subject, proposal.attribute, proposal.value) for proposal in answer.proposals
    ] == [
        ("Lin", "city", "上海"),
        ("Lin", "allergies", "花生"),
        ("Bo", "city", "杭州"),
    ]


@given(st.lists(st.sampled_from([text for text, _ in APART] + TOGETHER), min_size=1, max_size=3))
async def test_every_quote_stands_in_the_message(texts: list[str]) -> None:
    message = "。".join(texts)
    answer = await answered(message)
    assert all(
        quote.quote in message for proposal in answer.proposals for quote in proposal.evidence
    )


@pytest.mark.parametrize(
    ("told", "moved", "attribute", "value"),
    [
        ("我住在上海，对花生过敏。", "我已经搬到杭州了", "city", "上海"),
        ("我在腾讯上班，对花生过敏。", "我现在在字节跳动上班", "employer", "腾讯"),
        (
            "I live in Shanghai, work at Tencent and am allergic to peanuts",
            "I moved to Berlin",
            "city",
            "Shanghai",
        ),
    ],
)
async def test_who_moves_keeps_the_allergy(
    told: str, moved: str, attribute: str, value: str
) -> None:
    known = Overlay()
    asked = window(told, moved)
    answer = await LocalExtractor().extract(build_extraction_request(asked))
    for candidate in propose_candidates(asked, answer, provider="local").event.candidates:
        decide_candidate(known, candidate, received_at=candidate.occurred_at, epoch=0)
    memories = {change.after.id: change.after for change in known.take_changes()}.values()
    status = {(memory.attribute, memory.value): memory.status for memory in memories}
    assert status[attribute, value] is Status.SUPERSEDED
    [allergy] = [memory for memory in memories if memory.attribute == "allergies"]
    assert allergy.status is Status.ACTIVE
