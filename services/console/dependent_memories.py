"""Memories that rest on messages which go, and that stay: they may say the same."""

from collections.abc import Collection

from palimpsest.model.memory import Memory
from palimpsest_server.domain.consolidation.withheld_evidence import source_turn_ids
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry

_PAGE = 256


class DependentMemoryFinder:
    """Looks in all scopes of a user, and changes nothing."""

    def __init__(self, memories: MemoryStore, namespaces: NamespaceRegistry) -> None:
        self._memories = memories
        self._namespaces = namespaces

    async def on(
        self, user_id: str, turn_ids: Collection[str], *, besides: Collection[str], epoch: int = 0
    ) -> tuple[Memory, ...]:
        """The memories that rest on one of these turns, the oldest first.

        Args:
            user_id: whose.
            turn_ids: of the messages that go.
            besides: the ids of the memories that go themselves.
            epoch: theirs or a later one; what is older is erased.
        """
        if not turn_ids:
            return ()
        found: list[Memory] = []
        for namespace in await self._namespaces.of_user(user_id):
            async for page in self._memories.pages(namespace, size=_PAGE):
                # Of a purged one nothing is left that could rest on anything.
                found += [
                    one
                    for one in page
                    if one.id not in besides
                    and one.epoch >= epoch
                    and not set(source_turn_ids(one)).isdisjoint(turn_ids)
                ]
        return tuple(sorted(found, key=lambda one: (one.recorded_at, one.id)))
