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
        changes = added(*(memory(f"{word} of {user_id}", scope=scope) for word in words))
        decided_change_set = decided(user_id, revision, changes=changes, decided_at=self.clock())
        await self.store.append([decided_change_set])
        return decided_change_set.change_set

    async def tell(self, *change_sets: ChangeSet) -> None:
        for change_set in change_sets:
            event = ChangeSetAnnounced(
                event_id=change_set.id,
                occurred_at=change_set.decided_at,
                user_id=change_set.user_id,
                change_set=change_set,
            )
            for listener in self.listeners:
                await listener(event)

    async def finish(self, *change_sets: ChangeSet) -> None:
        await self.store.mark(
            [change_set.id for change_set in change_sets], ChangeSetProgress.ANNOUNCED
        )

    async def announce(self, revision: int, *words: str, user_id: str = "alice") -> ChangeSet:
        """The same, announced and marked."""
        change_set = await self.decide(revision, *words, user_id=user_id)
        await self.tell(change_set)
        await self.finish(change_set)
        return change_set
