"""Documents that programs of older versions wrote, brought up to date and read by the program of today."""

from datetime import timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from palimpsest.model.change_set import ChangeSet, ChangeSetProgress
from palimpsest.model.entity import Entity
from palimpsest.model.memory import Memory, Status
from palimpsest.model.profile import Profile
from palimpsest.model.scope import Layout, Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import Todo
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserSettings
from palimpsest.model.window import Window
from palimpsest_server.domain.consolidation.session_undo import undo_session
from palimpsest_server.stores.collections import (
    CHANGE_SETS,
    ENTITIES,
    MEMORIES,
    PROFILES,
    REQUESTS,
    SESSIONS,
    SET_ASIDE,
    SUMMARIES,
    TODOS,
    TURNS,
    WINDOWS,
)
from palimpsest_server.stores.migrations.migrate_database import migrate_database
from palimpsest_server.stores.migrations.migration_step import MigrationContext
from palimpsest_server.stores.migrations.steps import NEWEST_VERSION
from palimpsest_server.stores.migrations.steps.step_002_refused_ids import find_refused_id
from palimpsest_server.stores.mongo.accepted_requests import parse_accepted_event
from palimpsest_server.stores.mongo.database import MongoDatabase, from_document
from palimpsest_server.stores.session_changes import read_session_changes
from palimpsest_server.stores.sessions import Session
from tests.support.clock import SettableClock
from tests.support.server.migrations.golden_documents import (
    VERSIONS,
    read_golden_documents,
    restore_golden_documents,
)
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator

pytestmark = pytest.mark.embedded

READERS: dict[str, type[BaseModel]] = {
    CHANGE_SETS.name: ChangeSet,
    ENTITIES.name: Entity,
    MEMORIES.name: Memory,
    PROFILES.name: Profile,
    SESSIONS.name: Session,
    SUMMARIES.name: SessionSummary,
    TODOS.name: Todo,
    TURNS.name: Turn,
    WINDOWS.name: Window,
}

USER = "mirela"
OUTSIDE = Scope(user_id=USER, agent_id="planner")
INSIDE = OUTSIDE.model_copy(update={"project_id": "orchard"})
OF_PROJECT = (
    "The client is Halvorsen Orchards",
    "the first sketch to the client",
    "the irrigation plan by June",
    "客户是北岸果园",
    "六月前完成灌溉方案",
)
OF_PERSON = ("lives in Gdansk", "short answers", "花生", "walnuts", "Pixel")


async def migrate(database: MongoDatabase, clock: SettableClock, version: int) -> None:
    await restore_golden_documents(database, version)
    context = MigrationContext(database=database, layout=Layout.POOLED, clock=clock)
    await migrate_database(context, owner="test", program="test")


async def documents(database: MongoDatabase, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = await database.raw(name).find({}).to_list(None)
    return found


def test_the_documents_of_this_version_are_kept() -> None:
    """A new step brings its file: see tests/golden/documents/README.md."""
    assert VERSIONS[0] == 0
    assert VERSIONS[-1] == NEWEST_VERSION
    assert {name for each in VERSIONS for name in read_golden_documents(each)} >= READERS.keys() - {
        PROFILES.name
    }


@pytest.mark.parametrize("version", VERSIONS)
async def test_every_document_is_read(
    database: MongoDatabase, clock: SettableClock, version: int
) -> None:
    await migrate(database, clock, version)
    for name, model in READERS.items():
        for document in await documents(database, name):
            assert from_document(model, document)
            assert find_refused_id(document) is None
    for document in await documents(database, REQUESTS.name):
        assert parse_accepted_event(document)


async def test_what_was_said_in_a_project_is_known_there_and_nowhere_else(
    database: MongoDatabase, clock: SettableClock
) -> None:
    """The consolidator finishes what the migration decided, and it can be undone like all else."""
    await migrate(database, clock, 0)
    stores = Stores.in_database(database)
    clock.advance(timedelta(seconds=1))
    await Consolidator(stores, clock).reconciler.finish_unfinished(clock())

    def said(found: list[Memory]) -> str:
        return "\n".join(memory.content for memory in found if memory.status is Status.ACTIVE)

    outside = said(await stores.memories.list(OUTSIDE.visible(), limit=99))
    inside = said(await stores.memories.list(INSIDE.visible(), limit=99))
    assert [words for words in OF_PROJECT if words in outside] == []
    assert [words for words in OF_PROJECT if words not in inside] == []
    assert [words for words in OF_PERSON if words not in outside] == []
    turns = await documents(database, TURNS.name)
    assert {turn["session_id"] for turn in turns if turn["project_id"] == "orchard"} == {
        "kickoff",
        "kickoff-zh",
    }
    moves = [
        change_set
        for change_set in stores.published.announced
        if change_set.actor == "palimpsest migrate"
    ]
    moved = [change.after for change_set in moves for change in change_set.memory_changes]
    assert len(moved) == len(OF_PROJECT)
    assert all(change_set.progress is ChangeSetProgress.PROJECTED for change_set in moves)
    asked = {
        memory_text.memory_id
        for event in stores.published.asked_of_the_embedder()
        for memory_text in event.memories
    }
    assert {memory.id for memory in moved} <= asked


@pytest.mark.parametrize("version", VERSIONS)
async def test_what_each_conversation_changed_is_known_and_can_be_taken_back(
    database: MongoDatabase, clock: SettableClock, version: int
) -> None:
    await migrate(database, clock, version)
    stores = Stores.in_database(database)
    for session_id, words in (("home", "walnuts"), ("kickoff-zh", "花生")):
        changes = await read_session_changes(stores.change_sets, stores.memories, USER, session_id)
        written = [
            change.after
            for change_set in changes.change_sets
            for change in change_set.memory_changes
        ]
        assert any(words in memory.content for memory in written)
        said_in = {evidence.session_id for memory in written for evidence in memory.evidence}
        assert said_in == {session_id}
        undone = undo_session(
            changes.change_sets,
            {memory.id: memory for memory in changes.memories},
            UserSettings(),
            changes.later,
        )
        assert undone.undone


async def test_what_is_under_a_blank_id_is_set_aside(
    database: MongoDatabase, clock: SettableClock
) -> None:
    await migrate(database, clock, 0)
    aside = await documents(database, SET_ASIDE.name)
    assert {each["collection"] for each in aside} >= {"sessions", "turns"}
    assert {each["refused"] for each in aside} == {"agent_id"}
    assert {each["user_id"] for each in aside} == {USER}
    left = await documents(database, MEMORIES.name)
    assert any("rye bread" in each["content"] for each in left)


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_second_migration_finds_nothing_left(
    database: MongoDatabase, clock: SettableClock, version: int
) -> None:
    """Whoever was ended behind the last write and before the version repeats it."""
    await migrate(database, clock, version)
    stores = Stores.in_database(database)
    before = (await stores.change_sets.heads([USER]))[USER].revision
    await database.raw("schema").delete_many({})
    context = MigrationContext(database=database, layout=Layout.POOLED, clock=clock)

    report = await migrate_database(context, owner="test", program="test")

    assert report.found == 0
    assert (await stores.change_sets.heads([USER]))[USER].revision == before
