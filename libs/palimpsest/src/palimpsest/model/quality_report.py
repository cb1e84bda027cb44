"""Quality of the memories in a namespace, in figures without content."""

from collections.abc import Mapping
from datetime import date

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.value_types import Value


class RecallProbe(Value):
    """A probe of recall: how many memories were searched for, and how many were found."""

    asked: int = 0
    found: int = 0
    """The number of memories among them that were found."""


class QualityReport(Value):
    day: date
    """The day of UTC; for a deployment, the latest day of all namespaces."""
    by_kind: Mapping[Kind, int] = {}
    """The number of active memories by kind."""
    by_status: Mapping[Status, int] = {}
    contradictions: int = 0
    """The number of pairs of active memories that cannot both hold."""
    duplicates: int = 0
    """The number of active memories that repeat another one."""
    forgotten_share: float = 0.0
    """The share of forgotten memories among all that were kept and not purged, 0 to 1."""
    average_importance: float = 0.0
    """The mean importance of active memories, 0 to 1; 0 if there are none."""
    drift: int | None = None
    """The number of memories whose search index differs; null without vectors."""
    probe: RecallProbe | None = None
    """The result of searching for known memories; null without vectors."""
