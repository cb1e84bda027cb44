"""The finding of a rule of reflection."""

from dataclasses import dataclass

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory


@dataclass(frozen=True)
class ReflectionFinding:
    rule: str
    topic: str
    """What it is about, normalised: the same finding again has the same."""
    kind: Kind
    content: str
    bases: tuple[Memory, ...]
