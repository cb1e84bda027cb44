"""What was erased is hidden while it may still be there; what was forgotten, until it is restored."""

from datetime import timedelta

import pytest

from palimpsest.model.erasure import Erasure, PendingErasure
from palimpsest.model.memory import MemoryCorrection, Status
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import summary_id
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserState
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from tests.support.clock import SettableClock
from tests.support.services.recall.stand_ins import shared_embedder
from tests.support.services.recall.talks import SAID, narrated
from tests.support.services.recall.world import NOW, World
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.turns import InMemoryTurns

PEANUTS = "I am allergic to peanuts."
QUESTION = "What am I allergic to, peanuts?"


@pytest.fixture
def world(clock: SettableClock) -> World:
    embedder = shared_embedder()
    vectors = InMemoryVectorStore(embedder.model)
    return World(InMemoryMemories(), InMemoryTurns(), vectors, clock, embedder)


def erased(world: World, **fields: object) -> None:
    erasure = Erasure.model_validate({"epoch": 0, **fields})
    world.states.by_user["ada"] = UserState(going=(PendingErasure(erasure=erasure, revision=9),))


def withheld(world: World, *turns: Turn) -> None:
    world.states.by_user["ada"] = UserState(withheld=frozenset(turn.id for turn in turns))


async def test_an_erased_message_is_hidden_though_it_is_found(world: World) -> None:
    turn = await world.said(PEANUTS)
    assert await world.recalled(QUESTION) == [PEANUTS]

    erased(world, turn_ids=(turn.id,))

    assert await world.recalled(QUESTION) == []


async def test_nor_is_it_named_among_what_fell_out(world: World) -> None:
    turn = await world.said(PEANUTS)
    other = await world.said("Peanuts grow below ground.", sequence=20)
    answer = await world.recall(QUESTION, limit=1, include=["explanation"])
    assert {one.id for one in answer.fell_out} == {other.id}

    erased(world, turn_ids=(turn.id,))
    assert turn.id not in await named(world)
    withheld(world, turn)
    assert turn.id not in await named(world)


async def named(world: World) -> set[str]:
    answer = await world.recall(QUESTION, include=["explanation"])
    return {result.id for result in answer.results} | {one.id for one in answer.fell_out}


async def test_so_is_one_that_stands_beside_what_is_found(world: World) -> None:
    await world.said("What are you allergic to, peanuts?", sequence=1)
    beside = await world.said("Yes, they nearly killed me.", sequence=2, found=False)
    assert beside.text in await world.recalled("allergic to peanuts")

    erased(world, turn_ids=(beside.id,))

    assert beside.text not in await world.recalled("allergic to peanuts")


async def test_so_is_all_that_was_said_in_a_project_that_is_deleted(world: World) -> None:
    inside = Scope(user_id="ada", project_id="novel")
    await world.said(PEANUTS, inside)

    erased(world, project_id="novel")

    assert await world.recalled(QUESTION, project_id="novel") == []


async def test_so_is_it_among_the_last_messages_of_its_session(world: World) -> None:
    turn = await world.said(PEANUTS)
    await world.said("I like tea.", sequence=2)

    erased(world, turn_ids=(turn.id,))

    context = await world.context("tea", session_id="s")
    assert [message.text for message in context.messages] == ["I like tea."]


async def test_an_account_of_before_is_hidden_too(world: World) -> None:
    await narrated(world, "Ada is allergic to peanuts.", version=1)
    assert "peanuts" in (await world.context("tea")).block

    erased(world, turn_ids=("t",))

    assert "peanuts" not in (await world.context("tea")).block


async def test_so_is_one_of_before_something_was_forgotten(world: World) -> None:
    await narrated(world, "Ada is allergic to peanuts.", version=1)
    world.states.by_user["ada"] = UserState(forgotten_at=9)

    assert "peanuts" not in (await world.context("tea")).block
    assert "peanuts" not in (await world.context(format="profile")).block


@pytest.mark.parametrize("query", [QUESTION, "What is my allergy?"])
async def test_what_a_forgotten_memory_rests_on_is_not_recalled(world: World, query: str) -> None:
    turn = await world.said(PEANUTS)
    await world.remembered(
        "Ada is allergic to peanuts", quotes=turn, status=Status.FORGOTTEN, projected=True
    )
    withheld(world, turn)

    assert await world.recalled(query) == []
    assert PEANUTS not in (await world.context(query)).block
    assert await world.recalled(query, records=["turn"]) == []


async def test_so_it_is_while_the_projection_does_not_know_yet_that_it_was_forgotten(
    world: World,
) -> None:
    turn = await world.said(PEANUTS)
    await world.remembered("Ada is allergic to peanuts", quotes=turn, status=Status.FORGOTTEN)
    withheld(world, turn)

    assert await world.recalled(QUESTION) == []
    assert PEANUTS not in (await world.context(QUESTION)).block


async def test_it_is_where_something_that_holds_rests_on_it_too(world: World) -> None:
    turn = await world.said("I am Priya, and I live in Leeds.")
    await world.remembered("The user lives in Leeds", quotes=turn, status=Status.FORGOTTEN)
    await world.remembered("The user's name is Priya", quotes=turn)
    withheld(world, turn)

    assert turn.text in await world.recalled("Is my name Priya?")


async def test_what_somebody_set_right_stands_before_the_message_that_said_otherwise(
    world: World,
) -> None:
    turn = await world.said("I live in Rome.")
    corrections = (MemoryCorrection(at=NOW, turn_ids=(turn.id,)),)
    await world.remembered("The user lives in Paris", details={"corrections": corrections})

    (first, second) = (await world.recall("Do I live in Rome?", include=["explanation"])).results

    assert first.content == "The user lives in Paris"
    assert second.parts is not None
    assert second.parts.succession < 0


async def test_what_is_forgotten_stays_hidden_a_long_time(world: World) -> None:
    turn = await world.said(PEANUTS, at=NOW - timedelta(days=300))
    withheld(world, turn)

    assert await world.recalled(QUESTION) == []


TALKED = "They spoke of an allergy to peanuts."
ABOUT_LAST_TIME = "What did we talk about last time, peanuts?"


async def told_of(world: World) -> str:
    """All ways in which a summary is told, as one text."""
    recalled = await world.recalled(ABOUT_LAST_TIME, records=["summary"])
    newest = await world.recalled(ABOUT_LAST_TIME, policy="profile")
    context = await world.context(ABOUT_LAST_TIME, format="profile")
    running = (await world.context("tea", session_id="s")).running_summary
    return "\n".join([*recalled, *newest, context.block, running or ""])


async def test_a_summary_that_rests_on_what_was_taken_back_is_told_nowhere(world: World) -> None:
    summary = await world.summed_up(TALKED, ended=NOW - timedelta(hours=3))
    assert (await told_of(world)).count(TALKED) == 4

    world.states.by_user["ada"] = UserState(not_told={summary.id: frozenset({"t"})})
    assert TALKED not in await told_of(world)

    anew = summary.model_copy(update={"left_out": ("t",), "version": 2})
    await world.summaries.write([anew])
    assert (await told_of(world)).count(TALKED) == 4

    erased(world, summary_ids=(summary.id,))
    assert TALKED not in await told_of(world)


async def test_of_a_conversation_that_goes_on_what_was_set_right_is_not_told_either(
    world: World,
) -> None:
    said = [
        await world.said(text, sequence=number, found=False)
        for number, text in enumerate([*SAID["en"], *("ok" for _ in range(9))], start=1)
    ]
    summary = summary_id("ada", "s")
    assert SAID["en"][0] in str((await world.context("xyzzy", session_id="s")).running_summary)

    world.states.by_user["ada"] = UserState(not_told={summary: frozenset({said[0].id})})

    running = (await world.context("xyzzy", session_id="s")).running_summary
    assert running == f'The user said: "{SAID["en"][1]}"'
