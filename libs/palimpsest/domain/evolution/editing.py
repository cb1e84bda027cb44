"""What people do to memories by hand: each a pure step from what is known to what is then known.

A step that cannot be done raises `CannotBeDone`; one that has nothing to do
answers the outcome that says so.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from palimpsest.domain.change_set import Refusal
from palimpsest.domain.evolution.moves import moved
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.evolution.rewording import fitting
from palimpsest.domain.evolution.withholding import rests_on, said_in_sessions
from palimpsest.domain.memory import (
    Correction,
    Evidence,
    Memory,
    Source,
    Status,
)
from palimpsest.domain.turn import Role
from palimpsest.model.memory_edits import MemoryEdits

CERTAIN = 1.0
"""Nobody guessed: its user wrote it."""


class Done(StrEnum):
    EDITED = "edited"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    RESTORED = "restored"
    MERGED = "merged"
    ARCHIVED = "archived"
    UNDONE = "undone"
    PURGED = "purged"
    UNCHANGED = "as it was"
    REFUSED = "refused"


class CannotBeDone(Exception):
    """The command does not fit what stands; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def edit(
    known: Overlay, memory_id: str, edits: MemoryEdits, *, version: int | None, at: datetime
) -> Done:
    """Its next version. What it then says rests on who wrote it, no more on older quotes."""
    if not edits.changes():
        raise cannot("invalid", "nothing is to be different")
    memory = known_memory(known, memory_id)
    if version is not None and version != memory.version:
        raise cannot("changed_meanwhile", "it was changed since that version")
    if memory.status not in (Status.PENDING, Status.ACTIVE, Status.SUPERSEDED):
        raise not_allowed(memory, "edited")
    after = memory.model_copy(update=changed(memory, edits))
    if after.valid_until is not None and after.valid_until <= after.valid_from:
        raise cannot("invalid", "it would end before it begins")
    if (after.content, after.value) != (memory.content, memory.value):
        written = {
            "evidence": (written_by_hand(after, at),),
            "confidence": CERTAIN,
            "statements": (),
            "source": Source.USER_INPUT,
            "said_by": Role.USER,
            "corrections": (*memory.corrections, _correction(memory, after, at)),
        }
        after = after.model_copy(update=written)
    return put(known, memory, after, Done.EDITED)


def changed(memory: Memory, edits: MemoryEdits) -> dict[str, Any]:
    """What is to be different, and what no longer fits the new words and nobody has said anew."""
    changes = edits.changes()
    if edits.content is None or edits.content == memory.content:
        return changes
    follows = fitting(memory, edits.content)
    if edits.value is not None or edits.attribute is not None or "value" in edits.cleared:
        follows = {name: each for name, each in follows.items() if name == "entities"}
    return {**follows, **changes}


def _correction(before: Memory, after: Memory, at: datetime) -> Correction:
    value = before.value if after.value != before.value else None
    return Correction(
        at=at, value=value, turn_ids=rests_on(before), session_ids=said_in_sessions(before)
    )


def edited_text(memory: Memory, edits: MemoryEdits) -> str | None:
    """What is to be embedded of the memory after these edits; None where that is the same."""
    after = memory.model_copy(update=edits.changes())
    return None if after.embedded_text == memory.embedded_text else after.embedded_text


def pin(known: Overlay, memory_id: str, *, pinned: bool) -> Done:
    memory = known_memory(known, memory_id)
    if memory.status is Status.PURGED:
        raise not_allowed(memory, "pinned")
    done = Done.PINNED if pinned else Done.UNPINNED
    return put(known, memory, memory.model_copy(update={"pinned": pinned}), done)


def reject(known: Overlay, memory_id: str, *, reason: str) -> Done:
    memory = known_memory(known, memory_id)
    if memory.status is Status.REJECTED:
        return Done.UNCHANGED
    if memory.status is not Status.PENDING:
        raise not_allowed(memory, "rejected")
    return put(known, memory, moved(memory, Status.REJECTED, reason=reason), Done.REJECTED)


def archive(known: Overlay, memory_ids: Sequence[str], *, reason: str) -> Done:
    """All of these that can be; what is forgotten or archived already stays as it is."""
    standing = (Status.ACTIVE, Status.SUPERSEDED)
    chosen = [known_memory(known, each) for each in memory_ids]
    archived = [one for one in chosen if one.status in standing]
    for one in archived:
        known.put(moved(one, Status.ARCHIVED, reason=reason))
    return Done.ARCHIVED if archived else Done.UNCHANGED


def written_by_hand(memory: Memory, at: datetime) -> Evidence:
    return Evidence(
        quote=memory.content,
        said_by=Role.USER,
        origin="command",
        valid_from=memory.valid_from,
        received_at=at,
        confidence=CERTAIN,
    )


def put(known: Overlay, before: Memory, after: Memory, done: Done) -> Done:
    if after == before:
        return Done.UNCHANGED
    known.put(after)
    return done


def known_memory(known: Overlay, memory_id: str) -> Memory:
    memory = known.get(memory_id)
    if memory is None:
        raise cannot("not_found", "there is no such memory")
    return memory


def not_allowed(memory: Memory, done: str) -> CannotBeDone:
    return cannot("not_allowed", f"a memory that is {memory.status} cannot be {done}")


def cannot(reason: str, message: str) -> CannotBeDone:
    return CannotBeDone(Refusal(reason=reason, message=message))
