"""Manual changes of memories: each is a pure step on the known memories.

A step that is not possible raises `MemoryChangeRefused`. A step without an effect
returns the outcome that says so.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from palimpsest.model.change_set import ChangeRefusal
from palimpsest.model.memory import (
    Evidence,
    Memory,
    MemoryCorrection,
    MemorySource,
    Relation,
    Status,
)
from palimpsest.model.memory_edits import MemoryEdits
from palimpsest.model.turn import Role
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.reworded_fields import fields_after_rewording
from palimpsest_server.domain.consolidation.status_transitions import change_status
from palimpsest_server.domain.consolidation.withheld_evidence import (
    evidence_session_ids,
    evidence_turn_ids,
)
from palimpsest_server.domain.consolidation.word_fields import FIELDS_GONE_WHEN_REWORDED

MANUAL_CONFIDENCE = 1.0
"""Full confidence, because the user wrote the memory."""


class MemoryCommandOutcome(StrEnum):
    EDITED = "edited"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    RELATED = "related"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    RESTORED = "restored"
    MERGED = "merged"
    ARCHIVED = "archived"
    UNDONE = "undone"
    IMPORTED = "imported"
    PURGED = "purged"
    UNCHANGED = "as it was"
    REFUSED = "refused"


class MemoryChangeRefused(Exception):
    """The command does not fit the stored memories; `refusal` says why."""

    def __init__(self, refusal: ChangeRefusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def edit_memory(
    known: Overlay, memory_id: str, edits: MemoryEdits, *, version: int | None, at: datetime
) -> MemoryCommandOutcome:
    """Put the edited memory into `known`. Its new words rest on the edit, no longer on older quotes."""
    if not edits.changes():
        raise refuse_change("invalid", "nothing is to be different")
    memory = require_memory(known, memory_id)
    if version is not None and version != memory.version:
        raise refuse_change("changed_meanwhile", "it was changed since that version")
    if memory.status not in (Status.PENDING, Status.ACTIVE, Status.SUPERSEDED):
        raise refuse_status(memory, "edited")
    after = memory.model_copy(update=resolve_edits(memory, edits))
    if after.valid_until is not None and after.valid_until <= after.valid_from:
        raise refuse_change("invalid", "it would end before it begins")
    if (after.content, after.value) != (memory.content, memory.value):
        written = {
            "evidence": (build_manual_evidence(after, at),),
            "confidence": MANUAL_CONFIDENCE,
            "statements": (),
            "source": MemorySource.USER_INPUT,
            "said_by": Role.USER,
            "corrections": (*memory.corrections, _correction(memory, after, at)),
        }
        after = after.model_copy(update=written)
    return put_if_changed(known, memory, after, MemoryCommandOutcome.EDITED)


def resolve_edits(memory: Memory, edits: MemoryEdits) -> dict[str, Any]:
    """Return the fields to change, including fields that no longer fit the new words and were not given."""
    changes = edits.changes()
    if edits.content is None or edits.content == memory.content:
        return changes
    follows = fields_after_rewording(memory, edits.content)
    if edits.value is not None or edits.attribute is not None or "value" in edits.cleared:
        follows = {name: follows[name] for name in FIELDS_GONE_WHEN_REWORDED if name in follows}
    return {**follows, **changes}


def _correction(before: Memory, after: Memory, at: datetime) -> MemoryCorrection:
    value = before.value if after.value != before.value else None
    return MemoryCorrection(
        at=at,
        value=value,
        turn_ids=evidence_turn_ids(before),
        session_ids=evidence_session_ids(before),
    )


def embedded_text_after_edits(memory: Memory, edits: MemoryEdits) -> str | None:
    """Return the text to embed after these edits; None if it stays the same."""
    after = memory.model_copy(update=edits.changes())
    return None if after.embedded_text == memory.embedded_text else after.embedded_text


def pin_memory(known: Overlay, memory_id: str, *, pinned: bool) -> MemoryCommandOutcome:
    memory = require_memory(known, memory_id)
    if memory.status is Status.PURGED:
        raise refuse_status(memory, "pinned")
    done = MemoryCommandOutcome.PINNED if pinned else MemoryCommandOutcome.UNPINNED
    return put_if_changed(known, memory, memory.model_copy(update={"pinned": pinned}), done)


def relate_memory(known: Overlay, memory_id: str, relation: Relation) -> MemoryCommandOutcome:
    """Add a relation, replacing the memory's relation of this type to the same memory.

    Raises:
        MemoryChangeRefused: a memory is missing or not active, or the scopes differ.
    """
    memory, other = require_memory(known, memory_id), require_memory(known, relation.memory_id)
    if memory.id == other.id or memory.scope != other.scope:
        raise refuse_change("not_allowed", "a memory relates to others of its own scope")
    for one in (memory, other):
        if one.status is not Status.ACTIVE:
            raise refuse_status(one, "related")
    rest = tuple(
        one
        for one in memory.relations
        if (one.type, one.memory_id) != (relation.type, relation.memory_id)
    )
    stated = (*rest, relation) if relation.strength else rest
    after = memory.model_copy(update={"relations": stated})
    return put_if_changed(known, memory, after, MemoryCommandOutcome.RELATED)


def reject_memory(known: Overlay, memory_id: str, *, reason: str) -> MemoryCommandOutcome:
    memory = require_memory(known, memory_id)
    if memory.status is Status.REJECTED:
        return MemoryCommandOutcome.UNCHANGED
    if memory.status is not Status.PENDING:
        raise refuse_status(memory, "rejected")
    return put_if_changed(
        known,
        memory,
        change_status(memory, Status.REJECTED, reason=reason),
        MemoryCommandOutcome.REJECTED,
    )


def archive_memories(
    known: Overlay, memory_ids: Sequence[str], *, reason: str
) -> MemoryCommandOutcome:
    """Archive those of these memories that are active or superseded."""
    standing = (Status.ACTIVE, Status.SUPERSEDED)
    chosen = [require_memory(known, memory_id) for memory_id in memory_ids]
    archived = [memory for memory in chosen if memory.status in standing]
    for memory in archived:
        known.put(change_status(memory, Status.ARCHIVED, reason=reason))
    return MemoryCommandOutcome.ARCHIVED if archived else MemoryCommandOutcome.UNCHANGED


def build_manual_evidence(memory: Memory, at: datetime) -> Evidence:
    return Evidence(
        quote=memory.content,
        said_by=Role.USER,
        origin="command",
        valid_from=memory.valid_from,
        received_at=at,
        confidence=MANUAL_CONFIDENCE,
    )


def put_if_changed(
    known: Overlay, before: Memory, after: Memory, done: MemoryCommandOutcome
) -> MemoryCommandOutcome:
    if after == before:
        return MemoryCommandOutcome.UNCHANGED
    known.put(after)
    return done


def require_memory(known: Overlay, memory_id: str) -> Memory:
    memory = known.get(memory_id)
    if memory is None:
        raise refuse_change("not_found", "there is no such memory")
    return memory


def refuse_status(memory: Memory, done: str) -> MemoryChangeRefused:
    return refuse_change("not_allowed", f"a memory that is {memory.status} cannot be {done}")


def refuse_change(reason: str, message: str) -> MemoryChangeRefused:
    return MemoryChangeRefused(ChangeRefusal(reason=reason, message=message))
