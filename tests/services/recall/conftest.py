"""A recall on twins, which is enough for most; and one on embedded stores."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from palimpsest.model.clock import Clock
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.turns import MongoTurns
from tests.support.services.recall.world import World
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.turns import InMemoryTurns


@pytest.fixture
def world(clock: Clock) -> World:
    vectors = InMemoryVectorStore(HashingEmbedder.model)
    return World(InMemoryMemories(), InMemoryTurns(), vectors, clock)


@pytest.fixture
async def embedded_world(
    database: MongoDatabase, tmp_path: Path, clock: Clock
) -> AsyncIterator[World]:
    vectors = EdgeVectorStore(tmp_path, HashingEmbedder.model)
    await vectors.open()
    yield World(MongoMemories(database), MongoTurns(database), vectors, clock)
    await vectors.close()
