"""A question out of a message and those before it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.vectors import SparseVector
from palimpsest_server.domain.ranking.context_weights import (
    compute_context_weights,
    weigh_dense_vectors,
    weigh_sparse_vectors,
)


@pytest.mark.parametrize(
    ("words", "messages", "weights"),
    [
        (6, 3, (0.4, 0.25, 0.15)),
        (20, 2, (0.4, 0.25)),
        (0, 3, (0.8, 0.5, 0.3)),
        (3, 1, (0.6,)),
        (3, 0, ()),
    ],
)
def test_a_message_that_says_little_leans_on_what_came_before(
    words: int, messages: int, weights: tuple[float, ...]
) -> None:
    assert compute_context_weights(words, messages) == pytest.approx(weights)


def test_the_sum_is_weighed_and_of_length_one() -> None:
    assert weigh_dense_vectors([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.75]) == pytest.approx([0.8, 0.6])
    assert weigh_dense_vectors([[1.0, 0.0], [-1.0, 0.0]], [1.0, 1.0]) == [0.0, 0.0]


def test_a_word_counts_once_with_its_greatest_weight() -> None:
    sparse_vector = SparseVector(indices=(3, 9), values=(1.0, 1.0))
    other = SparseVector(indices=(1, 9), values=(1.0, 1.0))
    assert weigh_sparse_vectors([sparse_vector, other], [1.0, 0.4]) == SparseVector(
        indices=(1, 3, 9), values=(0.4, 1.0, 1.0)
    )


@given(st.lists(st.lists(st.floats(-1, 1), min_size=4, max_size=4), min_size=1, max_size=4))
def test_no_vector_grows_longer_than_one(vectors: list[list[float]]) -> None:
    made = weigh_dense_vectors(vectors, [1.0, 0.4, 0.25, 0.15][: len(vectors)])
    assert math.sqrt(sum(value * value for value in made)) <= 1.0 + 1e-9
