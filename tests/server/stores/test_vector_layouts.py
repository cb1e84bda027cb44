"""Who has a collection of their own on a vector server: recorded once, and never too many."""

import asyncio

import pytest

from palimpsest.model.errors import PermanentError
from palimpsest.model.scope import Layout, Namespace
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.vector_layouts import MongoVectorLayouts
from palimpsest_server.stores.vector_layouts import LayoutTimes, VectorLayout

OWN, POOLED = Layout.PER_AGENT, Layout.POOLED
ADA, BO = Namespace(user_id="ada"), Namespace(user_id="bo", agent_id="coach")


class Clock:
    """A monotonic clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def layouts(
    database: MongoDatabase, *, default: Layout = OWN, maximum: int = 2, clock: Clock | None = None
) -> MongoVectorLayouts:
    """Return the layouts as another process has them."""
    return MongoVectorLayouts(
        database,
        default=default,
        maximum=maximum,
        times=LayoutTimes(fresh=2, valid=30, grace=35),
        monotonic=clock or Clock(),
    )


async def test_of_many_at_once_only_as_many_as_fit_get_their_own(database: MongoDatabase) -> None:
    everybody = [Namespace(user_id=f"user-{number}") for number in range(8)]
    processes = [layouts(database, maximum=3) for _ in range(4)]

    views = await asyncio.gather(*(process.assigned(everybody) for process in processes))

    records = await processes[0].recorded()
    assert [layout.namespace for layout in records] == everybody
    assert {layout.slot for layout in records if layout.where.layout is OWN} == {0, 1, 2}
    assert sum(layout.where.layout is POOLED for layout in records) == 5
    for view in views:
        assert [view[namespace] for namespace in everybody] == [layout.where for layout in records]


async def test_another_process_knows_at_once_where_a_new_namespace_is(
    database: MongoDatabase,
) -> None:
    writer, reader = layouts(database, maximum=0), layouts(database, maximum=0)
    assert (await reader.of([ADA]))[ADA] == VectorLayout(OWN)
    await writer.assigned([ADA])
    assert (await reader.of([ADA]))[ADA] == VectorLayout(POOLED)


async def test_what_was_there_before_the_records_keeps_its_collection(
    database: MongoDatabase,
) -> None:
    standing = layouts(database, maximum=1)
    await standing.adopt(["user_ada", "user_bo_coach"])
    await standing.adopt(["user_bo_coach", "user_ada"])
    assert await standing.count_own() == 2

    late = Namespace(user_id="late")
    view = await standing.assigned([ADA, BO, late])
    assert [view[namespace].layout for namespace in (ADA, BO, late)] == [OWN, OWN, POOLED]


async def test_a_layout_is_read_again_and_relied_on_for_a_while(database: MongoDatabase) -> None:
    clock = Clock()
    reader = layouts(database, default=POOLED, clock=clock)
    mover = layouts(database, default=POOLED)
    view = await reader.of([ADA])
    await mover.record("user_ada", ADA)
    await mover.begin_move("user_ada", OWN, mover="m")

    assert (await reader.of([ADA]))[ADA] == VectorLayout(POOLED)
    clock.now = 3.0
    assert (await reader.of([ADA]))[ADA] == VectorLayout(POOLED, moving_to=OWN)

    clock.now = 30.0
    assert reader.is_valid(view)
    clock.now = 31.0
    assert not reader.is_valid(view)


async def test_a_move_is_recorded_step_by_step_and_gives_its_slot_back(
    database: MongoDatabase,
) -> None:
    registry = layouts(database, maximum=1)
    await registry.assigned([ADA])
    await registry.begin_move("user_ada", POOLED, mover="m")
    assert await registry.find("user_ada") == VectorLayout(OWN, moving_to=POOLED)
    await registry.switch("user_ada", mover="m")
    assert await registry.find("user_ada") == VectorLayout(POOLED, leaving=OWN)
    assert await registry.count_own() == 1, "its collection is still there"
    await registry.end_move("user_ada", mover="m")
    assert await registry.find("user_ada") == VectorLayout(POOLED)
    assert await registry.count_own() == 0


async def test_nobody_is_promoted_beyond_the_maximum(database: MongoDatabase) -> None:
    registry = layouts(database, default=POOLED, maximum=1)
    for namespace in (ADA, BO):
        await registry.record(namespace.physical_name, namespace)
    await registry.begin_move("user_ada", OWN, mover="m")
    with pytest.raises(PermanentError, match="PALIMPSEST_QDRANT_MAXIMUM_COLLECTIONS"):
        await registry.begin_move("user_bo_coach", OWN, mover="m")
    assert await registry.find("user_bo_coach") == VectorLayout(POOLED)


async def test_only_who_took_over_last_goes_on(database: MongoDatabase) -> None:
    registry = layouts(database, default=POOLED)
    await registry.record("user_ada", ADA)
    await registry.begin_move("user_ada", OWN, mover="first")
    await registry.begin_move("user_ada", OWN, mover="second")
    assert not await registry.is_moved_by("user_ada", "first")
    await registry.switch("user_ada", mover="first")
    assert await registry.find("user_ada") == VectorLayout(POOLED, moving_to=OWN)
    with pytest.raises(PermanentError, match="on its way elsewhere"):
        await registry.begin_move("user_ada", POOLED, mover="third")
    await registry.switch("user_ada", mover="second")
    assert await registry.find("user_ada") == VectorLayout(OWN, leaving=POOLED)


async def test_a_dropped_collection_is_forgotten_unless_it_is_being_moved(
    own_database: MongoDatabase,
) -> None:
    """In a database of its own: DatabaseLimit.STALE_UNIQUE_KEYS holds for slots of other tests."""
    registry = layouts(own_database)
    await registry.assigned([ADA, BO])
    await registry.begin_move("user_bo_coach", POOLED, mover="m")
    await registry.release(ADA)
    await registry.release(BO)
    assert [layout.namespace for layout in await registry.recorded()] == [BO]
    assert (await registry.assigned([ADA]))[ADA] == VectorLayout(OWN)
