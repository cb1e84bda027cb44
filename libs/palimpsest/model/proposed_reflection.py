"""A reflection that a model proposes, with the memories that it rests on."""

from typing import Literal

from pydantic import Field

from palimpsest.domain.identifiers import derive
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import embedded_text, memory_id
from palimpsest.domain.model import Value
from palimpsest.domain.writing import summarised
from palimpsest.model.distillate import Basis

LEAST_BASES = 3
"""Once is chance, twice is coincidence."""


class ProposedReflection(Value):
    kind: Literal[Kind.INSIGHT, Kind.PATTERN]
    content: str = Field(min_length=1)
    rests_on: tuple[Basis, ...] = Field(min_length=LEAST_BASES)

    @property
    def candidate_id(self) -> str:
        """By what it rests on: said in other words of the same memories it is the same."""
        return derive("reflection", *sorted({basis.memory_id for basis in self.rests_on}))

    @property
    def embedded_text(self) -> str:
        return embedded_text(summarised(self.content), self.content)

    def becomes(self, user_id: str) -> str:
        """The id of the memory that it becomes."""
        return memory_id(user_id, self.candidate_id)
