"""What was erased may be sent again by whoever never heard of it: it is known, and stays away."""

from collections.abc import Mapping
from typing import Any

import pytest

from palimpsest.events.topics import CONVERSATIONS
from palimpsest.model.erasure import Erasure
from palimpsest.model.turn import turn_id
from palimpsest_server.stores.accepted_requests import request_id
from palimpsest_server.stores.collections import REQUESTS, TURNS
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.erasure.ingest import IngestEraser
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.services.ingest.world import World

pytestmark = pytest.mark.embedded

TURN = turn_id("lin", "s", "m1")
ENVELOPE = {"user_id": "lin", "occurred_at": "2026-03-02T09:31:00Z"}
MESSAGE = {
    **ENVELOPE,
    "type": "MessageAdded",
    "session_id": "s",
    "message_id": "m1",
    "role": "user",
    "text": "我对花生过敏。",
}
REMEMBER = {**ENVELOPE, "type": "RememberRequested", "event_id": "r1", "content": "No peanuts."}
STARTED = {
    **ENVELOPE,
    "type": "SessionStarted",
    "event_id": "b1",
    "session_id": "s",
    "topic": "peanuts",
}
SUMMARY = {
    **ENVELOPE,
    "type": "SummaryPublished",
    "event_id": "s1",
    "session_id": "s",
    "text": "peanuts",
}
SKILL = {**ENVELOPE, "type": "SkillSucceeded", "event_id": "k1", "skill_name": "peel peanuts"}
EVERYTHING = (MESSAGE, REMEMBER, STARTED, SUMMARY, SKILL)

ERASURES = {
    "everything": Erasure(everything=True, epoch=1),
    "a project": Erasure(epoch=0, project_id="p"),
    "a topic": Erasure(
        epoch=0,
        turn_ids=(TURN,),
        request_ids=tuple(request_id("lin", each) for each in ("r1", "b1", "s1", "k1")),
    ),
}


async def erase(world: World, database: MongoDatabase, erasure: Erasure) -> None:
    now = world.clock()
    decided = DecidedErasure(
        id="c", user_id="lin", revision=1, decided_at=now, known_since=now, erasure=erasure
    )
    await IngestEraser(database).erase(decided)


async def kept_of(database: MongoDatabase) -> str:
    found = [await database.collection(each).find({}).to_list(None) for each in (TURNS, REQUESTS)]
    return str(found)


async def outcomes(world: World, *events: Mapping[str, Any]) -> list[tuple[int, str]]:
    return [(result.status, result.outcome) for result in await world.accepting.accept(events)]


@pytest.mark.parametrize("which", ERASURES)
@pytest.mark.parametrize("as_before", [True, False], ids=["byte for byte", "changed"])
async def test_what_was_erased_is_known_and_nothing_of_it_comes_back(
    database: MongoDatabase, which: str, *, as_before: bool
) -> None:
    world = World.on(database)
    sent = [{**event, "project_id": "p"} for event in EVERYTHING]
    await world.accepting.accept(sent)
    await erase(world, database, ERASURES[which])
    if ERASURES[which].everything:
        world.users.settle("lin", epoch=1)
    before = len(world.log.on(CONVERSATIONS))
    again = sent if as_before else [{**event, "trace": "t"} for event in sent]
    if not as_before:
        again[0]["text"] = "I am allergic to peanuts."

    assert await outcomes(world, *again) == [(202, "duplicate")] * len(sent)
    assert len(world.log.on(CONVERSATIONS)) == before
    kept = await kept_of(database)
    assert "peanuts" not in kept
    assert "花生" not in kept


async def test_it_is_known_before_what_was_kept_of_it_has_gone(database: MongoDatabase) -> None:
    """Of everything that was forgotten the epoch says so at once."""
    world = World.on(database)
    await world.accepting.accept(EVERYTHING)
    world.users.settle("lin", epoch=1)
    before = len(world.log.on(CONVERSATIONS))
    changed = [{**MESSAGE, "text": "[…]"}, {**REMEMBER, "content": "other"}]

    assert await outcomes(world, *changed) == [(202, "duplicate")] * 2
    assert len(world.log.on(CONVERSATIONS)) == before


async def test_it_is_known_while_the_new_epoch_is_not(database: MongoDatabase) -> None:
    world = World.on(database)
    await world.accepting.accept(EVERYTHING)
    await erase(world, database, ERASURES["everything"])

    assert set(await outcomes(world, *EVERYTHING)) == {(202, "duplicate")}


async def test_others_in_its_batch_are_taken(database: MongoDatabase) -> None:
    world = World.on(database)
    await world.accepting.accept([MESSAGE])
    await erase(world, database, ERASURES["a topic"])
    new = {**MESSAGE, "message_id": "m2", "text": "I like tea."}

    assert await outcomes(world, MESSAGE, new) == [(202, "duplicate"), (202, "accepted")]


async def test_by_kafka_it_is_passed_over_as_well(database: MongoDatabase) -> None:
    world = World.on(database)
    await world.accepting.accept(EVERYTHING)
    sent = [event for topic, event in world.log.published if topic is CONVERSATIONS]
    await world.take(*sent)
    followed = len(world.log.published)
    await erase(world, database, ERASURES["everything"])

    assert await world.take(*sent) == []  # before the process has heard of the new epoch
    world.users.settle("lin", epoch=1)
    assert await world.take(*sent) == []
    assert len(world.log.published) == followed
