"""Summaries of sessions: kept once for each, projected as a kind of their own, gone in time."""

from datetime import timedelta
from typing import Any

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.events.conversations import SummaryPublished
from palimpsest.events.topics import CANDIDATES
from palimpsest.events.writes import SummaryReprojectionRequested
from palimpsest.model.session_summary import CHAT_SERVICE
from services.consolidator.summary_changes import ExpiredSummarySweep
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE, candidate
from tests.support.services.consolidator.events import envelope
from tests.support.services.consolidator.interrupting import Interrupted
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.summaries import SUMMARY_ID, found, only, proposed, summary
from tests.support.services.consolidator.world import Consolidator

pytestmark = pytest.mark.embedded


async def test_a_session_is_summed_up_once_and_again_when_it_goes_on(
    consolidator: Consolidator, stores: Stores
) -> None:
    first = proposed(summary("Alice sails."))
    for _ in range(2):
        await consolidator.handle(first)
    assert (await only(stores)).version == 1
    more = proposed(summary("Alice sails to Norway.", through=8), event_id="more")
    await consolidator.handle(more)
    standing = await only(stores)
    assert (standing.text, standing.version) == ("Alice sails to Norway.", 2)
    assert stores.published.announced[-1].reason == "a session was summed up"


async def test_it_is_found_where_summaries_are_asked_for_and_nowhere_else(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(proposed(summary("Alice sails.")))
    assert await found(stores, "Alice sails.", RecordType.SUMMARY) == [SUMMARY_ID]
    assert await found(stores, "Alice sails.") == []
    assert await found(stores, "Alice sails.", RecordType.MEMORY, RecordType.SUMMARY) == [
        SUMMARY_ID
    ]


async def test_its_facts_become_memories_with_their_evidence(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(proposed(summary("Alice sails."), candidate("Alice has a boat")))
    (memory,) = await stores.listed(ALICE)
    assert (memory.content, memory.evidence[0].quote) == ("Alice has a boat", "Alice has a boat")


async def test_a_placeholder_is_kept_and_neither_found_nor_counted(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(proposed(summary("(tried again later)", failed=True)))
    assert (await only(stores)).failed
    assert await stores.summaries.latest([ALICE], now=clock()) == []
    assert stores.vectors.points == {}
    await consolidator.handle(proposed(summary("Alice sails."), event_id="again"))
    assert await found(stores, "Alice sails.", RecordType.SUMMARY) == [SUMMARY_ID]


async def test_the_chat_services_own_words_stand(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(proposed(summary("Alice sails.")))
    published = SummaryPublished(
        text="Alice plans a journey by boat.", **envelope("published", "alice", session_id="s")
    )
    vectors = tuple(vectors_of(text.dense) for text in published.texts())
    await consolidator.handle(published.model_copy(update={"vectors": vectors}))
    standing = await only(stores)
    assert (standing.text, standing.made_by) == ("Alice plans a journey by boat.", CHAT_SERVICE)
    assert standing.message_count == 4


async def test_nothing_to_sum_up_is_an_answer_too(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(proposed(None))
    assert await stores.summaries.of_users({"alice": [SUMMARY_ID]}) == []
    assert stores.published.announced[-1].changes == ()


async def test_another_users_summary_is_refused(consolidator: Consolidator, stores: Stores) -> None:
    stolen = summary("Ben sails.", scope=ALICE.model_copy(update={"user_id": "ben"}))
    (rejection,) = await consolidator.handle(proposed(stolen))
    assert "another user" in str(rejection.error)


async def test_vectors_lost_in_a_crash_are_asked_for_again(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    async def dies(call: Any, *arguments: Any) -> Any:
        raise ConnectionError("killed")

    dying = Interrupted(stores)
    dying.around("summaries", "write", dies)
    with pytest.raises(ConnectionError):
        await Consolidator(dying, clock).handle(proposed(summary("Alice sails.")))
    clock.advance(timedelta(hours=1))
    again = Consolidator(stores, clock)
    await again.reconciler.finish_unfinished(clock())
    assert await found(stores, "Alice sails.", RecordType.SUMMARY) == []
    (asked,) = stores.published.on(CANDIDATES)
    assert isinstance(asked, SummaryReprojectionRequested)
    vectors = tuple(vectors_of("Alice sails.") for _ in asked.texts())
    await again.handle(asked.model_copy(update={"vectors": vectors}))
    assert await found(stores, "Alice sails.", RecordType.SUMMARY) == [SUMMARY_ID]


async def test_whose_time_is_over_is_taken_away_with_its_point(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(proposed(summary("Alice sails.", expires_at=clock())))
    sweeping = ExpiredSummarySweep(stores.summaries, consolidator.points, clock=clock)
    assert await sweeping.look() == 1
    assert await sweeping.look() == 0
    assert stores.vectors.points == {}
    assert await stores.summaries.of_users({"alice": [SUMMARY_ID]}) == []
