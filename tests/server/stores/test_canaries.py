"""The stores under two hundred pairs of hostile ids, in both layouts: nobody meets anybody."""

from datetime import UTC, datetime

import pytest
from qdrant_client import AsyncQdrantClient

from palimpsest.api.recall import RecordType
from palimpsest.model.change_set import MemoryChange
from palimpsest.model.identifiers import derive_id
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, MemorySource, Status
from palimpsest.model.scope import Layout
from palimpsest.model.vectors import EmbeddingModel, SparseVector
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.namespaces import MongoNamespaces
from palimpsest_server.stores.qdrant.vectors import QdrantVectorStore
from palimpsest_server.stores.vector_layouts import FixedLayouts
from palimpsest_server.stores.vectors import VectorPoint, VectorQuery
from tests.support.canaries import CANARIES, COUNT, Canary

MODEL = EmbeddingModel(name="compass", dimension=4)
NORTH = (1.0, 0.0, 0.0, 0.0)
WORD = SparseVector(indices=(7,), values=(1.0,))
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def memory(canary: Canary) -> Memory:
    return Memory(
        id=derive_id("memory", canary.memory),
        scope=canary.scope,
        kind=Kind.FACT,
        content=canary.memory,
        summary=canary.memory,
        importance=0.8,
        confidence=1.0,
        source=MemorySource.USER_INPUT,
        occurred_at=NOON,
        recorded_at=NOON,
        valid_from=NOON,
        status=Status.ACTIVE,
        lifetime=Lifetime.CORE,
        evidence=(),
        epoch=0,
    )


def point(canary: Canary) -> VectorPoint:
    """All alike: nothing but whose they are tells them apart."""
    return VectorPoint(
        id=memory(canary).id,
        record=RecordType.MEMORY,
        scope=canary.scope,
        version=1,
        dense=NORTH,
        sparse=WORD,
        kind=Kind.FACT,
    )


@pytest.mark.embedded
@pytest.mark.parametrize("layout", list(Layout))
async def test_each_pair_reads_its_own_memory_and_no_other(
    database: MongoDatabase, layout: Layout
) -> None:
    namespaces = MongoNamespaces(database, layout=layout, model=MODEL.slug)
    await namespaces.register([canary.scope.namespace for canary in CANARIES])
    registered = await namespaces.everything()
    assert len({namespace.physical_name for namespace in registered}) == COUNT

    memories = MongoMemories(database, layout=layout)
    await memories.apply([MemoryChange(after=memory(canary)) for canary in CANARIES])
    for number, canary in enumerate(CANARIES):
        own = [memory(canary)]
        assert await memories.list([canary.scope], limit=100) == own, canary
        asked = [canary, *CANARIES[number - 3 : number], *CANARIES[:3]]
        found = await memories.by_ids([canary.scope], [memory(each).id for each in asked])
        assert found == own, canary


@pytest.mark.filterwarnings("ignore:Payload indexes have no effect")
@pytest.mark.parametrize(("layout", "count"), [(Layout.PER_AGENT, COUNT), (Layout.POOLED, 60)])
async def test_each_pair_finds_its_own_vector_and_no_other(layout: Layout, count: int) -> None:
    """In one pool Qdrant in memory looks at every point each time; so fewer of them there."""
    canaries = CANARIES[:count]
    store = QdrantVectorStore(AsyncQdrantClient(":memory:"), MODEL, layouts=FixedLayouts(layout))
    await store.open()
    await store.upsert([point(canary) for canary in canaries])
    queries = [
        VectorQuery(scopes=(canary.scope,), dense=NORTH, sparse=WORD, limit=COUNT)
        for canary in canaries
    ]
    for canary, hits in zip(canaries, await store.search_many(queries), strict=True):
        assert [hit.id for hit in hits] == [memory(canary).id], canary
    await store.close()
