"""What a process publishes to itself, told at once to whoever reads it there."""

import asyncio


class Arriving:
    """For one reader of one topic: how many records it was told of and has not taken."""

    def __init__(self) -> None:
        self._told = asyncio.Event()
        self._due = 0

    @property
    def is_due(self) -> bool:
        return self._due > 0

    def tell(self, records: int) -> None:
        self._due += records
        self._told.set()

    def took(self, records: int) -> None:
        """Some of them may be another's, which nobody told of: there is never less than none."""
        self._expect(max(0, self._due - records))

    def nothing_there(self) -> None:
        """What was told of went to another reader of the topic."""
        self._expect(0)

    async def wait(self, seconds: float) -> None:
        """Return when something is due, or after this long."""
        try:
            async with asyncio.timeout(seconds):
                await self._told.wait()
        except TimeoutError:
            return

    def _expect(self, due: int) -> None:
        self._due = due
        if not due:
            self._told.clear()


class Arrivals:
    """For a broker that wakes no waiting fetch. Of what others publish nothing is known here."""

    def __init__(self) -> None:
        self._readers: dict[str, list[Arriving]] = {}

    def at(self, physical_topic: str) -> Arriving:
        arriving = Arriving()
        self._readers.setdefault(physical_topic, []).append(arriving)
        return arriving

    def published(self, physical_topic: str, records: int) -> None:
        for arriving in self._readers.get(physical_topic, ()):
            arriving.tell(records)
