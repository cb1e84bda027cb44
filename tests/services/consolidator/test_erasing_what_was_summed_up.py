"""With a purged memory goes what its session was summed up as, and it does not come back late."""

from datetime import timedelta

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.events.commands import PurgeMemory
from palimpsest.events.conversations import SummaryPublished
from palimpsest.events.embeddable_event import build_summary_text
from palimpsest.events.topics import CANDIDATES
from palimpsest.events.writes import SummaryReprojectionRequested
from palimpsest.model.change_set import SummaryChange
from palimpsest.model.memory import memory_id
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import candidate
from tests.support.services.consolidator.erasing import contents, obey
from tests.support.services.consolidator.events import envelope
from tests.support.services.consolidator.events import proposed as extracted
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.summaries import SUMMARY_ID, found, proposed, summary
from tests.support.services.consolidator.world import Consolidator

pytestmark = pytest.mark.embedded

SECRET = candidate("I am allergic to peanuts", on=1)
TOLD = "Alice told of her peanuts."
PURGE = PurgeMemory(memory_id=memory_id("alice", SECRET.id), **envelope("purge", "alice"))


async def test_the_account_goes_with_its_vector_and_its_history(
    consolidator: Consolidator, stores: Stores, database: MongoDatabase
) -> None:
    await consolidator.handle(extracted(SECRET), proposed(summary(TOLD)))
    await consolidator.handle(PURGE)
    await obey(stores, database)
    assert "peanuts" not in await contents(database)
    assert SUMMARY_ID not in stores.vectors.points
    assert await stores.summaries.of_users({"alice": [SUMMARY_ID]}) == []


@pytest.mark.parametrize("together", [True, False])
async def test_an_account_that_was_being_made_meanwhile_is_not_taken_in(
    consolidator: Consolidator, stores: Stores, *, together: bool
) -> None:
    late = proposed(summary(TOLD), event_id="late")
    await consolidator.handle(extracted(SECRET))
    for batch in ([PURGE, late],) if together else ([PURGE], [late], [late]):
        await consolidator.handle(*batch)
    assert await stores.summaries.of_users({"alice": [SUMMARY_ID]}) == []
    assert await found(stores, TOLD, RecordType.SUMMARY) == []

    (decided,) = await stores.erasures.waiting("ingest")
    anew = proposed(summary("Alice sails."), event_id="anew")
    await consolidator.handle(anew.model_copy(update={"aware_of": decided.revision}))
    assert await found(stores, "Alice sails.", RecordType.SUMMARY) == [SUMMARY_ID]


async def test_nor_are_a_chat_services_words_of_before_it(
    consolidator: Consolidator, stores: Stores, database: MongoDatabase
) -> None:
    words = envelope("published", "alice", session_id="s")
    late = SummaryPublished(text=TOLD, vectors=(vectors_of(TOLD),), **words)
    await consolidator.handle(extracted(SECRET))
    await consolidator.handle(PURGE)
    await consolidator.handle(late)
    assert await stores.summaries.of_users({"alice": [SUMMARY_ID]}) == []

    (decided,) = await stores.erasures.waiting("ingest")
    since = words | {"event_id": "since", "received_at": decided.decided_at + timedelta(seconds=1)}
    sails = "Alice sails."
    await consolidator.handle(SummaryPublished(text=sails, vectors=(vectors_of(sails),), **since))
    await obey(stores, database)
    assert await found(stores, sails, RecordType.SUMMARY) == [SUMMARY_ID]


async def test_a_process_that_comes_after_knows_of_it_too(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(extracted(SECRET))
    await consolidator.handle(PURGE)
    another = Consolidator(stores, clock)
    await another.finishing.erasing.load()
    await another.handle(proposed(summary(TOLD), event_id="late"))
    assert await stores.summaries.of_users({"alice": [SUMMARY_ID]}) == []


async def test_vectors_asked_for_before_are_none_of_what_is_made_anew(
    consolidator: Consolidator, stores: Stores
) -> None:
    """Both are of version 1: what the first said must not be found where the second stands."""
    assert consolidator.points is not None
    await consolidator.points.project([SummaryChange(after=summary(TOLD))], {})
    (asked,) = [
        summary_reprojection_requested for summary_reprojection_requested in stores.published.on(CANDIDATES)
        if isinstance(summary_reprojection_requested, SummaryReprojectionRequested)
    ]  # fmt: skip
    assert asked.text == build_summary_text(summary(TOLD))
    await stores.summaries.write([summary("Alice sails.")])
    answered = asked.model_copy(update={"vectors": (vectors_of(asked.text.dense),)})
    await consolidator.finishing.project_again([answered])
    assert await found(stores, TOLD, RecordType.SUMMARY) == []
