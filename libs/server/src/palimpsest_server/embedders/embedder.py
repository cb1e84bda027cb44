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
    """Documents in batches away from the event loop, queries at once."""

    @property
    def model(self) -> EmbeddingModel: ...

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def check(self) -> None:
        """Return when documents can be embedded.

        Raises:
            TransientError: not right now, with why.
        """
        ...

    async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
        """Return one vector pair for each text, in order.

        Raises:
            TransientError: the model is not to be had right now.
        """
        ...

    async def embed_query(self, text: str, *, crowded: bool = False) -> QueryVectors:
        """The vectors of a question.

        Args:
            text: the question.
            crowded: whether many others want this event loop now, so that it should
                rather be embedded elsewhere, even if that takes a little longer.

        Raises:
            TransientError: the model is not to be had right now.
        """
        ...
