"""Vectors on the wire: base64 of little-endian numbers, the same on every machine."""

import base64
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.vectors import EmbeddingModel, SparseVector

HALVES = st.lists(st.floats(width=16, allow_nan=False), max_size=32)
SINGLES = st.lists(st.floats(width=32, allow_nan=False), max_size=32)
SPARSE = st.dictionaries(st.integers(0, 2**32 - 1), st.floats(0, 100, width=32), max_size=16).map(
    lambda weights: sorted(weights.items())
)


@given(HALVES, SPARSE)
def test_what_is_packed_is_read_back(dense: list[float], weights: list[tuple[int, float]]) -> None:
    sparse = SparseVector(
        indices=tuple(index for index, _ in weights), values=tuple(value for _, value in weights)
    )
    packed = TextVectors.pack("usem3-512-1", dense, sparse)
    received = TextVectors.model_validate_json(packed.model_dump_json())
    assert received.dense_values() == dense
    assert received.sparse() == sparse


def test_the_bytes_are_little_endian_whatever_the_machine() -> None:
    packed = TextVectors.pack("m", [1.5, -2.0], SparseVector(indices=(7, 2**32 - 1), values=(1, 2)))
    assert base64.b64decode(packed.dense) == struct.pack("<2e", 1.5, -2.0)
    assert base64.b64decode(packed.sparse_indices) == struct.pack("<2I", 7, 2**32 - 1)
    assert base64.b64decode(packed.sparse_values) == struct.pack("<2f", 1.0, 2.0)


@given(SINGLES)
def test_half_precision_is_half_a_thousandth_off_at_most(dense: list[float]) -> None:
    packed = TextVectors.pack("m", dense, SparseVector(indices=(), values=()))
    received = packed.dense_values()
    assert received == pytest.approx(dense, rel=2**-11, abs=2**-25)


def test_what_half_precision_cannot_say_is_said_in_single() -> None:
    packed = TextVectors.pack("m", [1.0, 1e6], SparseVector(indices=(), values=()))
    assert packed.precision == "single"
    assert packed.dense_values() == [1.0, 1e6]


def test_vectors_of_before_there_was_a_choice_are_read() -> None:
    dense = base64.b64encode(struct.pack("<2f", 0.1, -0.2)).decode()
    old = TextVectors.model_validate(
        {"model": "m", "dense": dense, "sparse_indices": "", "sparse_values": ""}
    )
    assert old.dense_values() == pytest.approx([0.1, -0.2], rel=1e-7)


def test_a_model_says_everything_that_must_match() -> None:
    assert EmbeddingModel(name="usem3", dimension=512, version=2).slug == "usem3-512-2"
