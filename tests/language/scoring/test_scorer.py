"""What becomes of a statement once it has been weighed, and what no weight brings back."""

import pytest

from palimpsest.model.kinds import Kind
from palimpsest_language.scoring.scorer import MAX_MESSAGE_CHARACTERS
from tests.support.language.scoring.weighing_with import Opinion, weighed_by
from tests.support.language.statements.saying import answered, asked

SURE, UNSURE = Opinion({}, 0.95), Opinion({}, 0.05)
HELLO = ("hi there", "agent: Hello! What's new?")


async def test_what_a_reader_would_hardly_keep_goes() -> None:
    request = asked(*HELLO, "The printer on the second floor was jammed on 3 May")
    assert await weighed_by(request, Opinion({}, 0.41))
    assert await weighed_by(request, UNSURE) == []


async def test_what_a_rule_has_taken_apart_stays_however_unlikely() -> None:
    [proposal] = await weighed_by(asked(*HELLO, "I'm allergic to peanuts"), UNSURE)
    assert (proposal.attribute, proposal.value) == ("allergies", "peanuts")


@pytest.mark.parametrize(("likely", "kind"), [(0.6, Kind.FACT), (0.9, Kind.DECISION)])
async def test_a_kind_is_mended_where_another_is_much_surer(likely: float, kind: Kind) -> None:
    text = "the rent is 940 euros now"
    opinion = Opinion({text: (Kind.DECISION, likely)}, 0.0, as_it_is=0.41)
    [proposal] = [
        each
        for each in await weighed_by(asked(*HELLO, text), opinion)
        if each.evidence[0].message == 3
    ]
    assert proposal.kind is kind


async def test_several_things_in_one_message_are_told_apart() -> None:
    parts = ("在城北的一家汽配厂当设备主管", "老家在重庆边上的万州", "养了两只从云南带回来的鹦鹉")
    texts = ("你好", "agent: 你好，怎么称呼？", f"我叫覃卫东，{'，'.join(parts)}")
    contents = {proposal.content for proposal in await weighed_by(asked(*texts), SURE)}
    assert set(parts[1:]) <= contents
    assert any(parts[0] in content for content in contents)


async def test_of_one_piece_alone_the_whole_says_enough() -> None:
    text = "我叫覃卫东，48岁，重庆人"
    likely = Opinion({"48岁": (Kind.FACT, 0.95)}, 0.0)
    proposals = await weighed_by(asked("你好", "agent: 你好！", text), likely)
    assert "48岁" not in {each.content for each in proposals}


async def test_what_is_added_quotes_its_words_and_has_their_time() -> None:
    texts = ("hey", "agent: Hi!", "picking up the hilux on saturday, rest of the week is quiet")
    proposals = await weighed_by(asked(*texts), SURE)
    for proposal in proposals:
        assert all(quote.quote in texts[quote.message - 1] for quote in proposal.evidence)
    assert any(each.time is not None for each in proposals)


@pytest.mark.parametrize(
    "text",
    [
        "If I moved to Oslo, I'd buy a boat and sell the car",
        "Do you think cats remember their mother, or do they forget her?",
        "要是我中了彩票，就辞职，去环游世界",
        "你觉得我该不该买车，还是先租房？",
        "He said he lives in Paris, and that he has two dogs",
    ],
)
async def test_what_is_asked_supposed_or_hearsay_is_not_brought_back(text: str) -> None:
    proposals = await weighed_by(asked("hello", "agent: Hi!", text), SURE)
    assert [proposal for proposal in proposals if proposal.evidence[0].message == 3] == []


async def test_a_text_to_work_on_is_not_brought_back() -> None:
    texts = ("please translate this", "agent: Sure, send it.", "我最喜欢橙色，想在巴黎开一家店")
    assert not any("巴黎" in each.content for each in await weighed_by(asked(*texts), SURE))


async def test_a_plan_that_was_given_up_is_not_brought_back() -> None:
    proposals = await weighed_by(
        asked("报上半马了，打算十月跑", "agent: 加油", "半马我放弃了"), SURE
    )
    assert not any("打算十月跑" in each.content for each in proposals)


async def test_an_agent_states_no_more_than_the_table_of_kinds_allows() -> None:
    texts = ("It crashes on start", "agent: Found it, the cache was full, so I cleared it")
    proposals = await weighed_by(asked(*texts), SURE)
    agents = [proposal for proposal in proposals if proposal.evidence[0].message == 2]
    allowed = {Kind.DECISION, Kind.CONCLUSION, Kind.LESSON, Kind.ACTION_ITEM}
    assert agents
    assert {agent.kind for agent in agents} <= allowed


async def test_a_message_by_itself_and_a_pasted_one_are_left_to_the_rules() -> None:
    alone = (await answered("my knee hurts, the left one, since the race")).proposals
    assert [proposal.content for proposal in alone] == [
        proposal.content
        for proposal in (await answered("my knee hurts, the left one, since the race")).proposals
    ]
    pasted = "I keep bees, and I sell honey, and it is calm. " * 60
    assert len(pasted) > MAX_MESSAGE_CHARACTERS
    assert all(proposal.confidence != 0.6 for proposal in (await answered("hi", pasted)).proposals)


async def test_the_same_conversation_the_same_answer() -> None:
    texts = ("我叫覃卫东，48岁，重庆人", "agent: 您好", "下周三去嘉定，提醒我带线")
    assert await answered(*texts) == await answered(*texts)
