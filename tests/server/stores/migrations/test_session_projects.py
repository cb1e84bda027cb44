"""Memories that were said in a project and stored without it."""

from typing import Any

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Evidence, Memory, MemoryFields, Status
from palimpsest.model.scope import Layout, Scope
from palimpsest.model.user import UserState
from palimpsest_server.stores.collections import SESSIONS as SESSION_TABLE
from palimpsest_server.stores.collections import TURNS
from palimpsest_server.stores.migrations.migration_step import MigrationContext
from palimpsest_server.stores.migrations.steps.step_003_session_projects import (
    SessionProjects,
    move_to_project,
)
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.sessions import Session
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import candidate, day

SESSIONS = {
    name: Session(
        id=name,
        user_id="mirela",
        session_id=name,
        project_id=project,
        participants=("Mirela", "planner"),
    )
    for name, project in (("kickoff", "orchard"), ("later", "orchard"), ("other", "mill"))
}
USER = Scope(user_id="mirela")
AGENT = Scope(user_id="mirela", agent_id="planner")


def memory(
    content: str,
    *said_in: str | None,
    scope: Scope = USER,
    status: Status = Status.ACTIVE,
    **fields: Any,
) -> Memory:
    said = candidate(content, scope=scope, **fields)
    evidence = tuple(
        Evidence(quote=content, session_id=session, message_id=None if session is None else "1")
        for session in said_in
    )
    own = {name: getattr(said, name) for name in MemoryFields.model_fields}
    return Memory(
        **{**own, "evidence": evidence},
        recorded_at=day(0),
        epoch=0,
        status=status,
    )


@pytest.mark.parametrize(
    "said",
    [
        memory("The client is Halvorsen Orchards", "kickoff", scope=AGENT),
        memory("客户是北岸果园，合同金额300万", "kickoff", scope=AGENT),
        memory("The user presents the sketch on Friday", "kickoff"),
        memory("用户的目标是六月前完成灌溉方案", "kickoff", scope=AGENT, kind=Kind.GOAL),
        memory("The client's city is Bergen", "kickoff", attribute="city", value="Bergen"),
        memory("The sketch was approved", "kickoff", "later", kind=Kind.EVENT),
        memory("The pump failed", "kickoff", status=Status.ARCHIVED),
    ],
)
def test_a_memory_of_the_project_goes_there_and_keeps_its_agent(said: Memory) -> None:
    change = move_to_project(said, SESSIONS, UserState())
    assert change is not None
    assert change.before == said
    assert change.after.scope == said.scope.model_copy(update={"project_id": "orchard"})
    assert change.after.version == said.version + 1


@pytest.mark.parametrize(
    "said",
    [
        # Plainly about the person.
        memory("The user prefers short answers", "kickoff", kind=Kind.PREFERENCE),
        memory("用户对花生过敏", "kickoff", attribute="allergies", value="花生"),
        memory("Mirela lives in Gdansk", "kickoff", attribute="city", value="Gdansk"),
        # About an agent's work in any project.
        memory("Answers were too long", "kickoff", scope=AGENT, kind=Kind.FEEDBACK),
        # Not said in one project alone.
        memory("The pump failed", "kickoff", "other"),
        memory("The pump failed", "kickoff", "home"),
        memory("The pump failed", "kickoff", None),
        memory("The pump failed", "home"),
        memory("The pump failed"),
        # Erased, or of an epoch that is over.
        memory("erased", "kickoff", status=Status.PURGED),
    ],
)
def test_what_belongs_elsewhere_stays(said: Memory) -> None:
    assert move_to_project(said, SESSIONS, UserState()) is None


def test_nothing_of_an_older_epoch_is_moved() -> None:
    said = memory("The pump failed", "kickoff")
    assert move_to_project(said, SESSIONS, UserState(epoch=1)) is None


@pytest.mark.embedded
async def test_messages_get_the_project_of_their_session(
    database: MongoDatabase, clock: SettableClock
) -> None:
    place = {"user_id": "mirela", "session_id": "kickoff"}
    own = {"mine": ("mirela", None), "own": ("mirela", "mill"), "other": ("bob", None)}
    await database.raw(SESSION_TABLE.name).insert_many(
        [
            {"_id": "1", **place, "project_id": "orchard"},
            {"_id": "2", **place, "session_id": "home", "project_id": None},
        ]
    )
    await database.raw(TURNS.name).insert_many(
        {"_id": name, **place, "user_id": user, "project_id": project, "sequence": number}
        for number, (name, (user, project)) in enumerate(own.items())
    )
    context = MigrationContext(database=database, layout=Layout.POOLED, clock=clock)

    changed = 0
    async for batch in SessionProjects().batches(context):
        await batch.write()
        changed += batch.changed

    assert changed == 1
    found = await database.raw(TURNS.name).find({}).to_list(None)
    projects = {each["_id"]: each["project_id"] for each in found}
    assert projects == {"mine": "orchard", "own": "mill", "other": None}
