"""A memory that says something else than before is found by what it says now."""

import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.server.domain.consolidation.samples import ALICE, day
from tests.support.services.consolidator.events import remember
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator


@pytest.fixture
def stores(database: MongoDatabase) -> Stores:
    return Stores.in_database(database)


async def test_new_words_for_a_value_bring_their_vectors_to_the_memory_that_holds_it(
    consolidator: Consolidator, stores: Stores
) -> None:
    about = {"attribute": "employer", "value": "Acme"}
    await consolidator.handle(remember("I work at Acme", occurred_at=day(1), **about))
    said = remember("At Acme I lead the search team", occurred_at=day(2), **about)
    await consolidator.handle(said)
    (memory,) = await stores.listed(ALICE)
    assert (memory.content, memory.version) == ("At Acme I lead the search team", 2)
    point = stores.vectors._points[memory.id]
    assert (point.dense, point.version) == (vectors_of(said.content).dense_values(), 2)


async def test_words_that_came_without_their_vectors_are_embedded_anew(
    consolidator: Consolidator, stores: Stores
) -> None:
    about = {"attribute": "employer"}
    await consolidator.handle(
        remember("I work at Acme", occurred_at=day(1), value="Acme", **about),
        remember("Acme, search team", occurred_at=day(5), value="Acme", **about),
    )
    # Between the two: so the first part says again what was said first.
    await consolidator.handle(remember("at Bolt", occurred_at=day(3), value="Bolt", **about))
    first = min(await stores.listed(ALICE), key=lambda memory: memory.valid_from)
    assert first.content == "I work at Acme"
    await consolidator.handle(*stores.published.asked_of_the_embedder())
    memories = await stores.listed(ALICE)
    assert sorted(memory.content for memory in memories) == [
        "Acme, search team",
        "I work at Acme",
        "at Bolt",
    ]
    for memory in memories:
        point = stores.vectors._points[memory.id]
        assert point.dense == vectors_of(memory.content).dense_values()
        assert point.version == memory.version


async def test_a_memory_that_says_what_it_said_keeps_its_vectors(
    consolidator: Consolidator, stores: Stores
) -> None:
    for on in (1, 2, 3):
        event = remember(
            "I like tea", f"e{on}", occurred_at=day(on), attribute="likes", value="tea"
        )
        await consolidator.handle(event)
    assert stores.published.asked_of_the_embedder() == []
    (memory,) = await stores.listed(ALICE)
    assert await stores.vectors.versions({memory.id: ALICE}) == {memory.id: memory.version}
