"""What a run would change, without changing it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from palimpsest.contracts.maintenance import maintenance_of
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.scope import Namespace
from palimpsest.domain.user import UserSettings
from palimpsest.model.distillate import Distillate
from services.consolidator.maintenance.maintaining import Maintaining
from services.consolidator.maintenance.running import Run


@dataclass(frozen=True)
class Plan:
    namespace: Namespace
    counts: Mapping[str, int]
    """How many memories, by what would become of them."""
    changes: Mapping[str, str]
    """By memory id: the status that it would have, and why."""
    proposals: tuple[Distillate, ...]
    complete: bool
    """False where a run would go on with more."""


async def planned(
    namespace: Namespace, maintaining: Maintaining, settings: UserSettings, *, now: datetime
) -> Plan:
    """The first part of the run that would begin now."""
    event = maintenance_of(namespace, now.date(), now=now, epoch=0)
    known = Overlay()
    gathered = await maintaining.gathered([event], {namespace.user_id: settings}, known)
    material = gathered.material[event.event_id]
    run = Run(known, material, settings, limit=gathered.room.limit(settings), now=now)
    run.take_all_steps()
    changes = {
        change.after.id: f"{change.after.status}: {change.after.status_reason or 'changed'}"
        for change in known.take_changes()
    }
    return Plan(
        namespace=namespace,
        counts={what.value: count for what, count in run.counts.items()},
        changes=changes,
        proposals=tuple(run.proposals()),
        complete=run.complete and material.extent.shows_the_whole,
    )
