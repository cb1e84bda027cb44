"""Which messages are not shown any more, because what they were remembered as was forgotten by hand.

What is forgotten in the course of time only steps back: its message stays what was said.
"""

from palimpsest.domain.change_set import ChangeSet, MemoryChange
from palimpsest.domain.memory import Memory, Status
from palimpsest.domain.model import Value
from palimpsest.domain.turn import turn_id

BY_HAND = frozenset({"ForgetMemory", "UndoChange"})
"""Causes by which somebody has a memory forgotten, or forgotten once more."""


class Withheld(Value):
    """The messages of one forgotten memory; none once it is not forgotten any more."""

    memory_id: str
    user_id: str
    epoch: int
    revision: int
    """Of the change set that says so: a later one is right."""
    turn_ids: tuple[str, ...]


def withheld(change_set: ChangeSet) -> list[Withheld]:
    """What this change set has forgotten by hand, and what it has no longer forgotten.

    What is purged stays as it was: its messages must not come back with it gone.
    """
    changes = (
        (change, _messages(change, by_hand=change_set.cause.type in BY_HAND))
        for change in change_set.memory_changes
    )
    return [
        Withheld(
            memory_id=change.after.id,
            user_id=change_set.user_id,
            epoch=change.after.epoch,
            revision=change_set.revision,
            turn_ids=messages,
        )
        for change, messages in changes
        if messages is not None
    ]


def rests_on(memory: Memory) -> tuple[str, ...]:
    """The ids of the turns that it quotes, in order."""
    found = {
        turn_id(memory.scope.user_id, evidence.session_id, evidence.message_id)
        for evidence in memory.evidence
        if evidence.session_id is not None and evidence.message_id is not None
    }
    return tuple(sorted(found))


def said_in(memory: Memory) -> tuple[str, ...]:
    """The ids of all turns that say it, or said what it said before somebody set it right."""
    return tuple(sorted({*rests_on(memory), *memory.corrected}))


def _messages(change: MemoryChange, *, by_hand: bool) -> tuple[str, ...] | None:
    """None: nothing is said about them."""
    before = None if change.before is None else change.before.status
    if change.after.status is Status.FORGOTTEN and before is not Status.FORGOTTEN:
        return said_in(change.after) if by_hand else None
    released = before is Status.FORGOTTEN and change.after.status not in _STILL_GONE
    return () if released else None


_STILL_GONE = frozenset({Status.FORGOTTEN, Status.PURGED})
