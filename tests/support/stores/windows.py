"""The in-memory twin of the windows."""

from collections.abc import Sequence
from datetime import datetime

from palimpsest.model.window import Window
from palimpsest_server.stores.outbox import InMemoryOutbox, OutboxEntry, OutboxState
from palimpsest_server.stores.windows import NewWindow


class InMemoryWindows(InMemoryOutbox[Window]):
    async def add(self, windows: Sequence[NewWindow], *, now: datetime) -> int:
        for count, new in enumerate(windows):
            if new.window.id in self._kept:
                return count
            self._kept[new.window.id] = (
                OutboxEntry(new.window, OutboxState.STORED, now)
                if new.sendable
                else OutboxEntry(new.window, OutboxState.DROPPED, None)
            )
        return len(windows)
