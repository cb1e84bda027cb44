"""Twin of the real embedders for tests: words hashed into 64 buckets, without understanding.

Deterministic and instant. Texts that share words are near each other, and others are not. A
question never finds a message in other words.
"""

import math
from collections.abc import Sequence

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.vectors import EmbeddableText, EmbeddingModel
from palimpsest_server.embedders.embedder import QueryVectors
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder, select_own_terms

IDENTITY = EmbeddingModel(name="hashing", dimension=64)


class HashingEmbedder:
    model = IDENTITY

    def __init__(self) -> None:
        self._sparse = get_sparse_encoder()

    async def start(self) -> None:
        """Do nothing: there is nothing to start."""

    async def stop(self) -> None:
        """Do nothing: there is nothing to stop."""

    async def check(self) -> None:
        """Do nothing: it is always ready."""

    async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
        return [
            TextVectors.pack(
                self.model.slug, self._dense(text.dense), self._sparse.document(text.sparse)
            )
            for text in texts
        ]

    async def embed_query(self, text: str, *, crowded: bool = False) -> QueryVectors:  # noqa: ARG002
        return QueryVectors(dense=self._dense(text), sparse=self._sparse.query(text))

    def _dense(self, text: str) -> list[float]:
        buckets = [0.0] * self.model.dimension
        for index in select_own_terms(self._sparse.query(text)).indices:
            sign = 1.0 if index & 64 else -1.0
            buckets[index % self.model.dimension] += sign
        norm = math.sqrt(sum(value * value for value in buckets))
        if norm == 0:
            return [1.0] + [0.0] * (self.model.dimension - 1)
        return [value / norm for value in buckets]
