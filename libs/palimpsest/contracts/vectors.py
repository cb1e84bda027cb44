"""Vectors on the wire: little-endian float32 and uint32, in base64."""

import base64
from array import array
from sys import byteorder
from typing import Self

from pydantic import BaseModel, ConfigDict

from palimpsest.domain.vectors import SparseVector


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


class TextVectors(BaseModel):
    """The vectors of one text, and the slug of the model that made them."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: str
    dense: str
    """float32, as many as the model has dimensions."""
    sparse_indices: str
    """uint32, ascending."""
    sparse_values: str
    """float32, as many as the indices."""

    @classmethod
    def pack(cls, model: str, dense: list[float], sparse: SparseVector) -> Self:
        return cls(
            model=model,
            dense=_pack("f", dense),
            sparse_indices=_pack("I", list(sparse.indices)),
            sparse_values=_pack("f", list(sparse.values)),
        )

    def dense_values(self) -> list[float]:
        return _unpack("f", self.dense).tolist()

    def sparse(self) -> SparseVector:
        return SparseVector(
            indices=tuple(int(index) for index in _unpack("I", self.sparse_indices)),
            values=tuple(_unpack("f", self.sparse_values)),
        )
