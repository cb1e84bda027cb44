"""What quietly bounds an answer is recalled by the topic of the question, and by nothing less."""

import pytest

from palimpsest.api.recall import RecallDetail, RecordType
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Status
from palimpsest_server.domain.ranking.plausibility import PlausibilityPlane
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from tests.support.services.recall.stand_ins import GATE
from tests.support.services.recall.world import World
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.turns import InMemoryTurns

BESIDE = ("plays the organ on Sundays", "owns a grey van", "moved to Leeds", "is a locksmith")


def of_sense(says: float) -> Gate:
    """The gate of tests for questions that all have this sense."""
    assert GATE.openings is not None
    sense = PlausibilityPlane(constant=says, direction=(0.0,) * HashingEmbedder.model.dimension)
    return GATE.model_copy(update={"openings": GATE.openings.model_copy(update={"sense": sense})})


async def a_world(clock: Clock, *, says: float = 2.0) -> World:
    vectors = InMemoryVectorStore(HashingEmbedder.model)
    world = World(InMemoryMemories(), InMemoryTurns(), vectors, clock, gate=of_sense(says))
    for content in BESIDE:
        await world.remembered(content)
    return world


@pytest.mark.parametrize("policy", ["default", "companion"])
@pytest.mark.parametrize(
    ("question", "bounds"),
    [
        ("Suggest something to cook tonight", "is allergic to shellfish"),
        ("今晚做几个菜，帮我想想", "用户对海鲜过敏"),
        ("What should I tell a new doctor?", "takes a blood thinner"),
        ("帮我写封回信", "要简短的回答，分点列"),
        ("Should he sit on the ground floor?", "has bad knees, stairs are hard"),
        ("跟我讲话站在哪一侧比较好？", "用户左耳听不见"),
    ],
)
async def test_it_is_recalled_though_it_shares_no_word_with_the_question(
    clock: Clock, question: str, bounds: str, policy: str
) -> None:
    world = await a_world(clock)
    assert await world.recalled(question, policy=policy) == []
    await world.remembered(bounds)
    assert (await world.recalled(question, policy=policy))[0] == bounds


async def test_nonsense_of_such_words_stays_refused(clock: Clock) -> None:
    world = await a_world(clock, says=0.5)
    await world.remembered("is allergic to shellfish")
    answer = await world.recall(
        "Cook the dinner of the square root", include=[RecallDetail.EXPLANATION]
    )
    assert answer.gated
    assert answer.gate_margin is not None
    assert answer.gate_margin < 0


async def test_it_comes_beside_what_the_question_is_near_to(clock: Clock) -> None:
    world = await a_world(clock)
    await world.remembered("cooks noodles every evening for dinner")
    plain = await world.recalled("Which noodles should I cook for dinner?")
    await world.remembered("is allergic to shellfish")
    both = await world.recalled("Which noodles should I cook for dinner?")
    assert plain[0] == both[0] == "cooks noodles every evening for dinner"
    assert "is allergic to shellfish" in both
    assert "is allergic to shellfish" not in plain


async def test_a_topic_without_memories_changes_nothing(clock: Clock) -> None:
    world = await a_world(clock)
    await world.remembered("cooks noodles every evening for dinner")
    asked = "Which noodles should I cook for dinner?"
    with_topic = await world.recall(asked, include=[RecallDetail.EXPLANATION])
    plain = await world.recall(
        asked, include=[RecallDetail.EXPLANATION], records=[RecordType.MEMORY]
    )
    assert [result.content for result in with_topic.results] == [
        "cooks noodles every evening for dinner"
    ]
    assert with_topic.gate_margin == plain.gate_margin


async def test_only_memories_are_led_to_and_no_turns(clock: Clock) -> None:
    world = await a_world(clock)
    await world.said("I am allergic to shellfish")
    assert await world.recalled("Suggest something to cook tonight") == []


async def test_what_no_longer_holds_opens_nothing(clock: Clock) -> None:
    world = await a_world(clock)
    await world.remembered("is vegetarian", status=Status.SUPERSEDED, projected=True)
    assert (await world.recall("Suggest something to cook tonight")).gated


@pytest.mark.parametrize(
    "question",
    ["What did I cook on Monday?", "Where did I use to eat for dinner?", "What did we say about dinner last time?"],
)  # fmt: skip
async def test_who_asks_what_was_is_not_told_what_bounds_it(clock: Clock, question: str) -> None:
    world = await a_world(clock)
    await world.remembered("is allergic to shellfish")
    assert "is allergic to shellfish" not in await world.recalled(question)


async def test_who_wants_messages_alone_gets_messages_alone(clock: Clock) -> None:
    world = await a_world(clock)
    await world.remembered("is allergic to shellfish")
    await world.said("I cook something tonight")
    found = await world.recall("Suggest something to cook tonight", records=[RecordType.TURN])
    assert {result.record for result in found.results} <= {RecordType.TURN}
