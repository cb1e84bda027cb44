from pathlib import Path

from palimpsest_server.stores.edge.directory import EdgeDirectory
from palimpsest_server.stores.edge.search_index import build_index
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from palimpsest_server.stores.vectors import VectorHit, VectorQuery
from tests.support.server.stores.points import ALICE, BOB, MODEL, NORTH, identity, point, words


async def answers(store: EdgeVectorStore) -> list[VectorHit]:
    query = VectorQuery(scopes=(ALICE, BOB), dense=NORTH, sparse=words((7, 1.0)), limit=500)
    return list(await store.search(query))


async def filled(path: Path) -> EdgeVectorStore:
    store = EdgeVectorStore(path, MODEL)
    await store.open()
    await store.upsert([point(f"p{n}", (ALICE, BOB)[n % 2]) for n in range(300)])
    return store


async def test_the_indexed_copy_takes_the_shards_place_and_answers_the_same(
    tmp_path: Path,
) -> None:
    store = await filled(tmp_path)
    before = await answers(store)
    await store.close()

    assert await build_index(tmp_path, worthwhile_points=300)

    await store.open()
    assert await answers(store) == before
    await store.upsert([point("after")])
    assert await store.versions({identity("after"): ALICE}) == {identity("after"): 1}
    await store.close()
    folders = {path.name for path in (tmp_path / "vectors").iterdir() if path.is_dir()}
    assert folders == {"tiny-4-1.2"}


async def test_it_is_done_again_only_when_enough_has_come_since(tmp_path: Path) -> None:
    store = await filled(tmp_path)
    await store.close()
    assert await build_index(tmp_path, worthwhile_points=100)
    assert not await build_index(tmp_path, worthwhile_points=100)

    await store.open()
    await store.upsert([point(f"new {n}") for n in range(100)])
    await store.close()

    assert await build_index(tmp_path, worthwhile_points=100)


async def test_nothing_is_built_where_nothing_is(tmp_path: Path) -> None:
    assert not await build_index(tmp_path)


async def test_what_a_dead_builder_left_is_no_hindrance(tmp_path: Path) -> None:
    store = await filled(tmp_path)
    await store.close()
    workshop = EdgeDirectory(tmp_path).workshop
    workshop.mkdir()
    (workshop / "half").write_text("a copy")

    assert await build_index(tmp_path, worthwhile_points=1)

    await store.open()
    assert len(await answers(store)) == 300
    await store.close()


async def test_a_shard_that_is_open_is_left_alone(tmp_path: Path) -> None:
    store = await filled(tmp_path)

    assert not await build_index(tmp_path, worthwhile_points=1)

    assert len(await answers(store)) == 300
    await store.close()


def files_naming(directory: Path, name: str) -> list[Path]:
    return [
        path
        for path in directory.rglob("*")
        if path.is_file() and name.encode() in path.read_bytes()
    ]


async def test_what_a_user_had_erased_is_in_no_file_after_the_next_start(tmp_path: Path) -> None:
    store = await filled(tmp_path)
    await store.remove({identity(f"p{n}"): ALICE for n in range(0, 300, 2)})
    await store.drop_emptied([ALICE.namespace])
    kept = await answers(store)
    await store.close()
    name = ALICE.namespace.physical_name
    assert files_naming(tmp_path, name), (
        "removed points stay in their files: else this shows nothing"
    )

    assert await build_index(tmp_path)

    await store.open()
    assert await answers(store) == kept
    assert {hit.scope for hit in kept} == {BOB}
    await store.close()
    assert files_naming(tmp_path, name) == []
    assert not await build_index(tmp_path), "once is enough"
