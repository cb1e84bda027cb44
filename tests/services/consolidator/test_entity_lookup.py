"""Who and what is named is kept with the change sets that name it."""

import pytest

from palimpsest.model.change_set import EntityChange
from palimpsest.model.entity import EntityKind
from palimpsest.model.scope import Namespace
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import day
from tests.support.services.consolidator.events import forget, remember, remembered_id
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator

ALICE = Namespace(user_id="alice")


@pytest.fixture
def stores(database: MongoDatabase) -> Stores:
    return Stores.in_database(database)


async def named(stores: Stores) -> dict[str, tuple[str, ...]]:
    return {
        namespace.name: namespace.aliases
        for namespace in await stores.entities.of_namespaces([ALICE])
    }


async def test_two_writings_of_a_name_are_one_entity_in_a_batch_or_after_a_restart(
    stores: Stores, clock: SettableClock
) -> None:
    about = {"attribute": "employer", "value": "TechCorp"}
    await Consolidator(stores, clock).handle(
        remember("I work at TechCorp", entities=("TechCorp",), **about),
        remember("techcorp pays me", entities=("techcorp",)),
    )
    await Consolidator(stores, clock).handle(
        remember("Anna left Tech Corp", entities=("Anna", "Tech Corp"), occurred_at=day(3))
    )
    assert await named(stores) == {"Tech Corp": ("TechCorp", "techcorp"), "Anna": ()}
    corp, anna = sorted(
        await stores.entities.of_namespaces([ALICE]), key=lambda entity: entity.name, reverse=True
    )
    assert (corp.kind, corp.links) == (EntityKind.ORGANISATION, {anna.id: 0.5})
    changes = [
        change
        for change_set in stores.published.announced
        for change in change_set.changes
        if isinstance(change, EntityChange)
    ]
    versions = [change.after.version for change in changes if change.after.id == corp.id]
    assert versions == [1, 2, 3]


async def test_what_nobody_names_any_more_is_no_longer_shown(
    consolidator: Consolidator, stores: Stores
) -> None:
    event = remember("Rex is a dog", entities=("Rex",))
    await consolidator.handle(event)
    await consolidator.handle(forget(remembered_id(event)))
    assert await named(stores) == {}


async def test_a_redelivered_event_names_nobody_twice(stores: Stores, clock: SettableClock) -> None:
    event = remember("Rex is a dog", entities=("Rex",))
    for _ in range(3):
        await Consolidator(stores, clock).handle(event)
    (rex,) = await stores.entities.of_namespaces([ALICE])
    assert (rex.version, len(rex.mentions)) == (1, 1)
