"""The stores under two hundred pairs of hostile ids, in both layouts: nobody meets anybody."""

from datetime import UTC, datetime

import pytest
from qdrant_client import AsyncQdrantClient

from palimpsest.contracts.recall import Record
from palimpsest.domain.change_set import MemoryChange
from palimpsest.domain.identifiers import derive
from palimpsest.domain.kinds import Kind, Lifetime
from palimpsest.domain.memory import Memory, Source, Status
from palimpsest.domain.scope import Layout
from palimpsest.domain.vectors import EmbeddingModel, SparseVector
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.namespaces import MongoNamespaces
from palimpsest.stores.vector_qdrant import QdrantVectorStore
from palimpsest.stores.vectors import VectorPoint, VectorQuery
from tests.canaries import CANARIES, COUNT, Canary

MODEL = EmbeddingModel(name="compass", dimension=4)
NORTH = (1.0, 0.0, 0.0, 0.0)
WORD = SparseVector(indices=(7,), values=(1.0,))
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def memory(canary: Canary) -> Memory:
    return Memory(
        id=derive("memory", canary.memory),
        scope=canary.scope,
        kind=Kind.FACT,
        content=canary.memory,
        summary=canary.memory,
        importance=0.8,
        confidence=1.0,
        source=Source.USER_INPUT,
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
        record=Record.MEMORY,
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
    assert len({each.physical_name for each in registered}) == COUNT

    memories = MongoMemories(database, layout=layout)
    await memories.apply([MemoryChange(after=memory(canary)) for canary in CANARIES])
    for number, canary in enumerate(CANARIES):
        own = [memory(canary)]
        assert await memories.list([canary.scope], limit=100) == own, canary
        asked = [canary, *CANARIES[number - 3 : number], *CANARIES[:3]]
        found = await memories.by_ids([canary.scope], [memory(each).id for each in asked])
        assert found == own, canary


@pytest.mark.filterwarnings("ignore:Payload indexes have no effect")
@pytest.mark.parametrize(("pooled", "count"), [(False, COUNT), (True, 60)])
async def test_each_pair_finds_its_own_vector_and_no_other(pooled: bool, count: int) -> None:
    """In one pool Qdrant in memory looks at every point each time; so fewer of them there."""
    canaries = CANARIES[:count]
    store = QdrantVectorStore(AsyncQdrantClient(":memory:"), MODEL, pooled=pooled)
    await store.open()
    await store.upsert([point(canary) for canary in canaries])
    queries = [
        VectorQuery(scopes=(canary.scope,), dense=NORTH, sparse=WORD, limit=COUNT)
        for canary in canaries
    ]
    for canary, hits in zip(canaries, await store.search_many(queries), strict=True):
        assert [hit.id for hit in hits] == [memory(canary).id], canary
    await store.close()
