"""Windows of sessions. Each begins where the one before it ended, so they do not overlap.

A window's id derives from its first turn. If two owners begin a window at the same turn, one of them
is refused and takes the stored window.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from palimpsest.model.window import Window
from palimpsest_server.stores.outbox import Outbox


@dataclass(frozen=True)
class NewWindow:
    window: Window
    sendable: bool
    """False if the window has nothing for the extractor; it is stored and never published."""


class WindowStore(Outbox[Window], Protocol):
    async def add(self, windows: Sequence[NewWindow], *, now: datetime) -> int:
        """Store windows in order, up to the first whose beginning is taken; return how many were stored."""
        ...
