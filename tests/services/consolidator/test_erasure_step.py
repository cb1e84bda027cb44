"""Erasing: the epoch first, then everything else, wherever a process dies in between."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest

from palimpsest.events.commands import DeleteProject, ForgetEverything, PurgeMemory
from palimpsest.model.erasure import Erasure
from palimpsest.model.memory import Memory, Status
from palimpsest.model.quality_report import QualityReport
from palimpsest.model.scope import Scope
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.reports import MongoReports, NamespaceReport
from tests.support.clock import SettableClock
from tests.support.services.consolidator.edits import caused, dies, edit, undo
from tests.support.services.consolidator.erasing import contents, obey
from tests.support.services.consolidator.events import RECEIVED, envelope, remember, stored
from tests.support.services.consolidator.events import remembered_id as id_of
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator

ALICE = Scope(user_id="alice")
SECRET = remember("The treasure is under the oak", event_id="secret")


def everything(**fields: Any) -> ForgetEverything:
    return ForgetEverything(**envelope("everything", "alice", **fields))


async def memory_of(stores: Stores, memory_id: str) -> Memory:
    (memory,) = await stores.memories.by_ids([ALICE], [memory_id])
    return memory


async def test_a_purged_memory_is_a_tombstone_in_a_history_that_says_nothing(
    stores: Stores, consolidator: Consolidator, database: MongoDatabase
) -> None:
    other = remember("I like tea")
    await consolidator.handle(SECRET, other)
    await consolidator.handle(
        edit(id_of(SECRET), "The treasure is gone", content="The treasure is gone")
    )
    await consolidator.handle(PurgeMemory(memory_id=id_of(SECRET), **envelope("purge", "alice")))
    purged = await caused(stores, "purge")
    assert "treasure" not in purged.model_dump_json()
    assert (await memory_of(stores, id_of(SECRET))).status is Status.PURGED
    assert id_of(SECRET) not in stores.vectors.points
    await obey(stores, database)
    assert "treasure" not in await contents(database)
    history = await stores.change_sets.history("alice", id_of(SECRET))
    assert [change_set.reason for change_set in history] == ["erased", "erased", "purged"]
    assert (await memory_of(stores, id_of(other))).content == "I like tea"


async def test_a_purge_is_not_undone(stores: Stores, consolidator: Consolidator) -> None:
    await consolidator.handle(SECRET)
    await consolidator.handle(PurgeMemory(memory_id=id_of(SECRET), **envelope("purge", "alice")))
    await consolidator.handle(undo("purge"), undo(SECRET.event_id))
    for name in ("undo purge", f"undo {SECRET.event_id}"):
        refusal = (await caused(stores, name)).refusal
        assert refusal is not None
        assert refusal.reason == "purged"


async def test_a_deleted_project_leaves_the_others(
    stores: Stores, consolidator: Consolidator, database: MongoDatabase
) -> None:
    inside = remember(
        "The novel has nine chapters", event_id="inside", project_id="novel", agent_id="poet"
    )
    await consolidator.handle(inside, SECRET)
    await consolidator.handle(DeleteProject(**envelope("delete", "alice", project_id="novel")))
    await obey(stores, database)
    everything_left = await contents(database)
    assert "chapters" not in everything_left
    assert "treasure" in everything_left


async def test_after_forgetting_everything_nothing_is_left_but_tombstones(
    stores: Stores, consolidator: Consolidator, database: MongoDatabase
) -> None:
    await consolidator.handle(SECRET, remember("Porto", event_id="p"))
    reports = MongoReports(database)
    await reports.write(
        NamespaceReport(namespace=ALICE.namespace, report=QualityReport(day=RECEIVED.date()))
    )
    await consolidator.handle(stored("Where did I bury the treasure?"))
    await consolidator.handle(remember("Bob's treasure", user_id="bob"))
    await consolidator.handle(everything())
    assert (await stores.epochs.of(["alice"]))["alice"] == 1
    (announced,) = [change_set for change_set in stores.published.announced if change_set.erasures]
    assert announced.erasures == (Erasure(everything=True, epoch=1),)
    await obey(stores, database)
    left = await contents(database)
    assert await reports.of_user("alice") == []
    assert "under the oak" not in left
    assert "Porto" not in left
    assert "Bob's treasure" in left
    memories = await stores.memories.list([ALICE], limit=100)
    assert {memory.status for memory in memories} == {Status.PURGED}
    assert not stores.vectors.points.keys() & {memory.id for memory in memories}


async def test_what_was_said_before_and_comes_later_stays_forgotten(
    stores: Stores, consolidator: Consolidator
) -> None:
    """In the same batch behind the command, and in later ones."""
    late = remember("The treasure was late")
    await consolidator.handle(SECRET, everything(), late)
    await consolidator.handle(late, SECRET)
    memories = await stores.memories.list([ALICE], statuses=[Status.ACTIVE], limit=100)
    assert [memory for memory in memories if memory.epoch >= 1] == []


async def test_what_is_said_again_afterwards_is_a_memory_of_its_own(
    stores: Stores, consolidator: Consolidator
) -> None:
    """Before the old one is a tombstone: its evidence must not come back with it."""
    await consolidator.handle(SECRET)
    await consolidator.handle(everything())
    again = remember(SECRET.content, event_id="again", epoch=1)
    await consolidator.handle(again)
    memory = await memory_of(stores, id_of(again))
    assert (memory.epoch, len(memory.evidence)) == (1, 1)


@pytest.mark.parametrize("step", ["erasing", "memories", "publish"])
async def test_wherever_it_dies_it_ends_erased(
    step: str, stores: Stores, clock: SettableClock, database: MongoDatabase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    first = Consolidator(stores, clock)
    await first.handle(SECRET)
    with monkeypatch.context() as patch:
        target, name = {
            "erasing": (stores.epochs, "raise_to"),
            "memories": (stores.erasures, "put"),
            "publish": (stores.published, "publish"),
        }[step]
        patch.setattr(target, name, dies)
        with suppress(ConnectionError):
            # What is announced is announced behind the batch, and fails there.
            await first.handle(everything())
    second = Consolidator(stores, clock)
    # Delivered again, or never: then the reconciler goes on with it.
    await second.handle(everything())
    clock.advance(timedelta(hours=1))
    await second.reconciler.finish_unfinished(clock())
    assert (await stores.epochs.of(["alice"]))["alice"] == 1
    assert len(await stores.erasures.waiting("consolidator")) == 1
    assert stores.published.announced[-1].erasures
    await obey(stores, database)
    assert "under the oak" not in await contents(database)
