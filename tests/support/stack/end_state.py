"""What a run has left behind, in MongoDB and in the projection, to be compared with another's."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.stores.collections import (
    CHANGE_SETS,
    DEAD_LETTERS,
    MEMORIES,
    NAMESPACES,
    RECALLS,
    SETTINGS,
)
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from palimpsest_server.stores.mongo.database import Document, MongoDatabase, from_document
from palimpsest_server.stores.vectors import VectorQuery
from services.consolidator.vector_projection import SEARCHABLE_STATUSES

COMPARED = (MEMORIES, RECALLS, SETTINGS, CHANGE_SETS, NAMESPACES, DEAD_LETTERS)
OF_THE_RUN = {
    *("decided_at", "progress", "unfinished", "vectors"),
    *("fold", "folded", "folded_at"),
}
"""When a change set was decided and how far it is, and with which others a recall was summed up:
the only things two runs may differ in."""

QUERIES = ("Where do I live and work? Paris, Acme", "a walk, tea in the morning, 西班牙语")
ALL_OF_A_SCOPE = 200

Stored = Mapping[str, Mapping[str, Document]]
"""By collection and id."""


async def stored(database: MongoDatabase) -> Stored:
    """Every document the consolidator owns, as it lies in MongoDB."""
    return {
        table.name: {
            document["_id"]: {
                name: value for name, value in document.items() if name not in OF_THE_RUN
            }
            async for document in database.collection(table).find({})
        }
        for table in COMPARED
    }


def memories_in(state: Stored) -> list[Memory]:
    return [from_document(Memory, document) for document in state[MEMORIES.name].values()]


async def projected(directory: Path, memories: list[Memory]) -> dict[str, Any]:
    """Versions, and what searches find in every scope and status, with their scores."""
    embedder = HashingEmbedder()
    vectors = EdgeVectorStore(directory, embedder.model)
    await vectors.open()
    try:
        versions = await vectors.versions({memory.id: memory.scope for memory in memories})
        questions = [await embedder.embed_query(query) for query in QUERIES]
        asked = {
            (str(scope), status.value, text): VectorQuery(
                scopes=(scope,),
                statuses=frozenset({status}),
                dense=question.dense,
                sparse=question.sparse,
                limit=ALL_OF_A_SCOPE,
            )
            for scope in _scopes(memories)
            for status in Status
            for text, question in zip(QUERIES, questions, strict=True)
        }
        found = await vectors.search_many(list(asked.values()))
    finally:
        await vectors.close()
    hits = {
        key: {hit.id: (_rounded(hit.cosine), _rounded(hit.lexical)) for hit in some}
        for key, some in zip(asked, found, strict=True)
    }
    return {"versions": dict(versions), "hits": hits}


def searched(memories: list[Memory]) -> dict[str, int]:
    """The versions that must stand in a projection that has caught up."""
    return {
        memory.id: memory.version for memory in memories if memory.status in SEARCHABLE_STATUSES
    }


def _scopes(memories: list[Memory]) -> list[Scope]:
    return sorted({memory.scope for memory in memories}, key=str)


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 4)
