import asyncio
import json
import signal
import sys
import time
from pathlib import Path

import pytest

from palimpsest.model.errors import EmbeddingModelMismatch, PermanentError, TransientError
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from palimpsest_server.stores.vectors import VectorQuery
from tests.support.server.stores.points import (
    ALICE,
    MODEL,
    NORTH,
    OTHER_MODEL,
    identity,
    ids,
    point,
)

WRITER = """
import asyncio, sys
from pathlib import Path
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from tests.support.server.stores.points import (MODEL, point)

async def main():
    store = EdgeVectorStore(Path(sys.argv[1]), MODEL)
    await store.open()
    for batch in range(1_000_000):
        await store.upsert([point(f"{batch} {n}") for n in range(10)])
        print(batch, flush=True)

asyncio.run(main())
"""


async def test_what_was_acknowledged_stands_after_the_process_was_killed(tmp_path: Path) -> None:
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WRITER, str(tmp_path), stdout=asyncio.subprocess.PIPE
    )
    assert writer.stdout is not None
    acknowledged = -1
    while acknowledged < 20:
        acknowledged = int(await writer.stdout.readline())
    writer.send_signal(signal.SIGKILL)
    for line in (await writer.stdout.read()).splitlines():
        acknowledged = int(line)
    await writer.wait()

    store = EdgeVectorStore(tmp_path, MODEL)
    await store.open()

    expected = [identity(f"{batch} {n}") for batch in range(acknowledged + 1) for n in range(10)]
    found = await store.versions(dict.fromkeys(expected, ALICE))
    assert found.keys() == set(expected)
    await store.close()


async def test_vectors_are_there_when_opened_again(tmp_path: Path) -> None:
    first = EdgeVectorStore(tmp_path, MODEL)
    await first.open()
    await first.upsert([point("a")])
    await first.close()

    second = EdgeVectorStore(tmp_path, MODEL)
    await second.open()

    hits = await second.search(VectorQuery(scopes=(ALICE,), dense=NORTH))
    assert ids(hits) == [identity("a")]
    await second.close()


@pytest.mark.parametrize(
    "configured", [OTHER_MODEL, MODEL.model_copy(update={"version": 2})], ids=["model", "version"]
)
async def test_another_models_vectors_are_refused_with_words(
    tmp_path: Path, configured: EmbeddingModel
) -> None:
    store = EdgeVectorStore(tmp_path, MODEL)
    await store.open()
    await store.close()

    with pytest.raises(EmbeddingModelMismatch, match="palimpsest reindex") as refused:
        await EdgeVectorStore(tmp_path, configured).open()
    assert "tiny-4-1" in str(refused.value)


async def test_one_process_at_a_time(tmp_path: Path) -> None:
    owner = EdgeVectorStore(tmp_path, MODEL)
    await owner.open()

    with pytest.raises(TransientError, match="another process"):
        await EdgeVectorStore(tmp_path, MODEL).open()
    await owner.close()


async def test_a_start_that_died_half_way_is_made_good(tmp_path: Path) -> None:
    store = EdgeVectorStore(tmp_path, MODEL)
    await store.open()
    await store.close()
    (tmp_path / "vectors" / "identity.json").unlink()

    await store.open()

    assert json.loads((tmp_path / "vectors" / "identity.json").read_text())["shard"]
    await store.close()


async def test_a_replacement_that_died_half_way_is_cleared_away(tmp_path: Path) -> None:
    store = EdgeVectorStore(tmp_path, MODEL)
    await store.open()
    await store.upsert([point("a")])
    await (await store.begin_replacement()).upsert([point("b")])
    await store.close()

    await store.open()

    folders = [path.name for path in (tmp_path / "vectors").iterdir() if path.is_dir()]
    assert folders == ["tiny-4-1.1"]
    assert await store.versions({identity("a"): ALICE}) == {identity("a"): 1}
    await store.close()


async def test_a_damaged_identity_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors" / "identity.json").write_text("{")

    with pytest.raises(PermanentError, match="palimpsest reindex"):
        await EdgeVectorStore(tmp_path, MODEL).open()


async def test_the_loop_is_never_held_for_long_while_points_are_written(tmp_path: Path) -> None:
    store = EdgeVectorStore(tmp_path, EmbeddingModel(name="wide", dimension=512))
    await store.open()
    points = [point(f"p{n}", dense=[1.0] * 512) for n in range(1_024)]
    longest, writing, began = 0.0, True, time.thread_time()

    async def watch() -> None:
        nonlocal longest
        while writing:
            # The processor time of the loop alone: a busy machine must not look like a held loop.
            before = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - before)

    watching = asyncio.create_task(watch())
    await store.upsert(points)
    writing = False
    await watching
    await store.close()

    # Compared with all turns together, because a busy machine takes longer for each of them.
    assert longest < (time.thread_time() - began) / 4


async def test_what_is_removed_while_it_is_written_does_not_come_back(tmp_path: Path) -> None:
    # A pause between any two points.
    store = EdgeVectorStore(tmp_path, MODEL, uninterrupted_seconds=-1.0)
    await store.open()
    writing = asyncio.create_task(store.upsert([point("a"), point("b"), point("c")]))
    await asyncio.sleep(0)
    await store.remove({identity("a"): ALICE})
    await writing
    assert await store.versions(dict.fromkeys([identity("a")], ALICE)) == {}
    await store.close()
