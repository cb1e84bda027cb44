"""The child process that embeds: `python -m palimpsest.providers.embedding_child NAME`.

Asked with batches of documents, each as the text for its dense and that for its
sparse vector, or with questions; answers their vectors.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any

from palimpsest.contracts.vectors import TextVectors
from palimpsest.providers.answering_parent import Answer, answer_parent
from palimpsest.providers.local_models import dense_model_named
from palimpsest.providers.sparse import sparse_encoder

NICENESS = 5
"""A recall mostly embeds its question itself, and somebody waits for it; documents come before rules."""


def load() -> Answer:
    dense, sparse = dense_model_named(sys.argv[1]), sparse_encoder()
    slug = dense.identity.slug

    def documents(texts: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
        vectors = dense.documents([text for text, _ in texts])
        return [
            TextVectors.pack(slug, vector, sparse.document(words)).model_dump()
            for vector, (_, words) in zip(vectors, texts, strict=True)
        ]

    def questions(texts: Sequence[str]) -> list[dict[str, str]]:
        # As exact as in the parent, which embeds the same question in another moment.
        return [
            TextVectors.pack(slug, vector, sparse.query(text), "single").model_dump()
            for vector, text in zip(dense.queries(texts), texts, strict=True)
        ]

    def embed(asked: dict[str, Any]) -> list[dict[str, str]]:
        return (
            questions(asked["questions"]) if "questions" in asked else documents(asked["documents"])
        )

    return embed


if __name__ == "__main__":
    os.nice(NICENESS)
    answer_parent(load)
