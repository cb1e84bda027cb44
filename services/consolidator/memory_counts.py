"""Counts memories by kind and status, and users who have any.

The counts are taken while the reconciler goes through all memories. They are of the last full
round, and of users who have ever had a memory.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest_server.stores.user_settings import UserSettingsStore
from services.consolidator.metrics import ConsolidatorMetrics

USERS_PER_READ = 1_000


class MemoryCensus:
    def __init__(self, settings: UserSettingsStore, metrics: ConsolidatorMetrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self._counted: Counter[tuple[Kind, Status]] = Counter()
        self._importance = 0.0
        """Sum of the importance of active memories."""

    def count(self, memories: Sequence[Memory]) -> None:
        """Add memories to the count of this round."""
        self._counted.update((memory.kind, memory.status) for memory in memories)
        self._importance += sum(
            memory.importance for memory in memories if memory.status is Status.ACTIVE
        )

    async def close(self, users: Collection[str]) -> None:
        """Publish the counts of the finished round; `users` are all users in it."""
        for kind, status in self._seen_ever() | self._counted.keys():
            self._metrics.memories.labels(kind.value, status.value).set(self._counted[kind, status])
        active = sum(
            count for (_, status), count in self._counted.items() if status is Status.ACTIVE
        )
        self._metrics.average_importance.set(self._importance / active if active else 0.0)
        self._counted.clear()
        self._importance = 0.0
        wanting = await self._wanting(sorted(users))
        self._metrics.users.labels("on").set(wanting)
        self._metrics.users.labels("off").set(len(users) - wanting)

    def _seen_ever(self) -> set[tuple[Kind, Status]]:
        """Return pairs of kind and status that were counted before, and whose count may be 0 by now."""
        labels = (
            sample.labels
            for metric in self._metrics.memories.collect()
            for sample in metric.samples
        )
        return {(Kind(label["kind"]), Status(label["status"])) for label in labels}

    async def _wanting(self, users: Sequence[str]) -> int:
        wanting = 0
        for start in range(0, len(users), USERS_PER_READ):
            settings = await self._settings.of(users[start : start + USERS_PER_READ])
            wanting += sum(setting.memory_enabled for setting in settings.values())
        return wanting
