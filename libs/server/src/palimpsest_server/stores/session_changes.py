"""The changes that one conversation made, as needed to undo them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.model.change_set import ChangeSet
from palimpsest.model.memory import Memory
from palimpsest.model.scope import Namespace
from palimpsest_server.domain.consolidation.session_undo import find_memories_in_the_way
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.memories import MemoryStore

MAXIMUM_SESSION_CHANGES = 1000


@dataclass(frozen=True, kw_only=True)
class SessionChanges:
    change_sets: Sequence[ChangeSet] = ()
    """Change sets that the conversation caused, latest first, at most 1,000."""
    memories: Sequence[Memory] = ()
    """Memories that they changed, as stored now."""
    later: Sequence[ChangeSet] = ()
    """Histories of those memories that were changed again since."""


async def read_session_changes(
    change_sets: ChangeSetReader, memories: MemoryStore, user_id: str, session_id: str
) -> SessionChanges:
    caused = await change_sets.of_session(user_id, session_id, limit=MAXIMUM_SESSION_CHANGES)
    ids: dict[Namespace, set[str]] = {}
    for change in (change for change_set in caused for change in change_set.memory_changes):
        ids.setdefault(change.after.scope.namespace, set()).add(change.after.id)
    present = {memory.id: memory for memory in await memories.of_namespaces(ids)} if ids else {}
    changed_again = sorted(find_memories_in_the_way(caused, present))
    histories = await asyncio.gather(
        *(change_sets.history(user_id, memory_id) for memory_id in changed_again)
    )
    later = {change_set.id: change_set for history in histories for change_set in history}
    return SessionChanges(
        change_sets=caused, memories=list(present.values()), later=list(later.values())
    )
