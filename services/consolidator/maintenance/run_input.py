"""The input of one part of a maintenance run, all of it read before."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from palimpsest.model.memory import Accesses
from palimpsest.model.scope import Namespace, Scope
from palimpsest_server.domain.compression.merge_memories import PairCosines
from services.consolidator.maintenance.run_extent import MaintenanceExtent


@dataclass(frozen=True, kw_only=True)
class MaintenanceRunInput:
    namespace: Namespace
    page: frozenset[str]
    """The memories that are looked at one by one."""
    beside: frozenset[str] = frozenset()
    """Others that these may contradict or be one with."""
    accesses: Mapping[str, Accesses] = field(default_factory=dict)
    """Of those of the page and of the least."""
    cosines: PairCosines = field(default_factory=dict)
    threshold: float | None = None
    """From which of them on memories may be one; None: none are merged."""
    rested_on: frozenset[str] = frozenset()
    """Those of the page that any memory rests on which was not read."""
    waiting: frozenset[str] = frozenset()
    """Those that wait for a yes, where this part looks through them."""
    extent: MaintenanceExtent
    goes_on_to_whole: bool = False
    """Whether the next part looks at what only the whole shows."""
    reflects: bool = True
    """Whether there is looked at what several memories show together."""
    news: frozenset[str] = frozenset()
    """The ids that were looked at, where these are but the news."""
    least: frozenset[str] = frozenset()
    """Where the whole is looked at: those that go first if there are too many."""
    uncounted: int = 0
    """Active memories that are not among these."""
    after: str | None = None
    """Where the next page begins; None where there is none."""
    reflected: Mapping[Scope, datetime] | None = None
    """When the newest memory was recorded that a model was asked about; None: none is asked."""
