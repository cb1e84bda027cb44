"""What a process publishes to itself, told at once to whoever reads it there."""

import asyncio


class Arrivals:
    """For a broker that wakes no waiting fetch. Of what others publish nothing is known here."""

    def __init__(self) -> None:
        self._readers: dict[str, list[asyncio.Event]] = {}

    def at(self, physical_topic: str) -> asyncio.Event:
        """Set whenever something was published there; the reader clears it before it looks."""
        arrived = asyncio.Event()
        self._readers.setdefault(physical_topic, []).append(arrived)
        return arrived

    def published(self, physical_topic: str) -> None:
        for arrived in self._readers.get(physical_topic, ()):
            arrived.set()
