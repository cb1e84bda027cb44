"""Vectors as values: what a model made of a text."""

from palimpsest.domain.model import Value


class EmbeddingModel(Value):
    """What made a vector. Part of a collection's identity: vectors of two models never mix."""

    name: str
    dimension: int
    version: int = 1
    """Ours: raised when the text preparation or the tokenizer changes."""

    @property
    def slug(self) -> str:
        return f"{self.name}-{self.dimension}-{self.version}"


class SparseVector(Value):
    """Term weights by the murmur3 hash of the term; indices ascend and are unique."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


class EmbeddableText(Value):
    """The text for meaning and the text for words; they may differ by speaker and date."""

    dense: str
    sparse: str
