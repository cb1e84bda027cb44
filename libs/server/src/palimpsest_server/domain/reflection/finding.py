"""The finding of a rule of reflection."""

from dataclasses import dataclass

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory


@dataclass(frozen=True)
class ReflectionFinding:
    rule: str
    topic: str
    """Normalised topic; the same finding has the same topic again."""
    kind: Kind
    content: str
    bases: tuple[Memory, ...]
