"""Vectors as values: those of a text, and the calculations on them."""

import math
from collections.abc import Iterable, Sequence
from operator import mul

from palimpsest.model.value_types import Value


class EmbeddingModel(Value):
    """The model that made a vector.

    It is part of a collection's identity: vectors of two models never mix.
    """

    name: str
    dimension: int
    version: int = 1
    """Our version, which rises when the text preparation or the tokenizer changes."""

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


def dot(vector: Sequence[float], other: Sequence[float]) -> float:
    """Return the dot product, which is the cosine of two vectors of length 1.

    Raises:
        ValueError: their dimensions differ.
    """
    if len(vector) != len(other):
        raise ValueError(f"one vector is shorter: {len(vector)} dimensions and {len(other)}")
    products: Iterable[float] = map(mul, vector, other)
    return sum(products)


def vector_norm(vector: Sequence[float]) -> float:
    return math.sqrt(dot(vector, vector))


def cosine(vector: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two vectors, -1 to 1; 0 if one of them is all zeroes."""
    lengths = vector_norm(vector) * vector_norm(other)
    return dot(vector, other) / lengths if lengths else 0.0


def unit_vector(vector: Sequence[float]) -> list[float]:
    """Return the vector scaled to length 1; a zero vector stays unchanged."""
    whole = vector_norm(vector)
    return [value / whole for value in vector] if whole else list(vector)
