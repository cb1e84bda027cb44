"""A process that dies between any two steps, and the one that is handed its batch again."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest

from palimpsest.events.envelope import Event
from palimpsest.model.change_set import ChangeSetProgress
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import candidate
from tests.support.services.consolidator.events import (
    forget,
    lives,
    proposed,
    remember,
    remembered_id,
    settle,
    stored,
)
from tests.support.services.consolidator.interrupting import Crash, Interrupted, before
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator

USERS = ["alice", "bob"]


async def after(call: Callable[..., Awaitable[Any]], *arguments: Any) -> None:
    await call(*arguments)
    raise Crash


async def halfway(call: Callable[..., Awaitable[Any]], items: Sequence[Any], *rest: Any) -> None:
    await call(items[: len(items) // 2], *rest)
    raise Crash


async def halfway_published(
    call: Callable[..., Awaitable[Any]], topic: Any, items: Sequence[Any]
) -> None:
    await call(topic, items[: len(items) // 2])
    raise Crash


POINTS = [
    ("vectors", "upsert", before),
    ("change_sets", "known", after),
    ("change_sets", "heads", after),
    ("memories", "with_content_keys", after),
    ("change_sets", "append", before),
    ("change_sets", "append", halfway),
    ("change_sets", "append", after),
    ("namespaces", "register", after),
    ("memories", "apply", before),
    ("memories", "apply", halfway),
    ("memories", "apply", after),
    ("settings", "write", before),
    ("settings", "write", after),
    ("vectors", "upsert", halfway),
    ("vectors", "upsert", after),
    ("vectors", "restate", before),
    ("vectors", "restate", after),
    ("published", "publish", before),
    ("published", "publish", halfway_published),
    ("published", "publish", after),
    ("change_sets", "mark", halfway),
    ("change_sets", "mark", after),
    ("change_sets", "checkpoint", after),
]


def first() -> list[Event]:
    return [remember("I like tea"), lives("Rome", on=3), lives("Rome", on=3, user_id="bob")]


def batch() -> list[Event]:
    tea = remember("I like tea")
    return [
        lives("Berlin", on=9),
        forget(remembered_id(tea)),
        settle("settle", time_zone="Asia/Shanghai"),
        lives("Paris", on=1),
        remember("I like to drink coffee", "coffee", "bob"),
        remember("I like drinking coffee", "coffee again", "bob"),
        lives("Oslo", on=1, user_id="bob"),
        proposed(candidate("I play the cello"), candidate("I run on Sundays")),
        settle("bob settles", "bob", language="zh"),
    ]


async def undisturbed(clock: SettableClock) -> Any:
    stores = Stores.in_memory()
    consolidator = Consolidator(stores, clock)
    await consolidator.handle(*first())
    await consolidator.handle(*batch())
    return await stores.state(USERS)


@pytest.mark.parametrize(
    ("collaborator", "method", "happening"),
    POINTS,
    ids=[f"{moment.__name__} {who}.{what}" for who, what, moment in POINTS],
)
async def test_a_crash_at_this_point_and_redelivery_end_as_if_nothing_had_happened(
    database: MongoDatabase,
    clock: SettableClock,
    collaborator: str,
    method: str,
    happening: Any,
) -> None:
    stores = Stores.in_database(database)
    await Consolidator(stores, clock).handle(*first())
    crashing = Interrupted(stores)
    crashing.around(collaborator, method, happening)
    # What is noted behind the batch is nobody's failure: the process ends there all the same.
    with suppress(Crash):
        await Consolidator(crashing, clock).handle(*batch())
    assert crashing.happened
    await Consolidator(stores, clock).handle(*batch())
    assert await stores.state(USERS) == await undisturbed(clock)
    assert await stores.change_sets.unfinished(100) == []
    announced = {change_set.cause.event_id for change_set in stores.published.announced}
    assert announced == {event.event_id for event in [*first(), *batch()]}


@pytest.mark.parametrize("happening", [before, halfway, after])
async def test_what_a_crashed_process_left_is_finished_before_the_user_is_decided_about_again(
    database: MongoDatabase, clock: SettableClock, happening: Any
) -> None:
    stores = Stores.in_database(database)
    crashing = Interrupted(stores)
    crashing.around("memories", "apply", happening)
    with pytest.raises(Crash):
        await Consolidator(crashing, clock).handle(lives("Paris", on=1), remember("I like tea"))
    resuming = Consolidator(stores, clock)
    await resuming.handle(lives("Berlin", on=5))
    assert resuming.counted("resumed_change_sets_total") == 2
    memories = {
        memory.value: memory for memory in (await stores.state(["alice"])).memories.values()
    }
    assert memories["Paris"].superseded_by == memories["Berlin"].id
    assert [change_set.revision for change_set in stores.published.announced] == [1, 2, 3]


async def test_the_same_process_goes_on_after_a_failure_as_a_new_one_would(
    database: MongoDatabase, clock: SettableClock
) -> None:
    stores = Stores.in_database(database)
    failing = Interrupted(stores)
    calls: list[Any] = []

    async def fail_the_second_time(call: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 2:
            raise Crash
        return await call(*arguments)

    failing.around("memories", "apply", fail_the_second_time)
    consolidator = Consolidator(failing, clock)
    await consolidator.handle(*first())
    with pytest.raises(Crash):
        await consolidator.handle(*batch())
    await consolidator.handle(*batch())
    assert await stores.state(USERS) == await undisturbed(clock)


async def test_of_an_older_epoch_nothing_that_was_left_is_applied(
    database: MongoDatabase, clock: SettableClock
) -> None:
    stores = Stores.in_database(database)
    crashing = Interrupted(stores)
    crashing.around("memories", "apply", before)
    with pytest.raises(Crash):
        await Consolidator(crashing, clock).handle(remember("erased"))
    await stores.epochs.raise_to("alice", 1)
    consolidator = Consolidator(stores, clock)
    await consolidator.handle(remember("kept", epoch=1))
    memories = (await stores.state(["alice"])).memories.values()
    assert [memory.content for memory in memories] == ["kept"]
    assert [change_set.reason for change_set in stores.published.announced] == ["added"]
    assert await stores.change_sets.unfinished(10) == []


async def test_without_vectors_everything_but_the_projection_is_done_and_another_finishes_it(
    database: MongoDatabase, clock: SettableClock
) -> None:
    stores = Stores.in_database(database)
    blind = Consolidator(stores, clock, with_vectors=False)
    await blind.handle(*first())
    await blind.handle(*batch(), stored("Hello"))
    assert stores.vectors._points == {}
    expected = await undisturbed(clock)
    assert (await stores.state(USERS)).memories == expected.memories
    waiting = await stores.change_sets.unfinished(100)
    assert {change_set.progress for change_set in waiting} == {ChangeSetProgress.APPLIED}
    assert all(change_set.memory_changes for change_set in waiting)
    assert blind.counted("dropped_total", reason="no_vectors") == 1
    await blind.reconciler.finish_unfinished(clock() + timedelta(seconds=1))
    assert len(await stores.change_sets.unfinished(100)) == len(waiting)
    await Consolidator(stores, clock).reconciler.finish_unfinished(clock() + timedelta(seconds=1))
    assert await stores.state(USERS) == expected
    assert await stores.change_sets.unfinished(100) == []
    announced = {change_set.cause.event_id for change_set in stores.published.announced}
    assert announced == {event.event_id for event in [*first(), *batch()]}
