"""Vectors on the wire: little-endian floats and uint32, in base64."""

import base64
import struct
from array import array
from sys import byteorder
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from palimpsest.domain.vectors import SparseVector

Precision = Literal["single", "half"]


def _pack(type_code: str, numbers: "list[float] | list[int] | tuple[float, ...]") -> str:
    packed = array(type_code, numbers)
    if byteorder == "big":
        packed.byteswap()
    return base64.b64encode(packed.tobytes()).decode()


def _unpack(type_code: str, text: str) -> "array[float]":
    packed: array[float] = array(type_code)
    packed.frombytes(base64.b64decode(text))
    if byteorder == "big":
        packed.byteswap()
    return packed


def _pack_dense(numbers: list[float]) -> tuple[Precision, str]:
    try:
        packed = struct.pack(f"<{len(numbers)}e", *numbers)
    except OverflowError:
        # Beyond 65,504, which no model reaches whose vectors have the length of one.
        return "single", _pack("f", numbers)
    return "half", base64.b64encode(packed).decode()


def _unpack_halves(text: str) -> list[float]:
    packed = base64.b64decode(text)
    return list(struct.unpack(f"<{len(packed) // 2}e", packed))


class TextVectors(BaseModel):
    """The vectors of one text, and the slug of the model that made them.

    Dense ones travel in half precision: in 512 dimensions the cosine of two of them is off by
    about 1e-5 for it, and vectors are most of what goes through Kafka.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: str
    dense: str
    """As many as the model has dimensions."""
    precision: Precision = "single"
    """Of the dense one: float32, as all was written before there was a choice, or float16."""
    sparse_indices: str
    """uint32, ascending."""
    sparse_values: str
    """float32, as many as the indices."""

    @classmethod
    def pack(cls, model: str, dense: list[float], sparse: SparseVector) -> Self:
        precision, packed = _pack_dense(dense)
        return cls(
            model=model,
            dense=packed,
            precision=precision,
            sparse_indices=_pack("I", list(sparse.indices)),
            sparse_values=_pack("f", list(sparse.values)),
        )

    def dense_values(self) -> list[float]:
        if self.precision == "half":
            return _unpack_halves(self.dense)
        return _unpack("f", self.dense).tolist()

    def sparse(self) -> SparseVector:
        return SparseVector(
            indices=tuple(int(index) for index in _unpack("I", self.sparse_indices)),
            values=tuple(_unpack("f", self.sparse_values)),
        )
