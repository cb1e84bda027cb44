"""What a rule of reflection has found."""

from dataclasses import dataclass

from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Memory


@dataclass(frozen=True)
class Finding:
    rule: str
    topic: str
    """What it is about, normalised: the same finding again has the same."""
    kind: Kind
    content: str
    bases: tuple[Memory, ...]
