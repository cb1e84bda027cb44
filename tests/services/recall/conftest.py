"""A recall on twins, which is enough for most; and one on embedded stores."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from palimpsest.domain.clock import Clock
from palimpsest.providers.hashing import HashingEmbedder
from palimpsest.stores.memories_memory import InMemoryMemories
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.turns_memory import InMemoryTurns
from palimpsest.stores.turns_mongo import MongoTurns
from palimpsest.stores.vector_edge import EdgeVectorStore
from palimpsest.stores.vector_memory import InMemoryVectorStore
from tests.services.recall.world import World


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
