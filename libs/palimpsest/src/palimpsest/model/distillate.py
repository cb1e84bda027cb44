"""A memory made of several others, as it is proposed before it has vectors."""

from palimpsest.model.memory import Candidate, memory_id
from palimpsest.model.value_types import Value


class MemoryVersion(Value):
    """A memory that another rests on, at the version that was looked at."""

    memory_id: str
    version: int


class Distillate(Value):
    candidate: Candidate
    rests_on: tuple[MemoryVersion, ...]
    replaces: bool
    """Whether those it rests on are archived for it."""

    @property
    def memory_id(self) -> str:
        """Of the memory that it becomes."""
        return memory_id(self.candidate.scope.user_id, self.candidate.id)
