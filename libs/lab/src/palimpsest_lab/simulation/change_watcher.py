"""Watch announced changes while a year is played: what was handled, and what is remembered."""

import asyncio
from collections import Counter
from collections.abc import Iterable

from palimpsest.model.change_set import ChangeSet
from palimpsest.model.errors import TransientError
from palimpsest.model.memory import Memory, Status

PATIENCE_SECONDS = 60.0
"""A day takes a second: what has not been handled by then never will be."""

EXTRACTION_CAUSE = "CandidatesProposed"
MAINTENANCE_CAUSE = "RunMaintenance"


class ExpectedChanges:
    """The changes that a day still waits for. No I/O."""

    def __init__(self) -> None:
        self._requests: set[str] = set()
        self._conversations: Counter[str] = Counter()
        self._maintenance: set[str] = set()
        self._looked_after: set[str] = set()
        """Whose turn has come once: from then on it comes every day."""

    def expect(self, *, requests: Iterable[str] = (), conversations: Iterable[str] = ()) -> None:
        self._requests.update(requests)
        self._conversations.update(conversations)

    def expect_maintenance(self) -> None:
        self._maintenance = set(self._looked_after)

    def take(self, change_set: ChangeSet) -> None:
        cause, user_id = change_set.cause, change_set.user_id
        if cause.type == MAINTENANCE_CAUSE:
            self._looked_after.add(user_id)
            self._maintenance.discard(user_id)
        elif cause.type == EXTRACTION_CAUSE:
            self._conversations -= Counter([user_id])
        else:
            self._requests.discard(cause.event_id)

    @property
    def is_over(self) -> bool:
        return not (self._requests or self._conversations or self._maintenance)

    def words(self) -> str:
        """Describe what is missing."""
        return (
            f"{len(self._requests)} requests, {self._conversations.total()} conversations and "
            f"{len(self._maintenance)} runs of maintenance were not handled"
        )


class MemoryMirror:
    """A mirror of all memories as last announced, by user and id. No I/O."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit
        self._memories: dict[str, dict[str, Memory]] = {}
        self.overruns = 0
        """How often a user had more active memories than the limit when a change was done."""
        self.most = 0

    def take(self, change_set: ChangeSet) -> None:
        known = self._memories.setdefault(change_set.user_id, {})
        for change in change_set.memory_changes:
            before = known.get(change.after.id)
            # A change may be announced once more, after what came of it since.
            if before is None or before.version <= change.after.version:
                known[change.after.id] = change.after
        if change_set.memory_changes and self._limit is not None:
            count = len(self.active(change_set.user_id))
            self.most = max(self.most, count)
            self.overruns += count > self._limit

    def active(self, user_id: str) -> list[Memory]:
        memories = self._memories.get(user_id, {}).values()
        return [memory for memory in memories if memory.status is Status.ACTIVE]


class ChangeWatcher:
    """Hears of every change, and lets somebody wait for those that are expected."""

    def __init__(self, mirror: MemoryMirror) -> None:
        self.expected = ExpectedChanges()
        self.mirror = mirror
        self._heard = asyncio.Event()

    def hear(self, change_set: ChangeSet) -> None:
        self.expected.take(change_set)
        self.mirror.take(change_set)
        if self.expected.is_over:
            self._heard.set()

    async def until_over(self) -> None:
        """Return when nothing is expected any more.

        Raises:
            TransientError: something has not come within a minute.
        """
        self._heard.clear()
        if self.expected.is_over:
            return
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._heard.wait()
        except TimeoutError:
            words = f"{self.expected.words()} within {PATIENCE_SECONDS:.0f} s"
            raise TransientError(words) from None
