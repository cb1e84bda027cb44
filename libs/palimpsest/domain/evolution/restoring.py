"""What comes to count by hand: what waited for a yes, and what was let go."""

from datetime import datetime

from palimpsest.domain.evolution import supersession
from palimpsest.domain.evolution.duplicates import has_line, reinforced
from palimpsest.domain.evolution.editing import Done, known_memory, not_allowed, put
from palimpsest.domain.evolution.joining import MERGED
from palimpsest.domain.evolution.keys import content_key, family_keys
from palimpsest.domain.evolution.moves import moved
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.evolution.walking import REPLACED
from palimpsest.domain.memory import Memory, Status


def confirm(known: Overlay, memory_id: str) -> Done:
    """It counts from now on, in its place in the line where its attribute has one value.

    Where that is said by another memory by now it becomes part of that one.
    `known` must hold what the stores hold under its keys.
    """
    memory = known_memory(known, memory_id)
    if memory.status is Status.ACTIVE:
        return Done.UNCHANGED
    if memory.status is not Status.PENDING:
        raise not_allowed(memory, "confirmed")
    active = memory.model_copy(update={"status": Status.ACTIVE, "status_reason": None})
    if has_line(active):
        placed = _put_in_line(known, active)
    else:
        placed = [_with_the_same_words(known, active)]
        known.put(placed[0])
    if memory_id not in {one.id for one in placed}:
        known.put(moved(memory, Status.ARCHIVED, reason=MERGED))
    return Done.CONFIRMED


def restore(known: Overlay, memory_id: str, *, at: datetime) -> Done:
    """Back to where it stood: in its place in the line where its attribute has one value.

    `known` must hold what the stores hold under its attribute's key.
    """
    memory = known_memory(known, memory_id)
    if memory.status in (Status.ACTIVE, Status.SUPERSEDED):
        return Done.UNCHANGED
    if memory.status not in (Status.FORGOTTEN, Status.ARCHIVED, Status.REJECTED):
        raise not_allowed(memory, "restored")
    stood = Status.ACTIVE if memory.superseded_by is None else Status.SUPERSEDED
    over = memory.expires_at is not None and memory.expires_at <= at
    back = memory.model_copy(
        update={
            "status": stood,
            "status_reason": None if stood is Status.ACTIVE else REPLACED,
            "expires_at": None if over else memory.expires_at,
        }
    )
    if not has_line(back) or stood is Status.SUPERSEDED:
        return put(known, memory, back, Done.RESTORED)
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
