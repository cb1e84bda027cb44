"""Of a request that is erased no word is left, whatever it was."""

from datetime import timedelta

import pytest

from palimpsest.events.conversations import RememberRequested, SessionStarted, SummaryPublished
from palimpsest.events.feedback import FeedbackGiven
from palimpsest.events.skills import SkillFailed, SkillSucceeded
from palimpsest.model.erasure import Erasure
from palimpsest.model.feedback import FeedbackVerdict
from palimpsest.model.session_summary import summary_id
from palimpsest_server.stores.accepted_requests import AcceptedRequest, request_id
from palimpsest_server.stores.collections import REQUESTS, SESSIONS
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.erasure.ingest import IngestEraser
from palimpsest_server.stores.mongo.accepted_requests import MongoAcceptedRequests
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.sessions import MongoSessions
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.sessions import SessionKey, SessionProgress
from tests.support.turns import MORNING

CANARY = "marzipan"
ENVELOPE = {"user_id": "lin", "occurred_at": MORNING, "received_at": MORNING, "epoch": 0}
REQUESTS_OF_EVERY_KIND: tuple[AcceptedRequest, ...] = (
    RememberRequested(event_id="e1", content=CANARY, **ENVELOPE),
    SummaryPublished(event_id="e2", session_id="s", text=CANARY, key_facts=(CANARY,), **ENVELOPE),
    SkillSucceeded(event_id="e3", skill_name=CANARY, workflow=({"tool": CANARY},), **ENVELOPE),
    SkillFailed(event_id="e4", skill_name="x", error=CANARY, **ENVELOPE),
    FeedbackGiven(event_id="e5", verdict=FeedbackVerdict.WRONG, memory_ids=("m",), **ENVELOPE),
    SessionStarted(event_id="e6", session_id="s", topic=CANARY, **ENVELOPE),
)


def decided(erasure: Erasure) -> DecidedErasure:
    return DecidedErasure(
        id="c",
        user_id="lin",
        revision=1,
        erasure=erasure,
        decided_at=MORNING,
        known_since=MORNING,
    )


@pytest.mark.embedded
async def test_of_every_kind_of_request_only_whose_it_was_is_left(database: MongoDatabase) -> None:
    requests = MongoAcceptedRequests(database)
    await requests.accept(REQUESTS_OF_EVERY_KIND, now=MORNING)
    await IngestEraser(database).erase(decided(Erasure(everything=True, epoch=1)))
    ids = [request_id("lin", event.event_id) for event in REQUESTS_OF_EVERY_KIND]
    standing = await requests.standing(ids)
    assert {kept.state for kept in standing.values()} == {OutboxState.DROPPED}
    assert [type(standing[each].item) for each in ids] == list(map(type, REQUESTS_OF_EVERY_KIND))
    kept = await database.collection(REQUESTS).find({"user_id": "lin"}).to_list(None)
    assert CANARY not in str(kept)


@pytest.mark.embedded
async def test_of_what_a_session_was_begun_about_the_session_keeps_nothing_either(
    database: MongoDatabase,
) -> None:
    begun = SessionStarted(event_id="e7", session_id="s7", topic=CANARY, **ENVELOPE)
    other = SessionStarted(event_id="e8", session_id="s8", topic="tea", **ENVELOPE)
    await MongoAcceptedRequests(database).accept([begun, other], now=MORNING)
    sessions = MongoSessions(database)
    await sessions.advance(
        [
            SessionProgress(key=SessionKey.of(session_started), started=session_started)
            for session_started in (begun, other)
        ]
    )
    erasure = Erasure(epoch=0, request_ids=(request_id("lin", "e7"),))
    await IngestEraser(database).erase(decided(erasure))
    found = await sessions.of([SessionKey.of(begun), SessionKey.of(other)])
    assert [session.topic for session in found.values()] == [None, "tea"]
    for collection in (REQUESTS, SESSIONS):
        kept = await database.collection(collection).find({"user_id": "lin"}).to_list(None)
        assert CANARY not in str(kept)
        assert "tea" in str(kept)


@pytest.mark.embedded
async def test_a_chat_services_own_account_goes_with_the_messages_it_is_of(
    database: MongoDatabase,
) -> None:
    told = SummaryPublished(event_id="e9", session_id="s9", text=CANARY, **ENVELOPE)
    later = ENVELOPE | {"received_at": MORNING + timedelta(hours=1)}
    others = [
        SummaryPublished(event_id="e10", session_id="s10", text="of another", **ENVELOPE),
        SummaryPublished(event_id="e11", session_id="s9", text="written since", **later),
    ]
    await MongoAcceptedRequests(database).accept([told, *others], now=MORNING)
    erasure = Erasure(epoch=0, turn_ids=("t",), summary_ids=(summary_id("lin", "s9"),))
    await IngestEraser(database).erase(decided(erasure))
    kept = str(await database.collection(REQUESTS).find({}).to_list(None))
    assert CANARY not in kept
    assert all(other.text in kept for other in others)
