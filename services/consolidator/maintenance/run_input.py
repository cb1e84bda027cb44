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
    """Ids of the memories that are inspected one by one."""
    beside: frozenset[str] = frozenset()
    """Ids of other memories that may contradict those of the page, or say the same."""
    accesses: Mapping[str, Accesses] = field(default_factory=dict)
    """Accesses of the memories in `page` and `least`."""
    cosines: PairCosines = field(default_factory=dict)
    threshold: float | None = None
    """The cosine from which memories are merged; None: none are merged."""
    rested_on: frozenset[str] = frozenset()
    """Ids in the page that a memory outside of what was read rests on."""
    waiting: frozenset[str] = frozenset()
    """Ids of memories that wait for a confirmation, if this part reviews them."""
    extent: MaintenanceExtent
    goes_on_to_whole: bool = False
    """True if the next part has the extent `WHOLE`."""
    reflects: bool = True
    """True if this run reflects on several memories together."""
    news: frozenset[str] = frozenset()
    """The inspected ids, if the extent is `NEWS`."""
    least: frozenset[str] = frozenset()
    """Ids of the least important memories, which go first if there are too many; for the extent
    `WHOLE`.
    """
    uncounted: int = 0
    """The number of active memories that are not among these."""
    after: str | None = None
    """The id behind which the next page begins; None if there is no next page."""
    reflected: Mapping[Scope, datetime] | None = None
    """When the newest memory that a model was asked about was recorded, by scope; None without a
    model.
    """
