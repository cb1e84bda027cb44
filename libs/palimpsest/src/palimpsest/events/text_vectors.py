"""Vectors on the wire: little-endian floats and uint32, in base64."""

import base64
import struct
from collections.abc import Sequence
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict

from palimpsest.model.vectors import SparseVector

VectorPrecision = Literal["single", "half"]


_CODES: dict[VectorPrecision, str] = {"single": "f", "half": "e"}


def _pack(code: str, numbers: Sequence[float]) -> str:
    """Pack numbers by a code of the `struct` module, in base64."""
    return base64.b64encode(struct.pack(f"<{len(numbers)}{code}", *numbers)).decode()


def _unpack(code: str, text: str) -> tuple[Any, ...]:
    packed = base64.b64decode(text)
    return struct.unpack(f"<{len(packed) // struct.calcsize(code)}{code}", packed)


def _pack_dense(numbers: list[float], precision: VectorPrecision) -> tuple[VectorPrecision, str]:
    try:
        return precision, _pack(_CODES[precision], numbers)
    except OverflowError:
        # Above 65,504, which no vector of length 1 reaches.
        return "single", _pack(_CODES["single"], numbers)


class TextVectors(BaseModel):
    """The vectors of one text, and the slug of the model that made them.

    Dense vectors travel in half precision. In 512 dimensions this changes the cosine of two vectors
    by about 1e-5, and vectors are most of what goes through Kafka.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: str
    dense: str
    """The dense vector, with as many numbers as the model has dimensions, in base64."""
    precision: VectorPrecision = "single"
    """The precision of the dense vector: float32 (the default of old events) or float16."""
    sparse_indices: str
    """The indices of the sparse vector as ascending uint32, in base64."""
    sparse_values: str
    """The weights of the sparse vector as float32, one for each index, in base64."""

    @classmethod
    def pack(
        cls,
        model: str,
        dense: list[float],
        sparse: SparseVector,
        precision: VectorPrecision = "half",
    ) -> Self:
        precision, packed = _pack_dense(dense, precision)
        return cls(
            model=model,
            dense=packed,
            precision=precision,
            sparse_indices=_pack("I", sparse.indices),
            sparse_values=_pack("f", sparse.values),
        )

    def dense_values(self) -> list[float]:
        return list(_unpack(_CODES[self.precision], self.dense))

    def sparse(self) -> SparseVector:
        return SparseVector(
            indices=_unpack("I", self.sparse_indices),
            values=_unpack("f", self.sparse_values),
        )
