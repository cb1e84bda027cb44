"""The schedule of maintenance: each namespace once a day, at a time of its own."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta

import structlog

from palimpsest.events.maintenance import RunMaintenance, build_daily_maintenance
from palimpsest.events.topics import CANDIDATES
from palimpsest.model.change_set import change_set_id
from palimpsest.model.clock import Clock
from palimpsest.model.identifiers import derive_id
from palimpsest.model.scope import Namespace
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.user_states import UserStates
from services.consolidator.maintenance.quality_reporter import QualityReporter

RUNS_PER_BATCH = 8
SECONDS_BETWEEN = 1.0
"""Seconds between batches of runs. After a night without power all runs are due at once, and people
want answers meanwhile.
"""

_DAY_SECONDS = 24 * 60 * 60

_log = structlog.get_logger("palimpsest.consolidator")

IsOwnedUser = Callable[[str], bool]
"""Tells whether this process handles the events of a user."""


def compute_due_time(namespace: Namespace, day: date) -> datetime:
    """Return the time of the namespace's run on that UTC day; runs are spread over the day."""
    place = int(derive_id("maintenance", namespace.user_id, namespace.agent_id)[:8], 16) / 16**8
    midnight = datetime.combine(day, time(), UTC)
    return midnight + timedelta(seconds=int(place * _DAY_SECONDS))


def find_latest_due_day(namespace: Namespace, now: datetime) -> date:
    """Return the day of the latest due run: today, or else yesterday."""
    today = now.date()
    return today if compute_due_time(namespace, today) <= now else today - timedelta(days=1)


def is_report_day(namespace: Namespace, day: date, *, every: int) -> bool:
    """Return whether the namespace is reported on that day.

    Every `every` days, on days of its own.
    """
    place = int(derive_id("report", namespace.user_id, namespace.agent_id)[:8], 16)
    return (day.toordinal() + place) % every == 0


class MaintenanceScheduler:
    """Sends a run once a day for each namespace of the partitions of this process.

    Its memory only saves work. The run of a day has the same event id whoever sends it, and a run
    that was decided already is not decided again.
    """

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        namespaces: NamespaceRegistry,
        users: UserStates,
        change_sets: ChangeSetReader,
        publisher: Publisher,
        owns: IsOwnedUser,
        reporting: QualityReporter | None,
        clock: Clock,
        interval: timedelta,
        report_days: int = 1,
    ) -> None:
        self._reporting = reporting
        self._namespaces = namespaces
        self._users = users
        self._change_sets = change_sets
        self._publisher = publisher
        self._owns = owns
        self._clock = clock
        self._interval = interval
        self._report_days = report_days
        self._sent: dict[Namespace, date] = {}
        self._unreported: list[Namespace] = []
        self._known_since: dict[Namespace, datetime] | None = None

    async def watch(self) -> None:
        """Send due runs periodically, until cancelled; the first time after one interval."""
        await run_periodically(
            self._round,
            every=self._interval,
            log=_log,
            failure="maintenance could not be sent",
            at_once=False,
        )

    async def _round(self) -> None:
        # The previous round's runs are done by now.
        await self.report()
        await self.look(
            pause_seconds=min(SECONDS_BETWEEN, self._interval.total_seconds() / RUNS_PER_BATCH)
        )

    async def report(self) -> None:
        """Report on namespaces whose run was sent and not reported on yet."""
        # Emptied first: a namespace whose report fails must not block the others.
        unreported, self._unreported = self._unreported, []
        if self._reporting is not None:
            await self._reporting.report(unreported)

    async def look(self, *, pause_seconds: float = SECONDS_BETWEEN) -> int:
        """Send due runs and return their number."""
        now = self._clock()
        runs = await self._due(now)
        for part in _parts(runs, RUNS_PER_BATCH):
            await self._publisher.publish(CANDIDATES, part)
            self._sent |= {run.scope.namespace: run.day for run in part}
            self._unreported += [
                run.scope.namespace
                for run in part
                if is_report_day(run.scope.namespace, run.day, every=self._report_days)
            ]
            await asyncio.sleep(pause_seconds)
        return len(runs)

    async def _due(self, now: datetime) -> Sequence[RunMaintenance]:
        """Return due runs, yesterday's included: a run due late in the evening is sent after midnight."""
        ours = await self._ours(now)
        turns = {namespace: find_latest_due_day(namespace, now) for namespace in ours}
        due = {
            namespace: day
            for namespace, day in turns.items()
            if self._sent.get(namespace) != day
            and ours[namespace] <= compute_due_time(namespace, day)
        }
        if not due:
            return []
        states = await self._users.of({namespace.user_id for namespace in due})
        runs = [
            build_daily_maintenance(namespace, day, now=now, epoch=states[namespace.user_id].epoch)
            for namespace, day in due.items()
        ]
        ids = {change_set_id(run.user_id, run.event_id): run for run in runs}
        done = await self._change_sets.known(list(ids))
        self._sent |= {ids[one].scope.namespace: ids[one].day for one in done}
        return [run for one, run in ids.items() if one not in done]

    async def _ours(self, now: datetime) -> dict[Namespace, datetime]:
        """Return when each namespace of ours was first seen. A new one waits for its next turn."""
        registered = [namespace.namespace for namespace in await self._namespaces.everything()]
        known = self._known_since
        if known is None:
            known = dict.fromkeys(registered, datetime.min.replace(tzinfo=UTC))
        self._known_since = {namespace: known.get(namespace, now) for namespace in registered}
        return {
            namespace: since
            for namespace, since in self._known_since.items()
            if self._owns(namespace.user_id)
        }


def _parts(runs: Sequence[RunMaintenance], size: int) -> Iterator[Sequence[RunMaintenance]]:
    for start in range(0, len(runs), size):
        yield runs[start : start + size]
