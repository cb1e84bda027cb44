"""What was read for maintenance and quotas, for a run of events."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.consolidator.maintenance.material import Material
from services.consolidator.maintenance.room import Room


@dataclass(frozen=True)
class Gathered:
    room: Room
    material: Mapping[str, Material] = field(default_factory=dict)
    """By the id of the event that it is for."""
