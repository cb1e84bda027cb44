"""What a statement is about where its words say so and nobody took them apart."""

from palimpsest.domain.evolution.aversions import with_aversion
from palimpsest.domain.evolution.parting import with_parting
from palimpsest.domain.memory import StatedT


def understood(plain: StatedT) -> StatedT:
    """What is stated, with the attribute and value that its words have."""
    return with_parting(with_aversion(plain))
