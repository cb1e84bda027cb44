"""Combine a message and the messages before it into one question."""

from collections.abc import Sequence

from palimpsest.model.vectors import SparseVector, unit_vector

CONTEXT_WEIGHTS = (0.4, 0.25, 0.15)
"""Weights of the earlier messages, latest first."""

SAYS_ENOUGH_WORDS = 6
"""A message with fewer meaningful words depends on the messages before it: "go with the first
one" says little by itself, and the messages before it then count up to twice as much."""


def compute_context_weights(words: int, messages: int) -> tuple[float, ...]:
    """Return the weights of the earlier messages, nearest first, for a message of this many words."""
    leaning = 2.0 - min(words, SAYS_ENOUGH_WORDS) / SAYS_ENOUGH_WORDS
    return tuple(weight * leaning for weight in CONTEXT_WEIGHTS[:messages])


def weigh_dense_vectors(
    vectors: Sequence[Sequence[float]], weights: Sequence[float]
) -> list[float]:
    """Return the weighted sum of vectors, of length 1; all zeroes if they cancel out."""
    summed = [
        sum(weight * value for weight, value in zip(weights, values, strict=True))
        for values in zip(*vectors, strict=True)
    ]
    return unit_vector(summed)


def weigh_sparse_vectors(vectors: Sequence[SparseVector], weights: Sequence[float]) -> SparseVector:
    """Return each word with its greatest weight in any of the vectors."""
    heaviest: dict[int, float] = {}
    for vector, weight in zip(vectors, weights, strict=True):
        for index, value in zip(vector.indices, vector.values, strict=True):
            heaviest[index] = max(heaviest.get(index, 0.0), weight * value)
    indices = tuple(sorted(heaviest))
    return SparseVector(indices=indices, values=tuple(heaviest[index] for index in indices))
