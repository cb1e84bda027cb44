"""The floor of an answer: one embedding, one vector query, one read, and nothing else."""

import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

from palimpsest.api.recall import RecordType
from palimpsest.model.scope import Scope
from palimpsest.model.vectors import EmbeddableText
from palimpsest_lab.reporting.statistics import compute_percentiles
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.embedders.embedder_factory import create_embedder
from palimpsest_server.stores.collections import MEMORIES, MongoCollection
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.vectors import VectorPoint, VectorQuery

READ_DOCUMENTS = 10
READ_IDS = 1_000
DISTINCT_TEXTS = 500
"""Embedded once and used again and again: what is searched is the number of points."""


class LatencyFloor:
    """The same model, as many vectors in as many namespaces, and the subject's own database."""

    def __init__(
        self,
        embedder: Embedder,
        vectors: EdgeVectorStore,
        database: MongoDatabase,
        scopes: Sequence[Scope],
        read: MongoCollection,
        ids: Sequence[str],
    ) -> None:
        self._read = read
        self._ids = ids
        self._embedder = embedder
        self._vectors = vectors
        self._database = database
        self._scopes = scopes

    async def milliseconds(self, questions: Sequence[str]) -> dict[str, float]:
        """p50, p95 and p99 of the three steps together, one question after another."""
        took = [await self._one(question, number) for number, question in enumerate(questions)]
        return compute_percentiles(took, 50, 95, 99)

    async def _one(self, question: str, number: int) -> float:
        started = time.perf_counter()
        vectors = await self._embedder.embed_query(question)
        await self._vectors.search(
            VectorQuery(
                scopes=(self._scopes[number % len(self._scopes)],),
                dense=vectors.dense,
                sparse=vectors.sparse,
                limit=READ_DOCUMENTS,
            )
        )
        start = number * READ_DOCUMENTS % len(self._ids)
        ids = self._ids[start : start + READ_DOCUMENTS]
        found = self._database.collection(self._read).find({"_id": {"$in": ids}})
        await found.to_list(READ_DOCUMENTS)
        return (time.perf_counter() - started) * 1000


@asynccontextmanager
async def open_latency_floor(
    *,
    embedder: str,
    memories: int,
    namespaces: int,
    mongodb_url: str,
    texts: Sequence[str],
    read: MongoCollection = MEMORIES,
) -> AsyncIterator[LatencyFloor]:
    """Open the floor with as many vectors as the subject holds, reading the subject's documents."""
    model = create_embedder(embedder, batch_texts=64)
    database = MongoDatabase(mongodb_url, "palimpsest")
    await model.start()
    try:
        with tempfile.TemporaryDirectory(prefix="palimpsest-floor-") as folder:
            vectors = EdgeVectorStore(Path(folder), model.model)
            await vectors.open()
            scopes = [Scope(user_id=f"user-{number}") for number in range(namespaces)]
            await _fill(vectors, model, scopes, memories, texts[:DISTINCT_TEXTS])
            found = database.collection(read).find({}, {"_id": 1}).limit(READ_IDS)
            ids = [document["_id"] for document in await found.to_list(READ_IDS)]
            yield LatencyFloor(model, vectors, database, scopes, read, ids)
            await vectors.close()
    finally:
        database.close()
        await model.stop()


async def _fill(
    vectors: EdgeVectorStore,
    model: Embedder,
    scopes: Sequence[Scope],
    memories: int,
    texts: Sequence[str],
) -> None:
    embedded = await model.embed_documents(
        [EmbeddableText(dense=text, sparse=text) for text in texts]
    )
    made = [(text_vectors.dense_values(), text_vectors.sparse()) for text_vectors in embedded]
    for start in range(0, memories, 256):
        await vectors.upsert(
            [
                VectorPoint(
                    id=str(UUID(int=number + 1)),
                    record=RecordType.MEMORY,
                    scope=scopes[number % len(scopes)],
                    version=1,
                    dense=made[number % len(made)][0],
                    sparse=made[number % len(made)][1],
                )
                for number in range(start, min(start + 256, memories))
            ]
        )
