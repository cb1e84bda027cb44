"""Documents under ids that are refused today."""

from typing import Any

import pytest

from palimpsest.model.erasure import Erasure
from palimpsest.model.scope import Layout
from palimpsest_server.stores.collections import MEMORIES, NAMESPACES, SET_ASIDE, TURNS
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.erasure.set_aside import SetAsideEraser
from palimpsest_server.stores.migrations.migration_step import MigrationContext
from palimpsest_server.stores.migrations.steps.step_002_refused_ids import (
    RefusedIds,
    find_refused_id,
)
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.clock import SettableClock


@pytest.mark.parametrize(
    ("document", "refused"),
    [
        ({"user_id": "lin", "agent_id": None, "session_id": "a b"}, None),
        ({"user_id": "林", "text": "\x00", "scope": {"user_id": "林"}}, None),
        ({"user_id": "lin", "agent_id": " "}, "agent_id"),
        ({"user_id": "lin", "agent_id": "\u3000"}, "agent_id"),
        ({"user_id": ""}, "user_id"),
        ({"user_id": "x" * 257}, "user_id"),
        ({"user_id": "lin", "session_id": "a\nb"}, "session_id"),
        ({"scope": {"user_id": "lin", "project_id": "\t"}}, "project_id"),
        ({"namespace": {"user_id": "lin", "agent_id": "\x7f"}}, "agent_id"),
        # What is only quoted is read as before where it can be read.
        ({"scope": {"user_id": "lin"}, "evidence": [{"session_id": " "}]}, None),
        ({"scope": {"user_id": "lin"}, "evidence": [{"message_id": "a\x00"}]}, "message_id"),
        ({"user_id": "lin", "changes": [{"after": {"scope": {"agent_id": " "}}}]}, None),
        ({"user_id": "lin", "changes": [{"after": {"scope": {"agent_id": "\n"}}}]}, "agent_id"),
    ],
)
def test_an_id_is_refused_where_nobody_can_ask_by_it_or_read_it(
    document: dict[str, Any], refused: str | None
) -> None:
    assert find_refused_id(document) == refused


@pytest.fixture
def context(database: MongoDatabase, clock: SettableClock) -> MigrationContext:
    return MigrationContext(database=database, layout=Layout.PER_AGENT, clock=clock)


async def apply(context: MigrationContext) -> int:
    changed = 0
    async for batch in RefusedIds().batches(context):
        await batch.write()
        changed += batch.changed
    return changed


@pytest.mark.embedded
async def test_they_are_set_aside_as_they_lie_wherever_they_lie(
    context: MigrationContext, database: MongoDatabase
) -> None:
    namespace = {"_id": "n", "user_id": "lin", "agent_id": " ", "layout": "per_agent"}
    namespace |= {"physical_name": "h_blank"}
    memory = {"_id": "m", "scope": {"user_id": "lin", "agent_id": " "}, "content": b"\x01sealed"}
    good = {"_id": "t1", "user_id": "lin", "session_id": "s", "message_id": "1", "sequence": 1}
    bad = {**good, "_id": "t2", "message_id": "2\n", "sequence": 2}
    await database.raw(NAMESPACES.name).insert_one(namespace)
    await database.raw("h_blank").insert_one(memory)
    await database.raw(TURNS.name).insert_many([good, bad])

    assert await apply(context) == 3

    aside = {each["_id"]: each async for each in database.raw(SET_ASIDE.name).find({})}
    assert sorted(aside) == ["h_blank/m", "namespaces/n", "turns/t2"]
    assert {each["user_id"] for each in aside.values()} == {"lin"}
    assert aside["h_blank/m"]["document"] == memory
    assert aside["turns/t2"]["refused"] == "message_id"
    assert await database.raw(TURNS.name).find({}).to_list(None) == [good]
    assert await apply(context) == 0


@pytest.mark.embedded
async def test_what_was_copied_and_not_taken_away_yet_is_taken_away_the_next_time(
    context: MigrationContext, database: MongoDatabase
) -> None:
    bad = {"_id": "m", "scope": {"user_id": " "}}
    await database.raw(MEMORIES.name).insert_one(bad)
    copied = {"_id": "memories/m", "user_id": " ", "document": bad}
    await database.raw(SET_ASIDE.name).insert_one(copied)

    assert await apply(context) == 1

    assert await database.raw(MEMORIES.name).find_one({}) is None
    assert await database.raw(SET_ASIDE.name).find({}).to_list(None) == [copied]


@pytest.mark.embedded
@pytest.mark.parametrize(
    ("erasure", "left"),
    [
        (Erasure(everything=True, epoch=1), ["bob"]),
        (Erasure(epoch=0, project_id="alpha"), ["bob", "m2"]),
        (Erasure(epoch=0, memory_ids=("m2",)), ["bob", "m1"]),
        (Erasure(epoch=0, turn_ids=("t",)), ["bob", "m1", "m2"]),
    ],
)
async def test_what_is_set_aside_is_erased_with_the_rest(
    database: MongoDatabase, clock: SettableClock, erasure: Erasure, left: list[str]
) -> None:
    kept = [("m1", "lin", "alpha"), ("m2", "lin", None), ("bob", "bob", "alpha")]
    await database.raw(SET_ASIDE.name).insert_many(
        {
            "_id": f"memories/{record}",
            "user_id": user,
            "record_id": record,
            "document": {"scope": {"user_id": user, "project_id": project}},
        }
        for record, user, project in kept
    )
    decided = DecidedErasure(
        id="e", user_id="lin", revision=9, decided_at=clock(), known_since=clock(), erasure=erasure
    )

    await SetAsideEraser(database).erase(decided)

    found = await database.raw(SET_ASIDE.name).find({}).to_list(None)
    assert sorted(each["record_id"] for each in found) == left
