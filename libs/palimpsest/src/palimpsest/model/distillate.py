"""Memories proposed from several others: distillates, and the reflections of a model."""

from pydantic import Field

from palimpsest.model.bilingual_text import shorten_to_summary
from palimpsest.model.identifiers import derive_id
from palimpsest.model.kinds import ReflectionKind
from palimpsest.model.memory import Candidate, MemoryAtVersion, embedded_text, memory_id
from palimpsest.model.value_types import Value


class Distillate(Value):
    """A memory made of several others, before it has vectors."""

    candidate: Candidate
    rests_on: tuple[MemoryAtVersion, ...]
    replaces: bool
    """True if the memories it rests on are archived for it."""

    @property
    def memory_id(self) -> str:
        """The id of the memory that it becomes."""
        return memory_id(self.candidate.scope.user_id, self.candidate.id)


LEAST_BASES = 3
"""The least memories that a reflection rests on: one is chance, two are coincidence."""


class ProposedReflection(Value):
    """A reflection that a model proposes, with the memories that it rests on."""

    kind: ReflectionKind
    content: str = Field(min_length=1)
    rests_on: tuple[MemoryAtVersion, ...] = Field(min_length=LEAST_BASES)

    @property
    def candidate_id(self) -> str:
        """The id of the candidate, derived from what it rests on and not from its words."""
        return derive_id("reflection", *sorted({basis.memory_id for basis in self.rests_on}))

    @property
    def embedded_text(self) -> str:
        return embedded_text(shorten_to_summary(self.content), self.content)

    def becomes(self, user_id: str) -> str:
        """The id of the memory that it becomes."""
        return memory_id(user_id, self.candidate_id)
