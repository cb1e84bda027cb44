"""The child process that embeds: `python -m palimpsest_server.embedders.embedding_child NAME`.

A request is a batch of documents, each with its dense text and its sparse text, or a batch of
questions. The answer has their vectors.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any

from palimpsest.events.text_vectors import TextVectors
from palimpsest_server.embedders.child_request_loop import ParentRequestHandler, serve_parent
from palimpsest_server.embedders.local_models import load_dense_model
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder

NICENESS = 5
"""Lower priority than recall, which usually embeds its question itself; higher than that of rules."""


def load_request_handler() -> ParentRequestHandler:
    dense, sparse = load_dense_model(sys.argv[1]), get_sparse_encoder()
    slug = dense.identity.slug

    def documents(texts: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
        vectors = dense.documents([text for text, _ in texts])
        return [
            TextVectors.pack(slug, vector, sparse.document(words)).model_dump()
            for vector, (_, words) in zip(vectors, texts, strict=True)
        ]

    def questions(texts: Sequence[str]) -> list[dict[str, str]]:
        # With the same precision as in the parent, which may embed the same question at another time.
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
    serve_parent(load_request_handler)
