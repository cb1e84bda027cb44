"""Sorted lists stay whole though memories go between their figures and their words."""

from collections.abc import Sequence

from palimpsest.api.resources import MemoryQuery, MemorySort
from palimpsest_server.stores.listed_scopes import ListedScopes
from palimpsest_server.stores.memories import Memories
from services.console.memory_search import search_memories
from tests.support.server.domain.consolidation.samples import ALICE
from tests.support.server.stores.memories import added, contents, memory
from tests.support.stores.memories import InMemoryMemories


class ErasingMemories(InMemoryMemories):
    """Memories of which one is erased once its figures were read."""

    def __init__(self, gone: str) -> None:
        super().__init__()
        self.gone = gone

    async def by_ids(self, scopes: ListedScopes, ids: Sequence[str]) -> Memories:
        return [each for each in await super().by_ids(scopes, ids) if each.id != self.gone]


async def test_a_memory_that_went_meanwhile_makes_room_for_the_next() -> None:
    memories = [memory(f"No. {number}", id=str(number), on=number + 1) for number in range(6)]
    store = ErasingMemories(gone=memories[1].id)
    await store.apply(added(*memories))
    query = MemoryQuery(user_id="alice", sort=MemorySort.OLDEST, limit=2)
    found = await search_memories(store, [ALICE], query)
    assert contents(found) == ["No. 0", "No. 2", "No. 3"]
