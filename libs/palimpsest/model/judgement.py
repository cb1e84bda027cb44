"""The judgement of a model on two memories that may be one."""

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from palimpsest.domain.model import Value


class Ruling(StrEnum):
    DUPLICATE = "duplicate"
    REPLACE = "replace"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    KEEP_BOTH = "keep_both"


class MemoryAt(Value):
    """A memory at the version that is spoken of."""

    memory_id: str
    version: int


class Judgement(Value):
    verdict: Ruling
    new: MemoryAt
    standing: MemoryAt
    content: str | None = None
    """Of a merge: what both say."""

    @model_validator(mode="after")
    def _says_what_both_say(self) -> Self:
        if self.verdict is Ruling.MERGE and not (self.content or "").strip():
            raise ValueError("a merge needs its content")
        return self
