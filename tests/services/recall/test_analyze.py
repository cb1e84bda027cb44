"""What a question asks for besides its words: a time, what was, what was just said, what was talked of."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role
from tests.support.services.recall.world import NOW, World

ADA = Scope(user_id="ada")
MAY, AUGUST = datetime(2025, 5, 14, 12, tzinfo=UTC), datetime(2025, 8, 27, 12, tzinfo=UTC)
YESTERDAY = NOW - timedelta(days=1)


async def talked(world: World, text: str, ended: datetime, session: str) -> None:
    await world.summed_up(text, ended=ended, session=session)


async def lived(world: World) -> None:
    """A year in which something happened in May, in August and yesterday."""
    boat = await world.said("we rented a wooden boat", session="may", at=MAY)
    await world.said("the lake was cold", session="may", sequence=9, at=MAY)
    await world.remembered("Ada rented a boat", quotes=boat, occurred_at=MAY)
    await world.said("my bike was stolen", session="august", at=AUGUST)
    await world.said("I baked bread", session="yesterday", at=YESTERDAY)
    await talked(world, "They spoke of a boat trip.", MAY + timedelta(hours=1), "may")
    await talked(world, "They spoke of bread.", YESTERDAY + timedelta(hours=1), "yesterday")


MAYS = {"Ada rented a boat", "They spoke of a boat trip.", "we rented a wooden boat"}


@pytest.mark.parametrize(
    "question", ["What happened last May?", "五月发生了什么", "去年五月有什么大事"]
)
async def test_what_happened_at_a_time_is_what_lies_in_it(world: World, question: str) -> None:
    await lived(world)
    answer = await world.recall(question)
    assert [result.content for result in answer.results][:2] == [
        "Ada rented a boat",
        "They spoke of a boat trip.",
    ]
    assert {result.content for result in answer.results} == {*MAYS, "the lake was cold"}
    assert not answer.gated


@pytest.mark.parametrize(
    ("question", "lies_in_it"),
    [
        ("What happened in August?", ["my bike was stolen"]),
        ("What did I tell you on August 27?", ["my bike was stolen"]),
        ("昨天我说了什么", ["They spoke of bread.", "I baked bread"]),
        ("what did I say yesterday", ["They spoke of bread.", "I baked bread"]),
        ("What happened last July?", []),
        ("七月我说了什么", []),
    ],
)
async def test_and_nothing_where_nothing_does(
    world: World, question: str, lies_in_it: list[str]
) -> None:
    await lived(world)
    assert await world.recalled(question) == lies_in_it


@pytest.mark.parametrize(
    "question", ["What did I say in May?", "去年五月我跟你说了什么", "五月份我们聊了什么"]
)
async def test_what_was_said_at_a_time_are_the_talks_of_that_time_first(
    world: World, question: str
) -> None:
    await lived(world)
    results = await world.recalled(question)
    assert results[0] == "They spoke of a boat trip."
    assert "They spoke of bread." not in results


async def test_kinds_and_records_and_the_time_of_the_request_are_kept_to(world: World) -> None:
    await lived(world)
    only = await world.recall("What happened last May?", records=["turn"])
    assert {result.record for result in only.results} == {RecordType.TURN}
    assert await world.recalled("What happened last May?", since=AUGUST.isoformat()) == []
    assert await world.recalled("What happened last May?", user_id="bob") == []


async def moved(world: World) -> tuple[Memory, Memory]:
    """From Boston to Seattle, last September."""
    september = datetime(2025, 9, 1, tzinfo=UTC)
    there = await world.said("I live in Boston, 我住在波士顿", session="b", at=MAY)
    here = await world.said("I live in Seattle now, 我现在住在西雅图", session="c", at=september)
    new = await world.remembered(
        "Ada lives in Seattle 我住在西雅图", quotes=here, valid_from=september, projected=True
    )
    old = await world.remembered(
        "Ada lives in Boston 我住在波士顿",
        quotes=there,
        status=Status.SUPERSEDED,
        superseded_by=new.id,
        valid_from=MAY - timedelta(days=90),
        valid_until=september,
        projected=True,
    )
    return old, new


@pytest.mark.parametrize(
    "question",
    [
        "Where did Ada use to live?",
        "Where did Ada live before Seattle?",
        "Where did Ada live last June?",
        "Has Ada ever lived in Seattle?",
        "我以前住在哪",
        "去年六月我住在哪",
        "搬到西雅图之前我住在哪",
    ],
)
async def test_of_the_past_what_was_comes_before_what_is(world: World, question: str) -> None:
    old, new = await moved(world)
    results = (await world.recall(question)).results
    assert results[0].id == old.id
    assert (results[0].status, results[0].valid_until) == (Status.SUPERSEDED, old.valid_until)
    ids = [result.id for result in results]
    assert new.id not in ids or ids.index(new.id) > 0
    told = (await world.context(question, language="en")).text
    assert "(until 1 Sep 2025) Ada lives in Boston" in told


@pytest.mark.parametrize(
    "question", ["Where does Ada live?", "我住在哪", "Where did Ada live yesterday?"]
)
async def test_of_now_and_of_a_time_at_which_it_held_what_is_comes_alone(
    world: World, question: str
) -> None:
    old, new = await moved(world)
    ids = [result.id for result in (await world.recall(question)).results]
    assert ids[0] == new.id
    assert old.id not in ids


@pytest.mark.parametrize(
    "question", ["What did I just say?", "我刚才说了什么？", "remind me what I just told you"]
)
async def test_what_was_just_said_are_the_newest_words_of_the_user(
    world: World, question: str
) -> None:
    for number in range(1, 9):
        at = NOW - timedelta(minutes=40 - number)
        await world.said(f"the train, part {number}", sequence=2 * number, at=at)
        await world.said(f"platform {number}", sequence=2 * number + 1, at=at, role=Role.AGENT)
    await world.said(question, sequence=30, at=NOW)
    await world.said("what others said", Scope(user_id="bob"), session="x")
    answer = await world.recall(question)
    assert [result.content for result in answer.results] == [
        f"the train, part {number}" for number in (8, 7, 6, 5, 4)
    ]
    assert await world.recalled(question, limit=1) == ["the train, part 8"]
    assert await world.recalled("What did you just say?", limit=1) == ["platform 8"]


async def test_a_few_new_words_come_before_much_that_was_said_long_ago(world: World) -> None:
    for number in range(200):
        long_ago = NOW - timedelta(days=100, minutes=-number)
        await world.said(f"what I just say about {number}", sequence=number + 1, at=long_ago)
    for number in range(3):
        await world.said(
            f"zebra {number}", sequence=300 + number, at=NOW - timedelta(seconds=9 - number)
        )
    assert (await world.recalled("What did I just say?"))[:3] == ["zebra 2", "zebra 1", "zebra 0"]


async def test_a_long_question_of_many_times_holds_up_nobody_else(world: World) -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    await world.recall("2026-03-02 " * 740)
    beside.cancel()
    assert turns > 100, "as many as there is time for, not as many as the recall awaits"


async def test_where_nothing_was_said_nothing_was_just_said(world: World) -> None:
    assert await world.recalled("What did I just say?") == []


@pytest.mark.parametrize(
    ("question", "as_stored"),
    [
        ("What should I bring to Nora's party?", "what should I bring to Nora's  party"),
        ("诺拉的聚会我该带什么？", "诺拉的聚会我该带什么"),
    ],
)
async def test_a_question_is_no_answer_to_itself(
    world: World, question: str, as_stored: str
) -> None:
    await world.said(as_stored, sequence=1)
    assert (await world.recall(question)).gated
    await world.said(as_stored, sequence=20)
    await world.said("Nora's party needs wine, bring wine 诺拉的聚会该带酒", sequence=40)
    assert await world.recalled(question) == [
        "Nora's party needs wine, bring wine 诺拉的聚会该带酒"
    ]


async def test_who_asks_for_messages_alone_finds_the_question_among_them(world: World) -> None:
    asked = await world.said("which tea do I like?", sequence=1)
    (result,) = (await world.recall("which tea do I like?", records=["turn"])).results
    assert result.id == asked.id


async def test_what_the_assistant_asked_in_the_same_words_stays(world: World) -> None:
    await world.said("which tea do you like?", sequence=1, role=Role.AGENT)
    assert await world.recalled("which tea do you like?") == ["which tea do you like?"]


async def test_no_prompt_repeats_a_message_that_states_what_no_longer_holds(world: World) -> None:
    await moved(world)
    question = "Where does Ada live? I live in Boston or Seattle"
    said = [
        result
        for result in (await world.recall(question)).results
        if result.record is RecordType.TURN
    ]
    assert {result.content[:16]: result.outdated for result in said} == {
        "I live in Boston": True,
        "I live in Seattl": False,
    }
    block = (await world.context(question, language="en")).text
    assert "Seattle" in block
    assert "Boston" not in block


async def test_what_was_said_on_one_day_stands_in_its_order(world: World) -> None:
    for number, text in enumerate(("the train leaves", "the train is late", "the train came")):
        at = NOW - timedelta(minutes=30 - number)
        await world.said(text, sequence=number + 1, at=at)
    block = (await world.context("the train came late", language="en")).text
    assert block.index("leaves") < block.index("is late") < block.index("came")


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("the user's closing on the house is December 18th", "what is coming up in December?"),
        ("用户 12 月要去三亚", "12 月有什么安排"),
        ("the user goes to the choir every Thursday", "what do I do every Thursday?"),
        ("用户每天早上六点打太极", "我每天早上干什么"),
    ],
)
async def test_where_nothing_lies_in_the_time_what_names_it_is_found(
    world: World, statement: str, question: str
) -> None:
    await lived(world)
    await world.remembered(statement, occurred_at=YESTERDAY)
    assert (await world.recalled(question))[0] == statement


async def test_an_assistant_that_asked_the_same_comes_behind_what_answers(world: World) -> None:
    await world.said("Ha, fair enough. How old is Theo?", role=Role.AGENT)
    await world.said("Theo is six years old", sequence=2)
    assert await world.recalled("How old is Theo?") == [
        "Theo is six years old",
        "Ha, fair enough. How old is Theo?",
    ]
