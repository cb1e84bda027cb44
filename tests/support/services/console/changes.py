"""Changes of memories as the consolidator decides and announces them, for whoever tells others."""

from collections.abc import Awaitable, Callable

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.change_set import ChangeSet, ChangeSetProgress
from palimpsest.model.scope import Scope
from palimpsest_server.stores.change_sets import ChangeSetStore
from tests.support.clock import SettableClock
from tests.support.server.stores.memories import added, memory
from tests.support.stores.change_sets import InMemoryChangeSets
from tests.support.stores.decided_change_sets import decided

Listener = Callable[[ChangeSetAnnounced], Awaitable[None]]


class DecidedChanges:
    def __init__(self) -> None:
        self.store: ChangeSetStore = InMemoryChangeSets()
        self.clock = SettableClock()
        self.listeners: list[Listener] = []

    async def decide(self, revision: int, *words: str, user_id: str = "alice") -> ChangeSet:
        """A change set that adds memories of these words, and is neither marked nor announced."""
        scope = Scope(user_id=user_id)
        changes = added(*(memory(f"{each} of {user_id}", scope=scope) for each in words))
        one = decided(user_id, revision, changes=changes, decided_at=self.clock())
        await self.store.append([one])
        return one.change_set

    async def tell(self, *change_sets: ChangeSet) -> None:
        for one in change_sets:
            event = ChangeSetAnnounced(
                event_id=one.id, occurred_at=one.decided_at, user_id=one.user_id, change_set=one
            )
            for listener in self.listeners:
                await listener(event)

    async def finish(self, *change_sets: ChangeSet) -> None:
        await self.store.mark([one.id for one in change_sets], ChangeSetProgress.ANNOUNCED)

    async def announce(self, revision: int, *words: str, user_id: str = "alice") -> ChangeSet:
        """The same, announced and marked."""
        change_set = await self.decide(revision, *words, user_id=user_id)
        await self.tell(change_set)
        await self.finish(change_set)
        return change_set
