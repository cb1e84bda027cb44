"""What rests on messages that go, and stays: it may say the same."""

from collections.abc import Collection

from palimpsest.domain.evolution.withholding import said_in
from palimpsest.domain.memory import Memory
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.namespaces import NamespaceRegistry

_PAGE = 256


class Resting:
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
                    and not set(said_in(one)).isdisjoint(turn_ids)
                ]
        return tuple(sorted(found, key=lambda one: (one.recorded_at, one.id)))
