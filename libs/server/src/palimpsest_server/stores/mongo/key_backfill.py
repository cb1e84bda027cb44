"""Give memories that were stored under older key rules the lookup keys of today, before any are missed.

Without them a plan that somebody calls off would not end, and two equal tastes would not be
recognised. A memory stores the version of its key rules. Most namespaces have no memories of older
rules, and are checked rarely.
"""

from time import monotonic
from typing import Any, NamedTuple

from pymongo import UpdateOne

from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Namespace
from palimpsest_server.domain.consolidation.memory_keys import KEY_RULES_VERSION, stored_keys
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.mongo.database import Document, from_document

MAX_CHECKED_NAMESPACES = 50_000
"""Namespaces remembered as complete: some 15 MB."""

RECHECK_AFTER_SECONDS = 600.0
"""Seconds before a complete namespace is checked again; twice as long each time nothing is found.
During a rolling update a user may go to an older process, which writes older keys, and back."""

MEMORIES_PER_BATCH = 256


class _Seen(NamedTuple):
    at: float
    sure_for: float


class KeyBackfill:
    """Remembers the namespaces in which all memories have their lookup keys, and completes the others."""

    def __init__(self, *, recheck_after_seconds: float = RECHECK_AFTER_SECONDS) -> None:
        self._recheck_after_seconds = recheck_after_seconds
        self._complete: dict[Namespace, _Seen] = {}
        """When each namespace was complete, and for how long that is trusted; the last checked comes last."""

    async def complete(self, collection: Any, namespace: Namespace) -> None:
        """Give memories of this namespace their missing keys."""
        seen = self._complete.get(namespace)
        if seen is not None and monotonic() < seen.at + seen.sure_for:
            return
        found = await self._give(collection, namespace)
        self._complete.pop(namespace, None)
        sure_for = self._recheck_after_seconds if found or seen is None else 2 * seen.sure_for
        self._complete[namespace] = _Seen(monotonic(), sure_for)
        while len(self._complete) > MAX_CHECKED_NAMESPACES:
            del self._complete[next(iter(self._complete))]

    async def _give(self, collection: Any, namespace: Namespace) -> bool:
        left = collection.find(
            {
                "scope.user_id": namespace.user_id,
                "scope.agent_id": namespace.agent_id,
                "key_rules": {"$ne": KEY_RULES_VERSION},
            }
        )
        found = False
        while documents := await left.to_list(MEMORIES_PER_BATCH):
            memories = [
                from_document(Memory, document)
                async for document in iterate_cooperatively(documents)
            ]
            writes = [_keyed(memory) async for memory in iterate_cooperatively(memories)]
            await collection.bulk_write(writes, ordered=False)
            found = True
        return found


def _keyed(memory: Memory) -> UpdateOne:
    """Return the update that adds keys.

    A memory written meanwhile has them already; a purged memory gets none.
    """
    update: Document = {"$set": {"key_rules": KEY_RULES_VERSION}}
    if memory.status is not Status.PURGED and (keys := stored_keys(memory)):
        update["$addToSet"] = {"value_keys": {"$each": keys}}
    return UpdateOne({"_id": memory.id, "version": memory.version}, update)
