"""Profiles: asked for when there is reason, written once, never over another that came between."""

from datetime import timedelta

import pytest

from palimpsest.events.commands import (
    CompleteTodo,
    PurgeMemory,
    RefreshProfile,
    RestoreMemory,
    UndoChange,
)
from palimpsest.events.extractor_answers import ProfileProposed
from palimpsest.events.extractor_requests import ProfileRequested
from palimpsest.events.topics import EXTRACTIONS
from palimpsest.model.change_set import change_set_id
from palimpsest.model.kinds import Kind
from palimpsest.model.profile import Profile
from palimpsest_server.domain.profiles.refresh_schedule import APART, LONGEST, QUIET
from palimpsest_server.extraction.profiles.local_profiles import LocalProfiles
from palimpsest_server.extraction.profiles.profile_event import propose_profile
from services.consolidator.refresh_profiles import FIRST_RETRY_DELAY
from tests.support.clock import SettableClock
from tests.support.language.plans.planning import TUCSON, TUCSON_IS_OFF, planned
from tests.support.server.domain.consolidation.samples import ALICE, candidate, lives_in
from tests.support.services.consolidator.edits import edit, undo
from tests.support.services.consolidator.events import (
    envelope,
    forget,
    lives,
    proposed,
    remember,
    remembered_id,
)
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.summaries import proposed as summed_up
from tests.support.services.consolidator.summaries import summary
from tests.support.services.consolidator.world import Consolidator

pytestmark = pytest.mark.embedded

BARISTA = ALICE.model_copy(update={"agent_id": "barista"})


def asked(stores: Stores) -> list[ProfileRequested]:
    return [
        profile_requested
        for profile_requested in stores.published.on(EXTRACTIONS)
        if isinstance(profile_requested, ProfileRequested)
    ]


async def answered(stores: Stores, clock: SettableClock) -> ProfileProposed:
    """What the extractor says to the last question."""
    question = asked(stores)[-1]
    answer = await LocalProfiles().describe(question)
    return propose_profile(question, answer, provider="local", now=clock())


async def written(consolidator: Consolidator, stores: Stores, clock: SettableClock) -> Profile:
    clock.advance(QUIET)
    assert await consolidator.describing.look() == 1
    await consolidator.handle(await answered(stores, clock))
    return (await stores.profiles.latest(["alice"]))["alice"]


async def test_what_somebody_wants_remembered_becomes_part_of_it(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(remember("I have a cat"))
    assert await consolidator.describing.look() == 0, "more may come at once"
    profile = await written(consolidator, stores, clock)
    assert (profile.version, profile.narrative) == (1, "I have a cat.")
    clock.advance(timedelta(days=30))
    assert await consolidator.describing.look() == 0, "nothing is new"


async def test_a_change_of_life_leaves_its_trace_and_every_version_is_kept(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(lives("Oslo", on=1))
    await written(consolidator, stores, clock)
    await consolidator.handle(lives("Bergen", on=2))
    profile = await written(consolidator, stores, clock)
    assert profile.basic_info == {"city": "Bergen"}
    assert "No longer so: I live in Oslo. Now: I live in Bergen" in profile.narrative
    versions = await stores.profiles.versions("alice", limit=9)
    assert [version.version for version in versions] == [2, 1]


async def test_what_is_said_in_passing_waits_until_the_last_account_is_some_minutes_old(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(lives("Oslo", on=1))
    await written(consolidator, stores, clock)
    await consolidator.handle(proposed(lives_in("Bergen", on=2)))
    clock.advance(QUIET)
    assert await consolidator.describing.look() == 0
    clock.advance(APART - QUIET)
    profile = await written(consolidator, stores, clock)
    assert profile.basic_info == {"city": "Bergen"}


async def test_while_an_answer_is_waited_for_what_is_said_in_passing_asks_no_further_question(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(lives("Oslo", on=1))
    await written(consolidator, stores, clock)
    clock.advance(APART)
    looks = []
    for on, city in enumerate(("Bergen", "Rome", "Paris"), start=2):
        await consolidator.handle(proposed(lives_in(city, on=on), event_id=city))
        clock.advance(QUIET)
        looks.append(await consolidator.describing.look())
    assert looks == [1, 0, 0]
    clock.advance(APART)
    assert await consolidator.describing.look() == 1
    await consolidator.handle(await answered(stores, clock))
    assert (await stores.profiles.latest(["alice"]))["alice"].basic_info == {"city": "Paris"}


async def test_what_is_only_mentioned_waits_for_a_week(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(proposed(candidate("Alice has a boat")))
    await consolidator.handle(summed_up(summary("Alice sails.", made_at=clock())))
    clock.advance(QUIET)
    assert await consolidator.describing.look() == 0
    clock.advance(LONGEST)
    assert await consolidator.describing.look() == 1
    (question,) = asked(stores)
    assert [session_summary.text for session_summary in question.summaries] == ["Alice sails."]
    assert question.last_summary_id == question.summaries[0].id


async def test_who_asks_for_a_profile_gets_one_of_what_was_only_mentioned(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(proposed(candidate("Alice has a boat")))
    command = RefreshProfile(event_id="refresh", occurred_at=clock(), user_id="alice")
    await consolidator.handle(command)
    assert await consolidator.describing.look() == 1
    await consolidator.handle(await answered(stores, clock))
    profile = (await stores.profiles.latest(["alice"]))["alice"]
    assert (profile.version, profile.narrative) == (1, "Alice has a boat.")


async def test_who_asks_for_a_profile_of_nothing_gets_none(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    command = RefreshProfile(event_id="refresh", occurred_at=clock(), user_id="alice")
    await consolidator.handle(command)
    assert await consolidator.describing.look() == 0
    assert asked(stores) == []


async def test_what_was_talked_of_in_a_project_stays_there(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    inside = ALICE.model_copy(update={"project_id": "atlas"})
    await consolidator.handle(summed_up(summary("Atlas sails.", scope=inside, made_at=clock())))
    clock.advance(LONGEST)
    assert await consolidator.describing.look() == 0, "nothing is new"
    await consolidator.handle(remember("I have a cat"))
    clock.advance(QUIET)
    assert await consolidator.describing.look() == 1
    assert [question.summaries for question in asked(stores)] == [()]


async def test_each_agent_has_one_of_its_own_memories_and_the_user_one_of_the_rest(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(
        remember("I have a cat"),
        remember("My file number is HX-552", agent_id="lawyer"),
        remember("没有人知道我的密码本在抽屉里", agent_id="barista"),
        remember("The office is closed", agent_id="lawyer", project_id="atlas"),
    )
    own = ALICE.model_copy(update={"agent_id": "lawyer"})
    await consolidator.handle(summed_up(summary("Alice sues.", scope=own, made_at=clock())))
    clock.advance(QUIET)
    assert await consolidator.describing.look() == 3
    questions = {question.agent_id: question for question in asked(stores)}
    told = {
        agent: [fact.content for fact in profile_requested.facts]
        for agent, profile_requested in questions.items()
    }
    assert told == {
        None: ["I have a cat"],
        "lawyer": ["My file number is HX-552"],
        "barista": ["没有人知道我的密码本在抽屉里"],
    }
    assert {
        agent: len(profile_requested.summaries) for agent, profile_requested in questions.items()
    } == {
        None: 0,
        "lawyer": 1,
        "barista": 0,
    }
    for question in questions.values():
        answer = await LocalProfiles().describe(question)
        await consolidator.handle(propose_profile(question, answer, provider="local", now=clock()))
    profiles = {
        agent: (await stores.profiles.latest(["alice"], agent_id=agent))["alice"]
        for agent in questions
    }
    assert {profile.version for profile in profiles.values()} == {1}
    assert profiles[None].narrative == "I have a cat."
    assert "HX-552" in profiles["lawyer"].narrative
    clock.advance(timedelta(days=30))
    assert await consolidator.describing.look() == 0, "nothing is new"


async def test_whatever_was_forgotten_every_agents_profile_is_made_anew(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    cat = remember("I have a cat")
    await consolidator.handle(cat, remember("I sail", agent_id="coach"))
    await consolidator.handle(proposed(candidate("Bo mixes drinks", scope=BARISTA)))
    clock.advance(QUIET)
    assert await consolidator.describing.look() == 2
    for question in asked(stores):
        answer = await LocalProfiles().describe(question)
        await consolidator.handle(propose_profile(question, answer, provider="local", now=clock()))
    await consolidator.handle(forget(remembered_id(cat)))
    clock.advance(QUIET)
    assert await consolidator.describing.look() == 3
    again = asked(stores)[2:]
    assert {question.agent_id for question in again} == {None, "coach", "barista"}
    assert all(question.unchecked for question in again)


async def test_a_profile_from_before_layers_were_told_apart_is_not_built_upon(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(remember("I have a cat"))
    clock.advance(QUIET)
    assert await consolidator.describing.look() == 1
    old = (await answered(stores, clock)).profile.model_copy(update={"isolated": False})
    await stores.profiles.write([old])
    await consolidator.handle(remember("I have a dog"))
    profile = await written(consolidator, stores, clock)
    assert asked(stores)[-1].narrative == ""
    assert (profile.version, profile.isolated) == (2, True)


async def test_an_answer_to_a_question_of_all_layers_is_not_taken(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(remember("I have a cat"))
    clock.advance(QUIET)
    assert await consolidator.describing.look() == 1
    answer = await answered(stores, clock)
    mixed = answer.profile.model_copy(update={"isolated": False})
    await consolidator.handle(answer.model_copy(update={"profile": mixed}))
    assert await stores.profiles.latest(["alice"]) == {}


async def test_a_forgotten_memory_goes_from_it_too(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    cat = remember("I have a cat")
    await consolidator.handle(cat, remember("I have a dog"))
    await written(consolidator, stores, clock)
    await consolidator.handle(forget(remembered_id(cat)))
    profile = await written(consolidator, stores, clock)
    assert profile.narrative == "I have a dog."
    assert asked(stores)[-1].unchecked


async def test_so_does_one_whose_restoring_was_taken_back(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    cat = remember("I have a cat")
    await consolidator.handle(cat, remember("I have a dog"), forget(remembered_id(cat)))
    restore = RestoreMemory(memory_id=remembered_id(cat), **envelope("restore", "alice"))
    await consolidator.handle(restore)
    assert "cat" in (await written(consolidator, stores, clock)).narrative
    undo = UndoChange(change_set_id=change_set_id("alice", "restore"), **envelope("undo", "alice"))
    await consolidator.handle(undo)
    assert (await written(consolidator, stores, clock)).narrative == "I have a dog."


async def test_what_is_set_right_by_hand_is_told_as_it_was_set_right(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    cat = remember("I have a cat called Tom")
    await consolidator.handle(cat)
    await written(consolidator, stores, clock)
    text = "I have a cat called Tim"
    await consolidator.handle(edit(remembered_id(cat), text, content=text))
    assert (await written(consolidator, stores, clock)).narrative == "I have a cat called Tim."
    assert asked(stores)[-1].unchecked, "no name that it had before has to be kept"
    await consolidator.handle(undo("edit"))
    assert (await written(consolidator, stores, clock)).narrative == "I have a cat called Tom."


async def test_what_is_restored_comes_back_into_it(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    cat = remember("I have a cat")
    await consolidator.handle(cat, remember("I have a dog"), forget(remembered_id(cat)))
    await written(consolidator, stores, clock)
    restore = RestoreMemory(memory_id=remembered_id(cat), **envelope("restore", "alice"))
    await consolidator.handle(restore)
    assert "cat" in (await written(consolidator, stores, clock)).narrative


async def test_what_is_erased_takes_it_along_and_it_is_made_anew(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    cat = remember("I have a cat")
    await consolidator.handle(cat, remember("I have a dog"))
    await written(consolidator, stores, clock)
    await consolidator.handle(
        PurgeMemory(memory_id=remembered_id(cat), **envelope("purge", "alice"))
    )
    assert (await written(consolidator, stores, clock)).narrative == "I have a dog."


async def test_what_is_done_is_no_longer_to_be_done(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(
        proposed(candidate("Alice has to paint the boat", kind=Kind.ACTION_ITEM)),
        remember("I have a boat"),
    )
    await written(consolidator, stores, clock)
    (todo,) = await stores.todos.open_of(["alice"])
    await consolidator.handle(CompleteTodo(todo_id=todo.id, **envelope("complete", "alice")))
    clock.advance(APART)
    profile = await written(consolidator, stores, clock)
    assert "Done lately: Alice has to paint the boat." in profile.narrative


async def test_a_plan_that_is_off_is_told_no_more(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(proposed(planned(TUCSON)), remember("I have a boat"))
    assert TUCSON in (await written(consolidator, stores, clock)).narrative
    off = candidate(TUCSON_IS_OFF, on=3, kind=Kind.EVENT)
    await consolidator.handle(proposed(off, event_id="later"))
    clock.advance(APART)
    profile = await written(consolidator, stores, clock)
    assert f"No longer so: {TUCSON} (7 Jan 2025). Now: {TUCSON_IS_OFF}." in profile.narrative


async def test_todos_feed_it(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(
        proposed(candidate("Alice has to paint the boat", kind=Kind.ACTION_ITEM)),
        remember("I have a boat"),
    )
    profile = await written(consolidator, stores, clock)
    assert "Still to be done: Alice has to paint the boat." in profile.narrative


async def test_who_only_told_what_they_have_to_do_is_told_of_in_their_language(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(remember("周五前交季度报告", kind=Kind.ACTION_ITEM))
    profile = await written(consolidator, stores, clock)
    assert profile.narrative == "还要做的事：周五前（至2025年1月3日）交季度报告（已逾期）。"


async def test_an_answer_that_comes_too_late_is_not_written(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(remember("I have a cat"))
    clock.advance(QUIET)
    await consolidator.describing.look()
    late = await answered(stores, clock)
    await consolidator.handle(remember("I have a dog"))
    profile = await written(consolidator, stores, clock)
    await consolidator.handle(late)
    assert stores.published.announced[-1].reason == "the profile has changed since"
    assert await stores.profiles.versions("alice", limit=9) == [profile]


async def test_without_an_answer_the_same_question_is_asked_again_later(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(remember("I have a cat"))
    clock.advance(QUIET)
    assert await consolidator.describing.look() == 1
    assert await consolidator.describing.look() == 0
    clock.advance(FIRST_RETRY_DELAY)
    assert await consolidator.describing.look() == 1
    first, second = asked(stores)
    assert first.question_id == second.question_id


async def test_what_came_while_it_was_written_is_taken_up_next(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(remember("I have a cat"))
    clock.advance(QUIET)
    await consolidator.describing.look()
    answer = await answered(stores, clock)
    await consolidator.handle(remember("I have a dog"))
    await consolidator.handle(answer)
    profile = await written(consolidator, stores, clock)
    assert profile.version == 2
    assert "dog" in profile.narrative
