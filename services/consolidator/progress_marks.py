"""Progress marks of change sets: buffered, and written for several batches at once."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

import structlog

from palimpsest.model.change_set import ChangeSet, ChangeSetProgress
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.stores.change_sets import ChangeSetStore
from services.consolidator.derived_records import DerivedRecords
from services.consolidator.metrics import ConsolidatorMetrics

WRITE_DELAY_SECONDS = 0.25
"""Seconds that marks are buffered: a mark costs as much as writing the change set. A crash loses at
most these marks, and announcing a change set twice changes nothing.
"""

_log = structlog.get_logger("palimpsest.consolidator")


@dataclass
class ProgressMarks:
    announced: list[ChangeSet] = field(default_factory=list)
    applied: list[str] = field(default_factory=list)
    """Ids of change sets that another process has to project."""
    checkpoints: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.announced or self.applied or self.checkpoints)

    def add(self, later: "ProgressMarks") -> None:
        self.announced += later.announced
        self.applied += later.applied
        self.checkpoints |= later.checkpoints

    def forget(self, user_ids: Collection[str]) -> None:
        """Drop marks of these users; their changes will be announced again, in order."""
        self.announced = [
            change_set for change_set in self.announced if change_set.user_id not in user_ids
        ]
        for user_id in user_ids:
            self.checkpoints.pop(user_id, None)


class ProgressWriteBehind:
    """Buffers progress marks. `failed` is called with the users whose marks could not be written."""

    def __init__(
        self,
        change_sets: ChangeSetStore,
        derived: DerivedRecords,
        *,
        failed: Callable[[Iterable[str]], None],
        metrics: ConsolidatorMetrics,
    ) -> None:
        self._change_sets = change_sets
        self._derived = derived
        self._failed = failed
        self._metrics = metrics
        self._notes = ProgressMarks()
        self._later: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()

    def add(self, notes: ProgressMarks) -> None:
        """Queue these marks; their checkpoints are written after everything queued so far."""
        self._notes.add(notes)
        self._see_to_it()

    async def over(self) -> None:
        """Return when everything queued is written, or left to be resumed. Errors are not raised."""
        async with self._one_at_a_time:
            notes, self._notes = self._notes, ProgressMarks()
            if not notes:
                return
            try:
                await self.write(notes)
            except asyncio.CancelledError:
                # The waiter was cancelled; the marks must still be written.
                later, self._notes = self._notes, notes
                self._notes.add(later)
                self._see_to_it()
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, whoever resumes goes on
                user_ids = {change_set.user_id for change_set in notes.announced}
                self._failed(user_ids)
                self._notes.forget(user_ids)
                _log.warning("not noted, which the reconciler will do", **describe_failure(error))

    async def write(self, notes: ProgressMarks) -> None:
        """Write these marks now. Errors of the store are raised."""
        with self._metrics.timed("note"):
            # Before the marks: a marked change set is never read again.
            await self._derived.note(notes.announced)
        with self._metrics.timed("mark"):
            announced = [change_set.id for change_set in notes.announced]
            await self._change_sets.mark(announced, ChangeSetProgress.ANNOUNCED)
            await self._change_sets.mark(notes.applied, ChangeSetProgress.APPLIED)
        await self._change_sets.checkpoint(notes.checkpoints)

    def _see_to_it(self) -> None:
        if self._notes and (self._later is None or self._later.done()):
            self._later = asyncio.create_task(self._write_later())

    async def _write_later(self) -> None:
        while self._notes:
            await asyncio.sleep(WRITE_DELAY_SECONDS)
            await self.over()
