"""How well a namespace is remembered, in figures without content."""

from collections.abc import Mapping
from datetime import date

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.value_types import Value


class RecallProbe(Value):
    """Memories that were asked for by what they are about, and how many of them came back."""

    asked: int = 0
    found: int = 0


class QualityReport(Value):
    day: date
    """Of UTC; a deployment's is the latest of all."""
    by_kind: Mapping[Kind, int] = {}
    """Active memories."""
    by_status: Mapping[Status, int] = {}
    contradictions: int = 0
    """Pairs of active memories that cannot both hold."""
    duplicates: int = 0
    """Active memories beyond the first of those that say the same."""
    forgotten_share: float = 0.0
    """Of all that was ever kept and was not purged."""
    average_importance: float = 0.0
    """Of active memories; 0 where there are none."""
    drift: int | None = None
    """Memories whose projection differs; None where nobody has vectors."""
    probe: RecallProbe | None = None
    """None where nobody has vectors."""
