"""Embedders: texts in, vectors out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.vectors import EmbeddableText, EmbeddingModel, SparseVector


@dataclass(frozen=True)
class QueryVectors:
    dense: list[float]
    sparse: SparseVector


class Embedder(Protocol):
    """Embeds documents in batches outside the event loop, and queries at once."""

    @property
    def model(self) -> EmbeddingModel: ...

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def check(self) -> None:
        """Check that documents can be embedded.

        Raises:
            TransientError: they cannot be embedded now; the message says why.
        """
        ...

    async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
        """Return one vector pair for each text, in order.

        Raises:
            TransientError: the model is not available now.
        """
        ...

    async def embed_query(self, text: str, *, crowded: bool = False) -> QueryVectors:
        """Embed a question.

        Args:
            text: the question.
            crowded: whether many other tasks need this event loop now, so that the question should
                be embedded elsewhere, even if that takes a little longer.

        Raises:
            TransientError: the model is not available now.
        """
        ...
