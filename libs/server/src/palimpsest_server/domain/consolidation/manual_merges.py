"""Merge memories by hand. `compression.merge_memories` merges automatically."""

from collections.abc import Sequence
from datetime import datetime

from palimpsest.model.memory import Memory, Status
from palimpsest.model.memory_edits import MemoryEdits
from palimpsest_server.domain.consolidation.evidence import average_confidence, merge_evidence
from palimpsest_server.domain.consolidation.manual_edits import (
    MemoryCommandOutcome,
    build_manual_evidence,
    refuse_change,
    refuse_status,
    require_memory,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.reworded_fields import fields_after_rewording
from palimpsest_server.domain.consolidation.status_transitions import change_status
from palimpsest_server.domain.consolidation.unite_memories import unite_fields

MERGED_REASON = "merged into another memory"


def merge_memories(
    known: Overlay,
    memory_ids: Sequence[str],
    *,
    content: str | None,
    summary: str | None,
    at: datetime,
) -> MemoryCommandOutcome:
    """Give the first memory the evidence of the others, and archive the others.

    Raises:
        MemoryChangeRefused: a memory is missing, is not active, or has another scope.
    """
    first, *others = [require_memory(known, memory_id) for memory_id in dict.fromkeys(memory_ids)]
    if not others:
        raise refuse_change("invalid", "one memory alone cannot be merged")
    if any(other.scope != first.scope for other in others):
        raise refuse_change("not_allowed", "memories of different scopes cannot become one")
    for memory in (first, *others):
        if memory.status is not Status.ACTIVE:
            raise refuse_status(memory, "merged")
    known.put(_merged(first, others, content=content, summary=summary, at=at))
    for other in others:
        known.put(change_status(other, Status.ARCHIVED, reason=MERGED_REASON))
    return MemoryCommandOutcome.MERGED


def _merged(
    first: Memory,
    others: Sequence[Memory],
    *,
    content: str | None,
    summary: str | None,
    at: datetime,
) -> Memory:
    changes = unite_fields([first, *others])
    if content is not None:
        united = first.model_copy(update=changes)
        changes |= fields_after_rewording(united, content)
        changes |= MemoryEdits(content=content, summary=summary).changes()
        written = build_manual_evidence(first.model_copy(update=changes), at)
        changes["evidence"] = merge_evidence([*changes["evidence"], written])
    # The memories say different things, so together they are no more certain than each alone.
    changes["confidence"] = average_confidence(changes["evidence"])
    return first.model_copy(update=changes)
