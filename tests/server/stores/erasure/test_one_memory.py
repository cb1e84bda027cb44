"""A purged memory goes from what it was asked for by, and from the answer it was proposed in."""

import pytest

from palimpsest.events.skills import SkillFailed, SkillSucceeded
from palimpsest.model.erasure import Erasure
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import memory_id
from palimpsest_server.stores.collections import LEDGER, REQUESTS
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.erased_text import ERASED_TEXT
from palimpsest_server.stores.erasure.extractor import ExtractorEraser
from palimpsest_server.stores.erasure.ingest import IngestEraser
from palimpsest_server.stores.mongo.accepted_requests import MongoAcceptedRequests
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.ledger import MongoLedger
from palimpsest_server.stores.summary_needs import MongoSummaryNeeds
from tests.support.clock import SettableClock
from tests.support.services.consolidator.events import envelope, remember, remembered_id

pytestmark = pytest.mark.embedded

SECRET = remember("The treasure is under the oak", event_id="secret")
OTHER = remember("I like tea", event_id="other")


def decided(clock: SettableClock, *memory_ids: str) -> DecidedErasure:
    return DecidedErasure(
        id="purge",
        user_id="alice",
        revision=9,
        decided_at=clock(),
        known_since=clock(),
        erasure=Erasure(epoch=0, memory_ids=memory_ids),
    )


async def test_the_request_that_it_was_asked_for_by_says_nothing(
    database: MongoDatabase, clock: SettableClock
) -> None:
    requests = MongoAcceptedRequests(database)
    await requests.accept([SECRET, OTHER], now=clock())
    await IngestEraser(database).erase(decided(clock, remembered_id(SECRET)))
    found = await database.collection(REQUESTS).find({}).to_list(None)
    said = {event["_id"]: event["event"] for event in found}
    assert len(said) == 2
    assert sum(ERASED_TEXT in event for event in said.values()) == 1
    assert not any("oak" in event for event in said.values())
    assert any("I like tea" in event for event in said.values())


async def test_of_a_purged_skill_none_of_its_runs_says_anything(
    database: MongoDatabase, clock: SettableClock
) -> None:
    said = envelope("run 1", "alice")
    first = SkillSucceeded(skill_name="dig", workflow=({"tool": "oak"},), **said)
    then = SkillFailed(skill_name="dig", error="oak roots", **envelope("run 2", "alice"))
    other = SkillSucceeded(skill_name="brew", **envelope("run 3", "alice"))
    await MongoAcceptedRequests(database).accept([first, then, other], now=clock())
    gone = memory_id("alice", derive_id("candidate", first.event_id, "0"))
    await IngestEraser(database).erase(decided(clock, gone))
    left = [each["event"] for each in await database.collection(REQUESTS).find({}).to_list(None)]
    assert not any("oak" in event or "dig" in event for event in left)
    assert sum("brew" in event for event in left) == 1


async def test_the_answer_that_it_was_proposed_in_is_dropped_and_others_stay(
    database: MongoDatabase, clock: SettableClock
) -> None:
    ledger = database.collection(LEDGER)
    for window, content in (("w1", "the oak"), ("w2", "tea")):
        candidates = [{"id": derive_id("candidate", window, "0"), "content": content}]
        await ledger.insert_one(
            {
                "_id": window,
                "user_id": "alice",
                "state": "confirmed",
                "answer": {"candidates": candidates},
            }
        )
    gone = memory_id("alice", derive_id("candidate", "w1", "0"))
    await ExtractorEraser(
        database, MongoLedger(database), MongoSummaryNeeds(database), clock
    ).erase(decided(clock, gone))
    left = {each["_id"]: each.get("answer") for each in await ledger.find({}).to_list(None)}
    assert left["w1"] is None
    assert left["w2"] is not None
