"""Several memories made one by hand. `compression.merging` does the like by itself."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from palimpsest.model.memory import Memory, Status
from palimpsest.model.memory_edits import MemoryEdits
from palimpsest_server.domain.consolidation import evidence
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

MERGED_REASON = "merged into another memory"


def merge_memories(
    known: Overlay,
    memory_ids: Sequence[str],
    *,
    content: str | None,
    summary: str | None,
    at: datetime,
) -> MemoryCommandOutcome:
    """The first with all that the others rest on; the others archived, and pointing to it."""
    first, *others = [require_memory(known, each) for each in dict.fromkeys(memory_ids)]
    if not others:
        raise refuse_change("invalid", "one memory alone cannot be merged")
    if any(one.scope != first.scope for one in others):
        raise refuse_change("not_allowed", "memories of different scopes cannot become one")
    for one in (first, *others):
        if one.status is not Status.ACTIVE:
            raise refuse_status(one, "merged")
    known.put(_merged(first, others, content=content, summary=summary, at=at))
    for one in others:
        known.put(change_status(one, Status.ARCHIVED, reason=MERGED_REASON))
    return MemoryCommandOutcome.MERGED


def _merged(
    first: Memory,
    others: Sequence[Memory],
    *,
    content: str | None,
    summary: str | None,
    at: datetime,
) -> Memory:
    every = (first, *others)
    pieces = [one for memory in every for one in evidence.stamp_evidence(memory)]
    changes: dict[str, Any] = {
        "tags": _together(memory.tags for memory in every),
        "entities": _together(memory.entities for memory in every),
        "importance": max(memory.importance for memory in every),
        "pinned": any(memory.pinned for memory in every),
        "valid_from": min(memory.valid_from for memory in every),
        "occurred_at": min(memory.occurred_at for memory in every),
        "recorded_at": min(memory.recorded_at for memory in every),
    }
    if content is not None:
        fits = fields_after_rewording(first.model_copy(update=changes), content)
        changes |= fits | MemoryEdits(content=content, summary=summary).changes()
        pieces.append(build_manual_evidence(first.model_copy(update=changes), at))
    together = evidence.merge_evidence(pieces)
    return first.model_copy(
        update={
            **changes,
            "evidence": together,
            "confidence": evidence.average_confidence(together),
        }
    )


def _together(lists: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for each in lists for one in each))
