"""The protocol of a local model: texts in, dense vectors out, in the calling thread."""

from collections.abc import Sequence
from typing import Protocol

from palimpsest.model.vectors import EmbeddingModel


class DenseModel(Protocol):
    """Vectors have length 1. Calls compute at once and block whoever calls."""

    @property
    def identity(self) -> EmbeddingModel: ...

    def documents(self, texts: Sequence[str]) -> list[list[float]]: ...

    def query(self, text: str) -> list[float]: ...

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        """The same of several, which may be less work together."""
        ...
