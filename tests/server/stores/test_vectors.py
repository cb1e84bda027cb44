import warnings
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from qdrant_client import AsyncQdrantClient

from palimpsest.model.errors import EmbeddingModelMismatch, TransientError
from palimpsest.model.scope import Layout
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from palimpsest_server.stores.qdrant.vectors import QdrantVectorStore, qdrant_client
from palimpsest_server.stores.vector_layouts import FixedLayouts
from palimpsest_server.stores.vectors import VectorQuery
from tests.contracts.vector_contract import VectorStoreContract
from tests.support.server.stores.points import (
    ALICE,
    MODEL,
    NORTH,
    OTHER_MODEL,
    identity,
    ids,
    point,
)
from tests.support.server.stores.qdrant_server import SERVER_URL, serve_by_address


class TestMemory(VectorStoreContract):
    @pytest.fixture
    def store(self) -> InMemoryVectorStore:
        return InMemoryVectorStore(MODEL)


class TestEdge(VectorStoreContract):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[EdgeVectorStore]:
        store = EdgeVectorStore(tmp_path, MODEL)
        await store.open()
        yield store
        await store.close()


class _KeptOpen(QdrantVectorStore):
    """In memory, what is closed is gone: closing and opening again keeps the client."""

    async def close(self) -> None:
        """The client lives as long as the test."""


class InMemoryQdrant(VectorStoreContract):
    """The client's own stand-in for a server: the calls are right, and that is all it shows.

    It ignores payload indexes, has one thread and one process, and cannot be
    killed or be slow; only a server by address shows those.
    """

    layout: Layout

    @pytest.fixture
    async def store(self) -> AsyncIterator[QdrantVectorStore]:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Payload indexes have no effect")
            client = AsyncQdrantClient(":memory:")
            store = _KeptOpen(client, MODEL, layouts=FixedLayouts(self.layout))
            await store.open()
            yield store
            await client.close()

    async def test_another_models_vectors_are_refused_when_opened(
        self, store: QdrantVectorStore
    ) -> None:
        await store.upsert([point("a")])
        other = QdrantVectorStore(store._client, OTHER_MODEL, layouts=FixedLayouts(self.layout))

        with pytest.raises(EmbeddingModelMismatch, match="palimpsest reindex"):
            await other.open()

    async def test_another_models_vectors_are_refused_at_first_use(
        self, store: QdrantVectorStore
    ) -> None:
        other = QdrantVectorStore(store._client, OTHER_MODEL, layouts=FixedLayouts(self.layout))
        await other.open()
        await store.upsert([point("a")])

        with pytest.raises(EmbeddingModelMismatch, match="palimpsest reindex"):
            await other.search(VectorQuery(scopes=(ALICE,), dense=(1.0, 0.0, 0.0)))

    async def test_another_process_sees_what_was_written_since_it_opened(
        self, store: QdrantVectorStore
    ) -> None:
        reader = QdrantVectorStore(store._client, MODEL, layouts=FixedLayouts(self.layout))
        await reader.open()
        query = VectorQuery(scopes=(ALICE,), dense=NORTH)
        assert list(await reader.search(query)) == []

        await store.upsert([point("a")])

        assert ids(await reader.search(query)) == [identity("a")]


class TestQdrantPerAgent(InMemoryQdrant):
    layout = Layout.PER_AGENT

    async def test_a_namespace_is_a_collection_by_its_physical_name(
        self, store: QdrantVectorStore
    ) -> None:
        await store.upsert([point("a")])

        aliases = (await store._client.get_aliases()).aliases
        assert [(alias.alias_name, alias.collection_name) for alias in aliases] == [
            ("user_alice", "user_alice.tiny-4-1.1")
        ]


class TestQdrantPooled(InMemoryQdrant):
    layout = Layout.POOLED


@pytest.mark.skipif(SERVER_URL is None, reason="PALIMPSEST_TEST_QDRANT_URL names no server")
class QdrantServer(VectorStoreContract):
    layout: Layout

    @pytest.fixture
    async def store(self) -> AsyncIterator[QdrantVectorStore]:
        async with serve_by_address() as (client, prefix):
            store = _KeptOpen(client, MODEL, layouts=FixedLayouts(self.layout), prefix=prefix)
            await store.open()
            yield store


class TestQdrantServerPerAgent(QdrantServer):
    layout = Layout.PER_AGENT


class TestQdrantServerPooled(QdrantServer):
    layout = Layout.POOLED


async def test_a_server_that_does_not_answer_is_a_reason_to_wait() -> None:
    store = QdrantVectorStore(
        qdrant_client("http://127.0.0.1:9", None), MODEL, layouts=FixedLayouts(Layout.POOLED)
    )

    with pytest.raises(TransientError, match="does not answer"):
        await store.open()
    await store.close()
