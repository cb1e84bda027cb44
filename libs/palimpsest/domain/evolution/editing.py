"""What people do to memories by hand: each a pure step from what is known to what is then known.

A step that cannot be done raises `CannotBeDone`; one that has nothing to do
answers the outcome that says so.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from palimpsest.domain.change_set import Refusal
from palimpsest.domain.evolution import evidence, supersession
from palimpsest.domain.evolution.duplicates import has_line, reinforced
from palimpsest.domain.evolution.keys import content_key, family_keys
from palimpsest.domain.evolution.moves import moved
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Evidence, Memory, Status, embedded_text
from palimpsest.domain.model import Instant, UnitInterval, Value
from palimpsest.domain.turn import Role
from palimpsest.domain.writing import language_of, summarised

ShortText = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Clearable = Literal["subject", "attribute", "value", "valid_until", "expires_at"]

MERGED = "merged into another memory"

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


class MemoryEdits(Value):
    """What is to be different; None stays, unless it is named among the cleared."""

    content: Annotated[str, StringConstraints(min_length=1)] | None = None
    summary: ShortText | None = None
    """None where the content changes: its first line."""
    kind: Kind | None = None
    subject: ShortText | None = None
    attribute: ShortText | None = None
    value: ShortText | None = None
    data: dict[str, Any] | None = None
    importance: UnitInterval | None = None
    tags: tuple[ShortText, ...] | None = Field(default=None, max_length=100)
    entities: tuple[ShortText, ...] | None = Field(default=None, max_length=100)
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    expires_at: Instant | None = None
    cleared: frozenset[Clearable] = frozenset()

    def changes(self) -> dict[str, Any]:
        """The fields that are to have another value."""
        chosen = {name: getattr(self, name) for name in type(self).model_fields}
        changes = {name: value for name, value in chosen.items() if value is not None}
        del changes["cleared"]
        if self.content is not None:
            changes |= {"summary": self.new_summary(), "language": language_of(self.content)}
        return changes | dict.fromkeys(self.cleared)

    def new_summary(self) -> str:
        return self.summary or summarised(self.content or "")

    def new_text(self) -> str:
        """What is embedded of a memory whose content is given."""
        return embedded_text(self.new_summary(), self.content or "")


def edit(
    known: Overlay, memory_id: str, edits: MemoryEdits, *, version: int | None, at: datetime
) -> Done:
    """Its next version. What it then says rests on who wrote it, no more on older quotes."""
    memory = known_memory(known, memory_id)
    if version is not None and version != memory.version:
        raise _cannot("changed_meanwhile", "it was changed since that version")
    if memory.status not in (Status.PENDING, Status.ACTIVE, Status.SUPERSEDED):
        raise _not_allowed(memory, "edited")
    after = memory.model_copy(update=edits.changes())
    if after.valid_until is not None and after.valid_until <= after.valid_from:
        raise _cannot("invalid", "it would end before it begins")
    if (after.content, after.value) != (memory.content, memory.value):
        written = {"evidence": (_written(after, at),), "confidence": CERTAIN, "statements": ()}
        after = after.model_copy(update=written)
    return _put(known, memory, after, Done.EDITED)


def edited_text(memory: Memory, edits: MemoryEdits) -> str | None:
    """What is to be embedded of the memory after these edits; None where that is the same."""
    after = memory.model_copy(update=edits.changes())
    return None if after.embedded_text == memory.embedded_text else after.embedded_text


def pin(known: Overlay, memory_id: str, *, pinned: bool) -> Done:
    memory = known_memory(known, memory_id)
    if memory.status is Status.PURGED:
        raise _not_allowed(memory, "pinned")
    done = Done.PINNED if pinned else Done.UNPINNED
    return _put(known, memory, memory.model_copy(update={"pinned": pinned}), done)


def confirm(known: Overlay, memory_id: str) -> Done:
    """It counts from now on, in its place in the line where its attribute has one value.

    Where that is said by another memory by now it becomes part of that one.
    `known` must hold what the stores hold under its keys.
    """
    memory = known_memory(known, memory_id)
    if memory.status is Status.ACTIVE:
        return Done.UNCHANGED
    if memory.status is not Status.PENDING:
        raise _not_allowed(memory, "confirmed")
    active = memory.model_copy(update={"status": Status.ACTIVE, "status_reason": None})
    if has_line(active):
        placed = _put_in_line(known, active)
    else:
        placed = [_with_the_same_words(known, active)]
        known.put(placed[0])
    if memory_id not in {one.id for one in placed}:
        known.put(moved(memory, Status.ARCHIVED, reason=MERGED))
    return Done.CONFIRMED


def reject(known: Overlay, memory_id: str, *, reason: str) -> Done:
    memory = known_memory(known, memory_id)
    if memory.status is Status.REJECTED:
        return Done.UNCHANGED
    if memory.status is not Status.PENDING:
        raise _not_allowed(memory, "rejected")
    return _put(known, memory, moved(memory, Status.REJECTED, reason=reason), Done.REJECTED)


def restore(known: Overlay, memory_id: str, *, at: datetime) -> Done:
    """Back to where it stood: in its place in the line where its attribute has one value.

    `known` must hold what the stores hold under its attribute's key.
    """
    memory = known_memory(known, memory_id)
    if memory.status in (Status.ACTIVE, Status.SUPERSEDED):
        return Done.UNCHANGED
    if memory.status not in (Status.FORGOTTEN, Status.ARCHIVED, Status.REJECTED):
        raise _not_allowed(memory, "restored")
    stood = Status.ACTIVE if memory.superseded_by is None else Status.SUPERSEDED
    over = memory.expires_at is not None and memory.expires_at <= at
    back = memory.model_copy(
        update={
            "status": stood,
            "status_reason": None if stood is Status.ACTIVE else supersession.REPLACED,
            "expires_at": None if over else memory.expires_at,
        }
    )
    if not has_line(back) or stood is Status.SUPERSEDED:
        return _put(known, memory, back, Done.RESTORED)
    _put_in_line(known, back)
    return Done.RESTORED


def _put_in_line(known: Overlay, memory: Memory) -> list[Memory]:
    """The line with this in its place, into `known`."""
    line = [
        one
        for key in family_keys(memory)
        for one in known.with_key(key)
        if supersession.belongs(one)
    ]
    before = {one.id: one for one in line}
    placed = supersession.placed(line, memory)
    for one in placed:
        if before.get(one.id) != one:
            known.put(one)
    return placed


def _with_the_same_words(known: Overlay, memory: Memory) -> Memory:
    """What says this already, with what this rests on; this itself where nothing does."""
    same = [
        one
        for one in known.with_key(content_key(memory))
        if one.status is Status.ACTIVE
        and one.id != memory.id
        and one.valid_until == memory.valid_until
    ]
    if not same:
        return memory
    return reinforced(min(same, key=lambda one: (one.recorded_at, one.id)), memory)


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
        raise _cannot("invalid", "one memory alone cannot be merged")
    if any(one.scope != first.scope for one in others):
        raise _cannot("not_allowed", "memories of different scopes cannot become one")
    for one in (first, *others):
        if one.status is not Status.ACTIVE:
            raise _not_allowed(one, "merged")
    known.put(_merged(first, others, content=content, summary=summary, at=at))
    for one in others:
        known.put(moved(one, Status.ARCHIVED, reason=MERGED))
    return Done.MERGED


def archive(known: Overlay, memory_ids: Sequence[str], *, reason: str) -> Done:
    """All of these that can be; what is forgotten or archived already stays as it is."""
    standing = (Status.ACTIVE, Status.SUPERSEDED)
    chosen = [known_memory(known, each) for each in memory_ids]
    archived = [one for one in chosen if one.status in standing]
    for one in archived:
        known.put(moved(one, Status.ARCHIVED, reason=reason))
    return Done.ARCHIVED if archived else Done.UNCHANGED


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
        changes |= MemoryEdits(content=content, summary=summary).changes()
        pieces.append(_written(first.model_copy(update=changes), at))
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


def _written(memory: Memory, at: datetime) -> Evidence:
    return Evidence(
        quote=memory.content,
        said_by=Role.USER,
        origin="command",
        valid_from=memory.valid_from,
        received_at=at,
        confidence=CERTAIN,
    )


def _put(known: Overlay, before: Memory, after: Memory, done: Done) -> Done:
    if after == before:
        return Done.UNCHANGED
    known.put(after)
    return done


def known_memory(known: Overlay, memory_id: str) -> Memory:
    memory = known.get(memory_id)
    if memory is None:
        raise _cannot("not_found", "there is no such memory")
    return memory


def _not_allowed(memory: Memory, done: str) -> CannotBeDone:
    return _cannot("not_allowed", f"a memory that is {memory.status} cannot be {done}")


def _cannot(reason: str, message: str) -> CannotBeDone:
    return CannotBeDone(Refusal(reason=reason, message=message))
