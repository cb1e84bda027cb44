"""The most recalled memories of a user, as cached beside recall. Pure.

They are the 20 with the most accesses, which questions find again and again. A copy is shown only if the
projection says that it is the latest version.
"""

from collections.abc import Iterable, Mapping, Sequence

from palimpsest.model.change_set import ChangeSet
from palimpsest.model.memory import Memory, Status

MAXIMUM_HOT_MEMORIES = 20
INSPECTED_HOT_CANDIDATES = 40
"""Counters inspected, because a counter only has an id: some are of other scopes, or no longer hold."""

HotMemories = Mapping[str, Memory]
"""Memories by id."""


def select_hot_memories(
    memories: Iterable[Memory], ids: Sequence[str], *, epoch: int
) -> dict[str, Memory]:
    """Return the first active memories in the order of the ids, none of an older epoch."""
    standing = {
        memory.id: memory
        for memory in memories
        if memory.status is Status.ACTIVE and memory.epoch >= epoch
    }
    return {
        one: standing[one]
        for one in [each for each in ids if each in standing][:MAXIMUM_HOT_MEMORIES]
    }


def select_current_memories(
    hot: HotMemories, versions: Mapping[str, int | None]
) -> dict[str, Memory]:
    """Return the memories whose version is the projected one."""
    return {
        identity: memory
        for identity, version in versions.items()
        if (memory := hot.get(identity)) is not None and memory.version == version
    }


def apply_to_hot_memories(hot: HotMemories, change_set: ChangeSet) -> HotMemories | None:
    """Return the hot memories after a change, without ended ones; None if all have to be read again."""
    if change_set.erasures:
        return None
    after = {
        change.after.id: change.after
        for change in change_set.memory_changes
        if change.after.id in hot and change.after.version > hot[change.after.id].version
    }
    if not after:
        return hot
    return {
        identity: memory
        for identity, memory in {**hot, **after}.items()
        if memory.status is Status.ACTIVE
    }
