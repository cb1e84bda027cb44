from datetime import timedelta

import pytest

from palimpsest.events.topics import CHANGES
from palimpsest.model.errors import EmbeddingModelMismatch, InvalidEvent
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Accesses, Status, memory_id
from palimpsest.model.scope import Layout, Scope
from palimpsest.model.user import SharingPolicy, UserSettings
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE, candidate, day
from tests.support.services.consolidator.events import (
    accessed,
    forget,
    lives,
    proposed,
    remember,
    remembered_id,
    settle,
    stored,
)
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator

BOB = Scope(user_id="bob")
COACH = Scope(user_id="alice", agent_id="coach")


@pytest.fixture(params=Layout)
def stores(request: pytest.FixtureRequest, database: MongoDatabase) -> Stores:
    return Stores.in_database(database, request.param)


async def test_what_is_to_be_remembered_is_active_projected_and_announced_at_once(
    consolidator: Consolidator, stores: Stores
) -> None:
    event = remember("I like tea", agent_id="coach", trace="00-trace")
    assert await consolidator.handle(event) == []
    (memory,) = await stores.listed(COACH)
    assert (memory.id, memory.status, memory.version) == (remembered_id(event), Status.ACTIVE, 1)
    assert memory.evidence[0].origin == "command"
    assert await stores.vectors.versions({memory.id: COACH}) == {memory.id: 1}
    (announced,) = stores.published.events
    assert announced[0] is CHANGES
    assert (announced[1].trace, announced[1].received_at) == ("00-trace", event.received_at)
    (change_set,) = stores.published.announced
    assert (change_set.revision, change_set.memory_changes[0].after) == (1, memory)


async def test_one_event_sees_what_the_ones_before_it_in_the_batch_have_changed(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(
        lives("Paris", on=1),
        remember("I like to drink coffee", "e1"),
        lives("Berlin", on=5),
        remember("I like drinking coffee", "e2", occurred_at=day(2)),
    )
    memories = {memory.content: memory for memory in await stores.listed(ALICE)}
    assert memories.keys() == {"I live in Paris", "I live in Berlin", "I like to drink coffee"}
    paris, berlin = memories["I live in Paris"], memories["I live in Berlin"]
    assert (paris.status, paris.superseded_by) == (Status.SUPERSEDED, berlin.id)
    assert len(memories["I like to drink coffee"].evidence) == 2
    versions = {memory.id: memory.version for memory in memories.values()}
    scopes = dict.fromkeys(versions, ALICE)
    assert await stores.vectors.versions(scopes) == versions
    assert [change_set.revision for change_set in stores.published.announced] == [1, 2, 3, 4]


async def test_an_older_statement_in_a_later_batch_is_stored_as_past(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(lives("Berlin", on=5))
    await consolidator.handle(lives("Paris", on=1))
    memories = {memory.value: memory for memory in await stores.listed(ALICE)}
    assert (memories["Paris"].status, memories["Paris"].valid_until) == (
        Status.SUPERSEDED,
        day(5),
    )
    assert memories["Berlin"].supersedes == (memories["Paris"].id,)


async def test_candidates_become_memories_with_their_vectors(
    consolidator: Consolidator, stores: Stores
) -> None:
    coach = candidate("We train on Mondays", scope=COACH)
    event = proposed(candidate("I play the cello"), coach)
    await consolidator.handle(event)
    (mine,), (coached,) = await stores.listed(ALICE), await stores.listed(COACH)
    assert coached.id == memory_id("alice", coach.id)
    point = stores.vectors._points[mine.id]
    assert point.dense == vectors_of("I play the cello").dense_values()


async def test_proposing_nothing_leaves_an_empty_change_set(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(proposed())
    (change_set,) = stores.published.announced
    assert (change_set.changes, change_set.reason) == ((), "nothing proposed")


async def test_forgetting_is_soft_and_leaves_the_reason(
    consolidator: Consolidator, stores: Stores
) -> None:
    event = remember("I like tea")
    await consolidator.handle(event, forget(remembered_id(event), reason="outdated"))
    (memory,) = await stores.listed(ALICE)
    assert (memory.status, memory.status_reason) == (Status.FORGOTTEN, "outdated")
    assert stores.vectors._points[memory.id].status is Status.FORGOTTEN


async def test_a_memory_of_an_agent_is_forgotten_by_a_command_that_names_no_agent(
    consolidator: Consolidator, stores: Stores
) -> None:
    event = remember("I like tea", agent_id="coach")
    await consolidator.handle(event)
    await consolidator.handle(forget(remembered_id(event)))
    (memory,) = await stores.listed(COACH)
    assert memory.status is Status.FORGOTTEN


async def test_forgetting_what_is_not_there_or_was_forgotten_says_so_and_changes_nothing(
    consolidator: Consolidator, stores: Stores
) -> None:
    mine, bobs = remember("I like tea"), remember("I like tea", user_id="bob")
    await consolidator.handle(mine, bobs, forget(remembered_id(mine), "first"))
    await consolidator.handle(
        forget(remembered_id(mine), "second"),
        forget(derive_id("memory", "unknown"), "third"),
        forget(remembered_id(bobs), "fourth"),
    )
    reasons = {
        change_set.cause.event_id: change_set.reason for change_set in stores.published.announced
    }
    assert reasons["second"] == "not allowed from its status"
    assert reasons["third"] == reasons["fourth"] == "no such memory"
    assert (await stores.listed(BOB))[0].status is Status.ACTIVE


async def test_settings_are_changed_in_part_and_known_to_what_follows(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(
        settle("one", time_zone="Asia/Shanghai"),
        settle("two", sharing_policy=SharingPolicy.USER_LEVEL),
        remember("I like tea", agent_id="coach"),
    )
    assert await stores.settings.of(["alice"]) == {
        "alice": UserSettings(time_zone="Asia/Shanghai", sharing_policy=SharingPolicy.USER_LEVEL)
    }
    assert len(await stores.listed(ALICE)) == 1
    assert await stores.listed(COACH) == []


async def test_what_follows_new_settings_in_one_batch_is_compared_where_it_goes_now(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(remember("I like jazz", "e1"))
    await consolidator.handle(
        settle("all", sharing_policy=SharingPolicy.USER_LEVEL),
        remember("I like jazz", "e2", agent_id="coach", occurred_at=day(2)),
    )
    (memory,) = await stores.listed(ALICE, COACH)
    assert (memory.scope, memory.version, len(memory.evidence)) == (ALICE, 2, 2)


async def test_turns_are_projected_without_a_decision(
    consolidator: Consolidator, stores: Stores
) -> None:
    turn = stored("Hello there")
    await consolidator.handle(turn)
    assert await stores.vectors.versions({turn.turn.id: ALICE}) == {turn.turn.id: 1}
    assert stores.published.events == []
    assert (await stores.change_sets.heads(["alice"]))["alice"].revision == 0


async def test_recalls_are_counted_once_and_announced_never(
    consolidator: Consolidator, stores: Stores
) -> None:
    event = remember("I like tea")
    tea = remembered_id(event)
    await consolidator.handle(event, accessed("r1", tea), accessed("r1", tea), accessed("r2", tea))
    await consolidator.handle(accessed("r2", tea))
    assert await stores.memories.accesses([ALICE], [tea]) == {
        tea: Accesses(count=2, last_at=day(0))
    }
    assert len(stores.published.events) == 1
    assert (await stores.listed(ALICE))[0].version == 1


async def test_what_is_of_an_older_epoch_is_dropped_and_counted(
    consolidator: Consolidator, stores: Stores
) -> None:
    await stores.epochs.raise_to("alice", 2)
    late = [remember("late", epoch=1), stored("late", epoch=1), forget("x", epoch=1)]
    await consolidator.handle(*late, remember("now", epoch=2), remember("other", user_id="bob"))
    assert [memory.content for memory in await stores.listed(ALICE)] == ["now"]
    assert len(await stores.listed(BOB)) == 1
    assert consolidator.counted("dropped_total", reason="older_epoch") == 3


async def test_turns_are_judged_by_an_epoch_that_is_at_most_two_seconds_old(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(stored("first", epoch=0))
    await stores.epochs.raise_to("alice", 1)
    clock.advance(timedelta(seconds=1.9))
    await consolidator.handle(stored("second", epoch=0))
    assert consolidator.counted("dropped_total", reason="older_epoch") == 0
    clock.advance(timedelta(seconds=0.1))
    await consolidator.handle(stored("third", epoch=0))
    assert consolidator.counted("dropped_total", reason="older_epoch") == 1


async def test_what_is_decided_about_is_judged_by_the_epoch_that_stands_and_so_are_turns_after_it(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(stored("before", epoch=0))
    await stores.epochs.raise_to("alice", 1)
    await consolidator.handle(remember("late", epoch=0))
    assert await stores.listed(ALICE) == []
    await consolidator.handle(stored("late too", epoch=0))
    assert consolidator.counted("dropped_total", reason="older_epoch") == 2


async def test_events_that_speak_of_another_user_are_set_aside(
    consolidator: Consolidator, stores: Stores
) -> None:
    turn = stored("Hello")
    foreign_turn = turn.model_copy(update={"user_id": "bob"})
    foreign = proposed(candidate("I like tea", scope=BOB))
    rejections = await consolidator.handle(foreign_turn, foreign)
    assert [rejection.event for rejection in rejections] == [foreign_turn, foreign]
    assert await stores.listed(BOB) == []
    assert stores.vectors._points == {}


async def test_events_without_their_vectors_or_with_those_of_another_model_are_set_aside(
    consolidator: Consolidator, stores: Stores
) -> None:
    bare = remember("bare").model_copy(update={"vectors": ()})
    vectors = vectors_of("x").model_copy(update={"model": "large-9-1"})
    other = stored("other").model_copy(update={"vectors": (vectors,)})
    rejections = await consolidator.handle(bare, remember("good"), other)
    assert {type(rejection.error) for rejection in rejections} == {
        InvalidEvent,
        EmbeddingModelMismatch,
    }
    assert [memory.content for memory in await stores.listed(ALICE)] == ["good"]


async def test_equal_event_ids_of_two_users_never_meet(
    consolidator: Consolidator, stores: Stores
) -> None:
    users = ["alice", "bob", "张三", "a_b", "a"]
    for _ in range(2):
        await consolidator.handle(
            *(remember(f"I am {user}", "the same id", user) for user in users),
            *(lives("Paris", on=1, user_id=user) for user in users),
            *(lives("Rome", on=2, user_id=user) for user in users),
        )
    for user in users:
        memories = await stores.listed(Scope(user_id=user))
        assert {memory.content for memory in memories} == {
            f"I am {user}",
            "I live in Paris",
            "I live in Rome",
        }
        assert {memory.scope.user_id for memory in memories} == {user}
    assert len(stores.vectors._points) == 3 * len(users)


async def test_the_whole_input_published_again_changes_nothing(
    consolidator: Consolidator, stores: Stores
) -> None:
    tea = remember("I like tea")
    events = [
        tea,
        lives("Berlin", on=5),
        stored("Hello"),
        lives("Paris", on=1),
        accessed("r1", remembered_id(tea)),
        settle(language="zh"),
        forget(remembered_id(tea)),
        proposed(candidate("I play the cello")),
    ]
    await consolidator.handle(*events)
    before = await stores.state(["alice"])
    announced = len(stores.published.announced)
    await consolidator.handle(*events[4:], *events[:4])
    for event in events:
        await consolidator.handle(event)
    assert await stores.state(["alice"]) == before
    assert len(stores.published.announced) == announced
    assert (await stores.memories.accesses([ALICE], [remembered_id(tea)]))[
        remembered_id(tea)
    ].count == 1


async def test_a_change_set_tells_how_much_of_long_messages_was_not_read(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(proposed(event_id="long", unread_characters=51_000))
    await consolidator.handle(proposed(event_id="short"))
    told = [change_set.unread_characters for change_set in stores.published.announced]
    assert told == [51_000, 0]
