"""Windows of sessions. Each begins where the one before it ended, so none overlap.

A window's id comes from its first turn: of two owners that would begin one
at the same turn, one is refused and takes the window that stands.
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
    """False: there is nothing in it for the extractor; it is kept and never published."""


class WindowStore(Outbox[Window], Protocol):
    async def add(self, windows: Sequence[NewWindow], *, now: datetime) -> int:
        """Keep these in order, up to the first whose beginning is taken; how many were kept."""
        ...
