"""The protocol of a local model: texts in, dense vectors out, in the calling thread."""

from collections.abc import Sequence
from typing import Protocol

from palimpsest.model.vectors import EmbeddingModel


class DenseModel(Protocol):
    """Computes vectors of length 1. Calls block the calling thread."""

    @property
    def identity(self) -> EmbeddingModel: ...

    def documents(self, texts: Sequence[str]) -> list[list[float]]: ...

    def query(self, text: str) -> list[float]: ...

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed several questions, which may be cheaper than one by one."""
        ...
