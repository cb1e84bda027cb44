"""Confirm or restore a memory by hand, and put it back in its timeline."""

from datetime import datetime

from palimpsest.model.memory import Memory, Status
from palimpsest_server.domain.consolidation import supersession
from palimpsest_server.domain.consolidation.duplicates import has_timeline, reinforce_memory
from palimpsest_server.domain.consolidation.manual_edits import (
    MemoryCommandOutcome,
    put_if_changed,
    refuse_status,
    require_memory,
)
from palimpsest_server.domain.consolidation.manual_merges import MERGED_REASON
from palimpsest_server.domain.consolidation.memory_keys import content_key, family_keys
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import change_status
from palimpsest_server.domain.consolidation.timeline import REPLACED_REASON


def confirm_memory(known: Overlay, memory_id: str) -> MemoryCommandOutcome:
    """Confirm a memory: it becomes active, in its timeline if its attribute has one value.

    If another memory says the same by now, the memory becomes part of that one.
    `known` must hold the stored memories under its keys.
    """
    memory = require_memory(known, memory_id)
    if memory.status is Status.ACTIVE:
        return MemoryCommandOutcome.UNCHANGED
    if memory.status is not Status.PENDING:
        raise refuse_status(memory, "confirmed")
    active = memory.model_copy(update={"status": Status.ACTIVE, "status_reason": None})
    if has_timeline(active):
        placed = _put_in_line(known, active)
    else:
        placed = [_with_the_same_words(known, active)]
        known.put(placed[0])
    if memory_id not in {placed_memory.id for placed_memory in placed}:
        known.put(change_status(memory, Status.ARCHIVED, reason=MERGED_REASON))
    return MemoryCommandOutcome.CONFIRMED


def restore_memory(known: Overlay, memory_id: str, *, at: datetime) -> MemoryCommandOutcome:
    """Restore a memory: it becomes active, in its timeline if its attribute has one value.

    `known` must hold the stored memories under its attribute's key.
    """
    memory = require_memory(known, memory_id)
    if memory.status in (Status.ACTIVE, Status.SUPERSEDED):
        return MemoryCommandOutcome.UNCHANGED
    if memory.status not in (Status.FORGOTTEN, Status.ARCHIVED, Status.REJECTED):
        raise refuse_status(memory, "restored")
    stood = Status.ACTIVE if memory.superseded_by is None else Status.SUPERSEDED
    over = memory.expires_at is not None and memory.expires_at <= at
    back = memory.model_copy(
        update={
            "status": stood,
            "status_reason": None if stood is Status.ACTIVE else REPLACED_REASON,
            "expires_at": None if over else memory.expires_at,
        }
    )
    if not has_timeline(back) or stood is Status.SUPERSEDED:
        return put_if_changed(known, memory, back, MemoryCommandOutcome.RESTORED)
    _put_in_line(known, back)
    return MemoryCommandOutcome.RESTORED


def _put_in_line(known: Overlay, memory: Memory) -> list[Memory]:
    """Put the timeline with this memory in its place into `known`, and return it."""
    line = [
        known_memory
        for key in family_keys(memory)
        for known_memory in known.with_key(key)
        if supersession.is_in_timeline(known_memory)
    ]
    before = {known_memory.id: known_memory for known_memory in line}
    placed = supersession.insert_into_timeline(line, memory)
    for placed_memory in placed:
        if before.get(placed_memory.id) != placed_memory:
            known.put(placed_memory)
    return placed


def _with_the_same_words(known: Overlay, memory: Memory) -> Memory:
    """Return the memory with the same words, reinforced by this one; this one if there is none."""
    same = [
        known_memory
        for known_memory in known.with_key(content_key(memory))
        if known_memory.status is Status.ACTIVE
        and known_memory.id != memory.id
        and known_memory.valid_until == memory.valid_until
    ]
    if not same:
        return memory
    return reinforce_memory(
        min(same, key=lambda known_memory: (known_memory.recorded_at, known_memory.id)), memory
    )
