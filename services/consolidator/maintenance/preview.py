"""Preview a run of maintenance without changing anything."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from palimpsest.events.maintenance import build_daily_maintenance
from palimpsest.model.distillate import Distillate
from palimpsest.model.scope import Namespace
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.consolidation.overlay import Overlay
from services.consolidator.maintenance.coordinator import MaintenanceCoordinator
from services.consolidator.maintenance.maintenance_run import MaintenanceRun


@dataclass(frozen=True)
class MaintenancePreview:
    namespace: Namespace
    counts: Mapping[str, int]
    """Numbers of memories by outcome."""
    changes: Mapping[str, str]
    """The status that each memory would get, with the reason, by memory id."""
    proposals: tuple[Distillate, ...]
    complete: bool
    """False if the run would continue with another part."""


async def preview_maintenance(
    namespace: Namespace,
    maintaining: MaintenanceCoordinator,
    settings: UserSettings,
    *,
    now: datetime,
) -> MaintenancePreview:
    """Preview the first part of a run that begins now."""
    event = build_daily_maintenance(namespace, now.date(), now=now, epoch=0)
    known = Overlay()
    gathered = await maintaining.gathered([event], {namespace.user_id: settings}, known)
    material = gathered.material[event.event_id]
    run = MaintenanceRun(known, material, settings, limit=gathered.room.limit(settings), now=now)
    run.take_all_steps()
    changes = {
        change.after.id: f"{change.after.status}: {change.after.status_reason or 'changed'}"
        for change in known.take_changes()
    }
    return MaintenancePreview(
        namespace=namespace,
        counts={what.value: count for what, count in run.counts.items()},
        changes=changes,
        proposals=tuple(run.proposals()),
        complete=run.complete and material.extent.shows_the_whole,
    )
