"""Waiting for the change that one event caused."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from palimpsest.contracts.events import ChangeSetAnnounced
from palimpsest.domain.change_set import ChangeSet

Announced = asyncio.Future[ChangeSet]


class Announcements:
    """Hands announced change sets to whoever expects them, by the event that caused them."""

    def __init__(self) -> None:
        self._expected: defaultdict[str, set[Announced]] = defaultdict(set)

    async def on_change(self, event: ChangeSetAnnounced) -> None:
        """Listen with this to `changes`."""
        change_set = event.change_set
        for announced in self._expected.get(change_set.cause.event_id, ()):
            if not announced.done():
                announced.set_result(change_set)

    @contextmanager
    def expect(self, event_id: str) -> Iterator[Announced]:
        """To be entered before the event is published, so that nothing is missed."""
        announced: Announced = asyncio.get_running_loop().create_future()
        self._expected[event_id].add(announced)
        try:
            yield announced
        finally:
            announced.cancel()
            self._expected[event_id].discard(announced)
            if not self._expected[event_id]:
                del self._expected[event_id]
