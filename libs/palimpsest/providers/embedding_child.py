"""The child process that embeds documents: `python -m palimpsest.providers.embedding_child NAME`.

Asked with batches of texts, for the dense and for the sparse vector; answers their vectors.
"""

import os
import sys

from palimpsest.contracts.vectors import TextVectors
from palimpsest.providers.answering_parent import Answer, answer_parent
from palimpsest.providers.local_models import dense_model_named
from palimpsest.providers.sparse import sparse_encoder

NICENESS = 5
"""A recall embeds its question itself, and somebody waits for it; documents come before rules."""


def load() -> Answer:
    dense, sparse = dense_model_named(sys.argv[1]), sparse_encoder()
    slug = dense.identity.slug

    def embed(texts: list[tuple[str, str]]) -> list[dict[str, str]]:
        vectors = dense.documents([text for text, _ in texts])
        return [
            TextVectors.pack(slug, vector, sparse.document(words)).model_dump()
            for vector, (_, words) in zip(vectors, texts, strict=True)
        ]

    return embed


if __name__ == "__main__":
    os.nice(NICENESS)
    answer_parent(load)
