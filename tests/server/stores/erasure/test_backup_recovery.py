"""An older backup beside the keys of today: whoever was forgotten since is forgotten once more."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.events.conversations import RememberRequested
from palimpsest.events.feedback import RecallUsed
from palimpsest_server.stores.accepted_requests import AcceptedRequest, request_id
from palimpsest_server.stores.collections import CHANGE_SETS, EPOCHS, REQUESTS, STAGES
from palimpsest_server.stores.decided_erasures import MongoErasures
from palimpsest_server.stores.encryption.master_keys import MasterKeys
from palimpsest_server.stores.epochs import MongoEpochs
from palimpsest_server.stores.erasure.backup_recovery import reapply_erasures
from palimpsest_server.stores.erasure.ingest import IngestEraser
from palimpsest_server.stores.mongo.accepted_requests import MongoAcceptedRequests
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.recall_traces import MongoRankingTraces
from palimpsest_server.stores.user_archive import MongoUserArchive

pytestmark = pytest.mark.embedded

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=1)


@pytest.fixture
async def held(database: MongoDatabase, mongodb_url: str) -> AsyncIterator[MongoDatabase]:
    held = MongoDatabase(mongodb_url, database._database.name, masters=MasterKeys(bytes(range(32))))
    yield held
    held.close()


def asked(user_id: str, content: str, epoch: int = 0) -> RememberRequested:
    return RememberRequested(
        event_id=f"remember {content}",
        occurred_at=NOON,
        received_at=NOON,
        epoch=epoch,
        user_id=user_id,
        content=content,
    )


def used(user_id: str) -> RecallUsed:
    return RecallUsed(
        event_id="used", occurred_at=NOON, user_id=user_id, recall_id="r", result_ids=("m",)
    )


async def restored_after_forgetting(held: MongoDatabase, user_id: str, *, epoch: int = 1) -> None:
    """The keys are those of today, all else is as it was before the user was forgotten."""
    assert held.sealing is not None
    await held.sealing.keyring.destroy(user_id, before_epoch=epoch)


async def test_what_came_back_is_forgotten_again_and_new_words_are_kept(
    held: MongoDatabase,
) -> None:
    requests, epochs = MongoAcceptedRequests(held), MongoEpochs(held)
    before: list[AcceptedRequest] = [asked("ann", "tea"), used("ann"), asked("bob", "milk")]
    await requests.accept(before, now=NOON)
    await held.collection(CHANGE_SETS).insert_one({"_id": "c", "user_id": "ann", "revision": 7})
    await restored_after_forgetting(held, "ann")

    assert await reapply_erasures(held, now=LATER) == 1
    assert await epochs.of(["ann", "bob"]) == {"ann": 1, "bob": 0}
    (decided,) = await MongoErasures(held).of_user("ann")
    assert (decided.erasure.everything, decided.erasure.epoch, decided.revision) == (True, 1, 8)
    assert decided.waiting_for == STAGES
    assert await MongoErasures(held).of_user("bob") == []
    assert await reapply_erasures(held, now=LATER) == 0

    await IngestEraser(held).erase(decided)
    late = LATER + timedelta(hours=1)
    assert [one.id for one in await requests.due(OutboxState.STORED, before=late)] == [
        request_id("bob", "remember milk")
    ]
    # Sealed with a key of the epoch before it would be lost without a word.
    await requests.accept([asked("ann", "water", epoch=1)], now=LATER)
    said = [event async for _, event in MongoUserArchive(held).requests("ann")]
    assert [
        remember_requested.content
        for remember_requested in said
        if isinstance(remember_requested, RememberRequested)
    ] == ["water"]


async def test_the_latest_epoch_that_a_key_has_seen_counts(held: MongoDatabase) -> None:
    requests, epochs = MongoAcceptedRequests(held), MongoEpochs(held)
    await epochs.raise_to("ann", 4)
    await requests.accept([asked("ann", "tea", epoch=4)], now=NOON)
    await held.collection(EPOCHS).delete_many({})
    assert await reapply_erasures(held, now=LATER) == 1
    assert await epochs.of(["ann"]) == {"ann": 4}


async def test_without_encryption_nothing_is_known_of_it(database: MongoDatabase) -> None:
    if database.sealing is None:
        assert await reapply_erasures(database, now=LATER) == 0


async def test_a_request_that_nobody_can_read_any_more_stops_nobody(held: MongoDatabase) -> None:
    """So it is as well where a process stood still between its key and its write."""
    requests = MongoAcceptedRequests(held)
    await requests.accept([asked("ann", "tea"), used("ann"), asked("bob", "milk")], now=NOON)
    await restored_after_forgetting(held, "ann")
    ids = {user: request_id(user, f"remember {what}") for user, what in PLACES.items()}
    kept = await requests.standing(list(ids.values()))
    assert {user: kept[each].state for user, each in ids.items()} == {
        "ann": OutboxState.DROPPED,
        "bob": OutboxState.STORED,
    }
    assert kept[ids["ann"]].pending_since is None
    again = await requests.accept([asked("ann", "tea")], now=LATER)
    assert [entry.state for entry in again.values()] == [OutboxState.DROPPED]
    assert [one async for one in MongoUserArchive(held).requests("ann")] == []
    assert await MongoRankingTraces(held).all() == []
    raw = await held.collection(REQUESTS).find_one({"_id": ids["ann"]})
    assert raw is not None
    assert "pending_since" not in raw


PLACES = {"ann": "tea", "bob": "milk"}
