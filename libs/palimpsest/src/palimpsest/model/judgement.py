"""The judgement of a model on two memories that may be duplicates."""

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from palimpsest.model.memory import MemoryAtVersion
from palimpsest.model.value_types import Value


class JudgementVerdict(StrEnum):
    DUPLICATE = "duplicate"
    REPLACE = "replace"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    KEEP_BOTH = "keep_both"


class DuplicateJudgement(Value):
    verdict: JudgementVerdict
    new: MemoryAtVersion
    standing: MemoryAtVersion
    content: str | None = None
    """The content of a merged memory, which covers both."""

    @model_validator(mode="after")
    def _says_what_both_say(self) -> Self:
        if self.verdict is JudgementVerdict.MERGE and not (self.content or "").strip():
            raise ValueError("a merge needs its content")
        return self
