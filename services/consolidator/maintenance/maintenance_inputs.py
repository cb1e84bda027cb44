"""The inputs of maintenance and quotas for a run of events."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.consolidator.maintenance.quota_enforcement import QuotaEnforcer
from services.consolidator.maintenance.run_input import MaintenanceRunInput


@dataclass(frozen=True)
class MaintenanceInputs:
    room: QuotaEnforcer
    material: Mapping[str, MaintenanceRunInput] = field(default_factory=dict)
    """Inputs of runs, by the id of the event."""
