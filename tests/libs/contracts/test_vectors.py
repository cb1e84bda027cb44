"""Vectors on the wire: base64 of little-endian numbers, the same on every machine."""

import base64
import struct

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.contracts.vectors import TextVectors
from palimpsest.domain.vectors import EmbeddingModel, SparseVector

FLOATS = st.lists(st.floats(width=32, allow_nan=False), max_size=32)
SPARSE = st.dictionaries(st.integers(0, 2**32 - 1), st.floats(0, 100, width=32), max_size=16).map(
    lambda weights: sorted(weights.items())
)


@given(FLOATS, SPARSE)
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
    assert base64.b64decode(packed.dense) == struct.pack("<2f", 1.5, -2.0)
    assert base64.b64decode(packed.sparse_indices) == struct.pack("<2I", 7, 2**32 - 1)
    assert base64.b64decode(packed.sparse_values) == struct.pack("<2f", 1.0, 2.0)


def test_a_model_says_everything_that_must_match() -> None:
    assert EmbeddingModel(name="usem3", dimension=512, version=2).slug == "usem3-512-2"
