"""Embeddings over real HTTP: in order, of length 1, of the dimension that was agreed on."""

import asyncio
import math
from collections.abc import AsyncIterator

import pytest
from pydantic import SecretStr

from palimpsest.model.bilingual_text import display_width
from palimpsest.model.clock import Clock
from palimpsest.model.errors import EmbeddingModelMismatch, PermanentError, TransientError
from palimpsest.model.vectors import EmbeddableText
from palimpsest_server.embedders.embedder_factory import RemoteEmbedderOptions, create_embedder
from palimpsest_server.embedders.openai_embedder import OpenAIEmbedder
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder
from palimpsest_server.models.model_errors import PromptRefused, RateLimited
from palimpsest_server.models.vendors import Vendor, VendorAccess, VendorConnections
from tests.support.models.model_server import Fails, ModelServer, embedding, model_server


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as running:
        yield running


def embedder_at(
    server: ModelServer,
    clock: Clock,
    name: str = "openai/text-embedding-x",
    *,
    dimension: int | None = 8,
    batch_texts: int = 3,
) -> OpenAIEmbedder:
    access = VendorAccess(key=SecretStr("sk-secret"), base_url=f"{server.url}/v1")
    remote = RemoteEmbedderOptions(
        reaching=VendorConnections(
            access={Vendor.OPENAI: access, Vendor.COMPATIBLE: access}, timeout_seconds=5
        ),
        dimension=dimension,
        clock=clock,
        first_wait_seconds=0.01,
    )
    embedder = create_embedder(name, batch_texts=batch_texts, remote=remote)
    assert isinstance(embedder, OpenAIEmbedder)
    return embedder


@pytest.fixture
async def embedder(server: ModelServer, clock: Clock) -> AsyncIterator[OpenAIEmbedder]:
    embedder = embedder_at(server, clock)
    await embedder.start()
    server.asked.clear()
    yield embedder
    await embedder.stop()


def text(words: str) -> EmbeddableText:
    return EmbeddableText(dense=words, sparse=words)


def unit(words: str, dimension: int = 8) -> list[float]:
    vector = embedding(words, dimension)
    return [value / math.hypot(*vector) for value in vector]


async def test_each_text_has_its_vector_in_order_and_of_length_one(
    embedder: OpenAIEmbedder, server: ModelServer
) -> None:
    words = [f"text {number}" for number in range(7)]
    vectors = await embedder.embed_documents([text(word) for word in words])
    for each, vector in zip(words, vectors, strict=True):
        assert vector.dense_values() == pytest.approx(unit(each), rel=2**-11, abs=1e-6)
        expected = get_sparse_encoder().document(each)
        assert vector.sparse().indices == expected.indices
        assert vector.model == "openai-text-embedding-x-8-1"
    assert sorted(len(asked.body["input"]) for asked in server.asked) == [1, 3, 3]
    assert all(asked.body["encoding_format"] == "base64" for asked in server.asked)


async def test_a_question_is_embedded_once(embedder: OpenAIEmbedder, server: ModelServer) -> None:
    first = await embedder.embed_query("where do I live?")
    assert await embedder.embed_query("where do I live?") == first
    assert first.dense == pytest.approx(unit("where do I live?"), abs=1e-6)
    assert first.sparse == get_sparse_encoder().query("where do I live?")
    assert len(server.asked) == 1


async def test_the_dimension_is_asked_for_and_part_of_the_identity(
    server: ModelServer, clock: Clock
) -> None:
    embedder = embedder_at(server, clock, dimension=4)
    await embedder.start()
    assert embedder.model.slug == "openai-text-embedding-x-4-1"
    assert server.asked[0].body["dimensions"] == 4
    assert len((await embedder.embed_query("x")).dense) == 4
    await embedder.stop()


async def test_a_server_that_knows_no_dimensions_is_not_asked_for_one_again(
    server: ModelServer, clock: Clock
) -> None:
    server.refuses_dimensions = True
    embedder = embedder_at(server, clock, "compatible/BAAI/bge-m3")
    await embedder.start()
    await embedder.embed_query("x")
    assert ["dimensions" in asked.body for asked in server.asked] == [True, False, False]
    assert embedder.model.name == "compatible-baai-bge-m3"
    await embedder.stop()


async def test_vectors_of_another_dimension_are_refused_at_the_start(
    server: ModelServer, clock: Clock
) -> None:
    server.refuses_dimensions = True
    embedder = embedder_at(server, clock, dimension=1536)
    with pytest.raises(EmbeddingModelMismatch, match=r"8 dimensions.*DIMENSION is 1536"):
        await embedder.start()
    await embedder.stop()


async def test_a_server_that_is_away_at_the_start_is_waited_for(
    server: ModelServer, clock: Clock
) -> None:
    server.script.extend([Fails(503), Fails(429)])
    embedder = embedder_at(server, clock)
    with pytest.raises(TransientError):
        await embedder.check()
    await embedder.start()
    await embedder.check()
    assert len(server.asked) == 3
    await embedder.stop()


async def test_a_failure_is_told_by_its_kind_so_that_the_batch_waits_or_is_parted(
    embedder: OpenAIEmbedder, server: ModelServer
) -> None:
    server.script.append(Fails(429, {"retry-after": "7"}))
    with pytest.raises(RateLimited) as caught:
        await embedder.embed_documents([text("a")])
    assert caught.value.retry_after_seconds == 7
    server.script.append(Fails(400))
    with pytest.raises(PromptRefused):
        await embedder.embed_documents([text("a")])


async def test_what_no_server_takes_is_made_to_fit(
    embedder: OpenAIEmbedder, server: ModelServer
) -> None:
    await embedder.embed_documents([text("  "), text("长" * 20_000), text("long " * 9_000)])
    sent = [each for asked in server.asked for each in asked.body["input"]]
    assert sent[0] == "-"
    assert [display_width(each) for each in sent[1:]] == [12_000, 12_000]


async def test_a_request_holds_no_more_than_a_server_takes(
    server: ModelServer, clock: Clock
) -> None:
    embedder = embedder_at(server, clock, batch_texts=64)
    await embedder.start()
    server.asked.clear()
    await embedder.embed_documents([text("长" * 6_000) for _ in range(60)])
    sizes = [sum(map(display_width, asked.body["input"])) for asked in server.asked]
    assert sum(sizes) == 60 * 12_000
    assert max(sizes) <= 300_000
    await embedder.stop()


async def test_many_batches_are_not_all_sent_at_once(
    embedder: OpenAIEmbedder, server: ModelServer
) -> None:
    server.embedding_seconds = 0.01
    await embedder.embed_documents([text(f"text {each}") for each in range(60)])
    assert 1 < server.most_at_once <= 4


@pytest.mark.parametrize(
    ("name", "dimension", "words"),
    [
        ("openai/x", None, "PALIMPSEST_EMBEDDER_DIMENSION"),
        ("anthropic/x", 8, "no embeddings"),
        ("nobody/x", 8, "nobody/x"),
    ],
)
def test_what_is_missing_is_named(
    server: ModelServer, clock: Clock, name: str, dimension: int | None, words: str
) -> None:
    with pytest.raises(PermanentError, match=words):
        embedder_at(server, clock, name, dimension=dimension)


async def test_the_loop_is_left_free_meanwhile(embedder: OpenAIEmbedder) -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    running = asyncio.create_task(others())
    await embedder.embed_documents([text(f"我喜欢喝茶和咖啡{each}") for each in range(50)])
    running.cancel()
    assert turns >= 50
