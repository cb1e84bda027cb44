"""Waiters for the change that one event causes."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.change_set import ChangeSet

ChangeFuture = asyncio.Future[ChangeSet]


class ChangeWaiters:
    """Hands announced change sets to their waiters, by user and causing event."""

    def __init__(self) -> None:
        self._expected: defaultdict[tuple[str, str], set[ChangeFuture]] = defaultdict(set)

    async def on_change(self, event: ChangeSetAnnounced) -> None:
        """Hand an announced change set to its waiters. Subscribe this method to `changes`."""
        change_set = event.change_set
        cause = (change_set.user_id, change_set.cause.event_id)
        for announced in self._expected.get(cause, ()):
            if not announced.done():
                announced.set_result(change_set)

    @contextmanager
    def expect(self, user_id: str, event_id: str) -> Iterator[ChangeFuture]:
        """Expect the change of an event.

        Enter the context before publishing the event, so that nothing is missed. Waiters are kept
        by user and event id: another user may have an event with the same id.
        """
        cause = (user_id, event_id)
        announced: ChangeFuture = asyncio.get_running_loop().create_future()
        self._expected[cause].add(announced)
        try:
            yield announced
        finally:
            announced.cancel()
            self._expected[cause].discard(announced)
            if not self._expected[cause]:
                del self._expected[cause]
