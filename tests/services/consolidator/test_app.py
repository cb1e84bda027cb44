import pytest
from prometheus_client import CollectorRegistry

from palimpsest.model.errors import EmbeddingModelMismatch, NamespaceMismatch
from palimpsest.model.scope import Layout, Namespace
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.namespaces import MongoNamespaces
from services.consolidator.app import build
from tests.support.clock import SettableClock


def platform(database: MongoDatabase, clock: SettableClock, *, with_vectors: bool) -> Platform:
    embedder = HashingEmbedder()
    return Platform(
        settings=Settings(kafka_bootstrap_servers="127.0.0.1:1", layout=Layout.POOLED),
        clock=clock,
        database=database,
        embedder=embedder,
        vectors=InMemoryVectorStore(embedder.model) if with_vectors else None,
        registry=CollectorRegistry(),
    )


@pytest.mark.parametrize(
    ("layout", "model", "error"),
    [
        (Layout.PER_AGENT, HashingEmbedder().model.slug, NamespaceMismatch),
        (Layout.POOLED, "large-9-1", EmbeddingModelMismatch),
    ],
)
async def test_it_does_not_start_on_what_was_laid_out_or_embedded_otherwise(
    database: MongoDatabase,
    clock: SettableClock,
    layout: Layout,
    model: str,
    error: type[Exception],
) -> None:
    registry = MongoNamespaces(database, layout=layout, model=model)
    await registry.register([Namespace(user_id="alice")])
    service = build(platform(database, clock, with_vectors=True))
    with pytest.raises(error):
        await service.start()
    await service.stop()


@pytest.mark.parametrize("with_vectors", [True, False])
async def test_it_asks_only_what_it_has_whether_it_is_ready(
    database: MongoDatabase, clock: SettableClock, *, with_vectors: bool
) -> None:
    service = build(platform(database, clock, with_vectors=with_vectors))
    assert ("vectors" in service.checks) == with_vectors
    await service.checks["mongodb"]()
    await service.stop()
