"""Overdue entries of an outbox, page by page."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeAlias, TypeVar

import structlog

from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError
from palimpsest_server.stores.outbox import Outbox, OutboxState
from services.ingest.metrics import IngestMetrics

ENTRIES_PER_PAGE = 32
"""Entries read and marked at a time: `DatabaseLimit.ONE_COMMAND_AT_A_TIME`."""

ItemT = TypeVar("ItemT")
HandleEntries: TypeAlias = Callable[[Sequence[ItemT]], Awaitable[None]]

_log = structlog.get_logger("palimpsest.ingest")


@dataclass(frozen=True)
class OverdueEntryHandling(Generic[ItemT]):
    """The handling of overdue entries of one kind in one state."""

    item_kind: str
    identify: Callable[[ItemT], str]
    handle: HandleEntries[ItemT]


class OverdueEntryScan:
    """A scan of the outboxes. Handling an entry ends its wait, or starts it anew."""

    def __init__(self, *, before: datetime, metrics: IngestMetrics, clock: Clock) -> None:
        self._before = before
        self._metrics = metrics
        self._clock = clock
        self._oldest: dict[str, datetime] = {}

    async def through(
        self, outbox: Outbox[ItemT], state: OutboxState, handling: OverdueEntryHandling[ItemT]
    ) -> None:
        due = await outbox.due(state, before=self._before)
        if due:
            self._oldest[handling.item_kind] = min(
                due[0].since, self._oldest.get(handling.item_kind, due[0].since)
            )
        for start in range(0, len(due), ENTRIES_PER_PAGE):
            page = [each.id for each in due[start : start + ENTRIES_PER_PAGE]]
            kept = await outbox.standing(page)
            # An entry that changed its state since it was listed is not overdue any more.
            items = [kept[each].item for each in page if each in kept and kept[each].state is state]
            if items:
                await self._handle(outbox, items, handling)
                self._metrics.reconciled(handling.item_kind, state, len(items))

    def measure(self, *kinds: str) -> None:
        for kind in kinds:
            self._metrics.oldest_pending(kind, self._oldest.get(kind), self._clock())

    async def _handle(
        self, outbox: Outbox[ItemT], items: Sequence[ItemT], handling: OverdueEntryHandling[ItemT]
    ) -> None:
        try:
            await handling.handle(items)
        except PermanentError:
            await self._one_by_one(outbox, items, handling)

    async def _one_by_one(
        self, outbox: Outbox[ItemT], items: Sequence[ItemT], handling: OverdueEntryHandling[ItemT]
    ) -> None:
        """Handle items one by one, so that an item that can never be published blocks no other."""
        for item in items:
            try:
                await handling.handle([item])
            except PermanentError as error:
                _log.error("cannot be published", what=handling.item_kind, reason=error.reason)
                dropped = OutboxState.DROPPED
                await outbox.mark([handling.identify(item)], dropped, now=self._clock())
