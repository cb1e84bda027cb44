"""What is kept of points that were found is never older than the shard they stand in."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palimpsest.model.memory import Status
from palimpsest_server.stores.edge import shard
from palimpsest_server.stores.edge.payload_cache import EdgePayloadCache
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from palimpsest_server.stores.vectors import VectorHit, VectorQuery
from tests.support.server.stores.points import (
    ALICE,
    BOB,
    MODEL,
    NORTH,
    identity,
    ids,
    point,
    state,
    words,
)

ANYTHING = VectorQuery(
    scopes=(ALICE,),
    dense=NORTH,
    sparse=words((7, 1.0)),
    statuses=frozenset({Status.ACTIVE, Status.SUPERSEDED}),
)

WRITES = st.lists(
    st.tuples(
        st.sampled_from(["write", "restate", "remove"]),
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from([Status.ACTIVE, Status.SUPERSEDED]),
        st.integers(min_value=1, max_value=9),
    ),
    max_size=12,
)


async def _write(store: EdgeVectorStore, what: str, name: str, status: Status, number: int) -> None:
    if what == "write":
        await store.upsert([point(name, version=number, status=status, sequence=number)])
    elif what == "restate":
        await store.restate([state(name, version=number, status=status)])
    else:
        await store.remove({identity(name): ALICE})


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(writes=WRITES)
async def test_whatever_is_written_between_two_searches_is_found_as_if_for_the_first_time(
    tmp_path_factory: pytest.TempPathFactory, writes: list[tuple[str, str, Status, int]]
) -> None:
    folder = tmp_path_factory.mktemp("shard")
    store = EdgeVectorStore(folder, MODEL)
    await store.open()
    told: list[list[VectorHit]] = []
    for write in writes:
        await _write(store, *write)
        told.append(list(await store.search(ANYTHING)))
    last = list(await store.search(ANYTHING))
    await store.close()

    await store.open()
    assert last == list(await store.search(ANYTHING))
    assert not told or told[-1] == last
    await store.close()


class DiskIsFull(Exception):
    pass


def _then_fails(write: Callable[..., None]) -> Callable[..., None]:
    def half_done(*arguments: Any) -> None:
        write(*arguments)
        raise DiskIsFull

    return half_done


@pytest.mark.parametrize(
    ("call", "what"), [("upsert_points", "write"), ("update_point_state", "restate")]
)
async def test_what_a_failing_write_has_written_all_the_same_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, what: str
) -> None:
    store = EdgeVectorStore(tmp_path, MODEL)
    await store.open()
    await store.upsert([point("a")])
    assert [one.status for one in await store.search(ANYTHING)] == [Status.ACTIVE]

    with monkeypatch.context() as failing:
        failing.setattr(shard, call, _then_fails(getattr(shard, call)))
        with pytest.raises(DiskIsFull):
            await _write(store, what, "a", Status.SUPERSEDED, 2)

    assert [one.status for one in await store.search(ANYTHING)] == [Status.SUPERSEDED]
    await store.close()


async def test_what_is_taken_over_is_asked_of_the_shard_once(tmp_path: Path) -> None:
    store = EdgeVectorStore(tmp_path, MODEL)
    await store.open()
    await store.upsert([point("a"), point("b"), point("other", BOB)])
    first = await store.search(ANYTHING)

    again = await store.search(ANYTHING)

    assert ids(first) == ids(again)
    # The same tuples of signs, and not only equal ones: nothing was made of a payload again.
    assert all(one.features is other.features for one, other in zip(first, again, strict=True))
    await store.close()


async def test_more_finds_than_are_kept_are_all_found(tmp_path: Path) -> None:
    store = EdgeVectorStore(tmp_path, MODEL, described=EdgePayloadCache(most=2))
    await store.open()
    await store.upsert([point(str(number)) for number in range(9)])

    for _ in range(3):
        found = await store.search(ANYTHING)
        assert sorted(ids(found)) == sorted(identity(str(number)) for number in range(9))
    await store.close()
