"""Find memories that rest on messages which are erased, and that stay: they may say the same."""

from collections.abc import Collection

from palimpsest.model.memory import Memory
from palimpsest_server.domain.consolidation.withheld_evidence import source_turn_ids
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry

_PAGE = 256


class DependentMemoryFinder:
    """Searches all scopes of a user, and changes nothing."""

    def __init__(self, memories: MemoryStore, namespaces: NamespaceRegistry) -> None:
        self._memories = memories
        self._namespaces = namespaces

    async def on(
        self, user_id: str, turn_ids: Collection[str], *, besides: Collection[str], epoch: int = 0
    ) -> tuple[Memory, ...]:
        """Return the memories that rest on one of these turns, the oldest first.

        Args:
            user_id: the user.
            turn_ids: the ids of the turns that are erased.
            besides: the ids of memories that are erased as well, and left out.
            epoch: the lowest epoch; memories of an older epoch are erased already.
        """
        if not turn_ids:
            return ()
        memories: list[Memory] = []
        for namespace in await self._namespaces.of_user(user_id):
            async for page in self._memories.pages(namespace, size=_PAGE):
                # A purged memory has no evidence left.
                memories += [
                    memory
                    for memory in page
                    if memory.id not in besides
                    and memory.epoch >= epoch
                    and not set(source_turn_ids(memory)).isdisjoint(turn_ids)
                ]
        return tuple(sorted(memories, key=lambda memory: (memory.recorded_at, memory.id)))
