"""Several memories made one by hand. `compression.merging` does the like by itself."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from palimpsest.domain.evolution import evidence
from palimpsest.domain.evolution.editing import (
    Done,
    cannot,
    known_memory,
    not_allowed,
    written_by_hand,
)
from palimpsest.domain.evolution.moves import moved
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.evolution.rewording import fitting
from palimpsest.domain.memory import Memory, Status
from palimpsest.model.memory_edits import MemoryEdits

MERGED = "merged into another memory"


def merge(
    known: Overlay,
    memory_ids: Sequence[str],
    *,
    content: str | None,
    summary: str | None,
    at: datetime,
) -> Done:
    """The first with all that the others rest on; the others archived, and pointing to it."""
    first, *others = [known_memory(known, each) for each in dict.fromkeys(memory_ids)]
    if not others:
        raise cannot("invalid", "one memory alone cannot be merged")
    if any(one.scope != first.scope for one in others):
        raise cannot("not_allowed", "memories of different scopes cannot become one")
    for one in (first, *others):
        if one.status is not Status.ACTIVE:
            raise not_allowed(one, "merged")
    known.put(_merged(first, others, content=content, summary=summary, at=at))
    for one in others:
        known.put(moved(one, Status.ARCHIVED, reason=MERGED))
    return Done.MERGED


def _merged(
    first: Memory,
    others: Sequence[Memory],
    *,
    content: str | None,
    summary: str | None,
    at: datetime,
) -> Memory:
    every = (first, *others)
    pieces = [one for memory in every for one in evidence.stamped(memory)]
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
        fits = fitting(first.model_copy(update=changes), content)
        changes |= fits | MemoryEdits(content=content, summary=summary).changes()
        pieces.append(written_by_hand(first.model_copy(update=changes), at))
    together = evidence.united(pieces)
    return first.model_copy(
        update={
            **changes,
            "evidence": together,
            "confidence": evidence.mean_confidence(together),
        }
    )


def _together(lists: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for each in lists for one in each))
