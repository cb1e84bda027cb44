"""What is counted with vectors: lengths, directions, and how far two go the same way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.vectors import cosine, dot, unit_vector, vector_norm

numbers = st.lists(st.integers(-100, 100).map(float), min_size=3, max_size=3)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([3.0, 4.0], [6.0, 8.0], 1.0),
        ([3.0, 4.0], [-3.0, -4.0], -1.0),
        ([1.0, 0.0], [0.0, 2.0], 0.0),
        ([0.0, 0.0], [1.0, 2.0], 0.0),
    ],
)
def test_the_cosine_is_of_directions(one: list[float], other: list[float], expected: float) -> None:
    assert cosine(one, other) == pytest.approx(expected)


def test_vectors_of_two_dimensions_do_not_compare() -> None:
    with pytest.raises(ValueError, match="shorter"):
        dot([1.0, 2.0], [1.0])


@given(numbers, numbers)
def test_of_vectors_of_length_1_the_product_is_the_cosine(
    one: list[float], other: list[float]
) -> None:
    assert dot(unit_vector(one), unit_vector(other)) == pytest.approx(cosine(one, other), abs=1e-9)


@given(numbers)
def test_a_unit_has_length_1_unless_there_is_no_direction(vector: list[float]) -> None:
    assert vector_norm(unit_vector(vector)) == pytest.approx(1.0 if vector_norm(vector) else 0.0)
