"""Purge memories: a tombstone tells that there was a memory, and nothing of its content."""

from collections.abc import Collection, Sequence

from palimpsest.model.change_set import (
    Change,
    ChangeSet,
    EntityChange,
    MemoryChange,
    ProfileChange,
    SummaryChange,
    TodoChange,
)
from palimpsest.model.entity import Entity
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest_server.domain.consolidation.manual_edits import (
    MemoryCommandOutcome,
    require_memory,
)
from palimpsest_server.domain.consolidation.overlay import Overlay

PURGED_REASON = "purged by its user"
ERASED_REASON = "erased"
"""Reason of a change set whose content was erased."""


def purge_memories(
    known: Overlay, memory_ids: Sequence[str], *, reason: str = PURGED_REASON
) -> MemoryCommandOutcome:
    """Replace all of these memories by tombstones; existing tombstones stay.

    Raises:
        MemoryChangeRefused: one of them never existed.
    """
    standing = [require_memory(known, memory_id) for memory_id in memory_ids]
    purged = [memory for memory in standing if memory.status is not Status.PURGED]
    for memory in purged:
        known.put(build_tombstone(memory, reason=reason))
    return MemoryCommandOutcome.PURGED if purged else MemoryCommandOutcome.UNCHANGED


def build_tombstone(memory: Memory, *, reason: str = PURGED_REASON) -> Memory:
    """Return the memory with its place, times and version, without content, evidence or subject."""
    return strip_memory_content(memory).model_copy(
        update={"status": Status.PURGED, "status_reason": reason}
    )


def strip_memory_content(memory: Memory) -> Memory:
    return Memory(
        id=memory.id,
        scope=memory.scope,
        kind=Kind.FACT,
        content="",
        summary="",
        importance=0.0,
        confidence=0.0,
        source=memory.source,
        occurred_at=memory.recorded_at,
        recorded_at=memory.recorded_at,
        valid_from=memory.recorded_at,
        status=memory.status,
        lifetime=memory.lifetime,
        evidence=(),
        epoch=memory.epoch,
        version=memory.version,
    )


def strip_change_content(change: MemoryChange) -> MemoryChange:
    """Return the change with the same versions, without contents before and after."""
    before = None if change.before is None else strip_memory_content(change.before)
    return change.model_copy(update={"before": before, "after": strip_memory_content(change.after)})


def strip_erased_changes(changes: Sequence[Change], ids: Collection[str]) -> tuple[Change, ...]:
    """Return the changes without the contents of these memories, their todos, and these summaries."""
    kept: list[Change] = []
    for change in changes:
        if isinstance(change, MemoryChange) and change.after.id in ids:
            kept.append(strip_change_content(change))
        elif isinstance(change, EntityChange):
            kept.append(_unnamed(change, ids))
        elif not isinstance(change, TodoChange | SummaryChange) or change.after.id not in ids:
            kept.append(change)
    return tuple(kept)


def _unnamed(change: EntityChange, memory_ids: Collection[str]) -> EntityChange:
    """Return the entity change without the spellings from these memories."""

    def without(entity: Entity) -> Entity:
        mentions = tuple(
            mention for mention in entity.mentions if mention.memory_id not in memory_ids
        )
        return entity.model_copy(update={"mentions": mentions})

    before = None if change.before is None else without(change.before)
    return change.model_copy(update={"before": before, "after": without(change.after)})


def strip_erased_history(change_set: ChangeSet, ids: Collection[str]) -> ChangeSet:
    """Return the change set without erased contents. Its reason goes too, as it may quote a user.

    The parts of a profile cannot be told apart, so none of a profile is kept.
    """
    changes = tuple(
        change
        for change in strip_erased_changes(change_set.changes, ids)
        if not isinstance(change, ProfileChange)
    )
    return change_set.model_copy(update={"changes": changes, "reason": ERASED_REASON})
