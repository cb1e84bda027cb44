"""Taking back what one change set did: field by field, where nothing later changed it again.

Only the fields that the change set changed are put back; whatever else has
become of a memory since then stays. A memory that it added is forgotten, for
nothing is ever deleted, and can be restored, or the undoing be undone.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from palimpsest.domain.change_set import (
    ChangeSet,
    MemoryChange,
    Refusal,
    SettingsChange,
)
from palimpsest.domain.evolution.editing import CannotBeDone
from palimpsest.domain.memory import ALLOWED_MOVES, Memory, Status
from palimpsest.domain.model import Value
from palimpsest.domain.user import UserSettings

ADDITION_UNDONE = "its addition was undone"

_NOT_PUT_BACK = frozenset({"version"})
"""A version only rises."""

ValueT = TypeVar("ValueT", bound=Value)


def undo_of_memories(change_set: ChangeSet, present: Mapping[str, Memory]) -> list[Memory]:
    """The memories as they are to be, those that differ from how they are.

    Args:
        change_set: what is to be taken back.
        present: by id, at least the memories that it changed.

    Raises:
        CannotBeDone: it holds what cannot be taken back, or a field has changed since.
    """
    if change_set.erasures or any(
        change.after.status is Status.PURGED for change in change_set.memory_changes
    ):
        raise CannotBeDone(Refusal(reason="purged", message="what was purged is gone for good"))
    put_back = [_put_back(change, present) for change in change_set.memory_changes]
    return [memory for memory in put_back if memory != present[memory.id]]


def undo_of_settings(change_set: ChangeSet, present: UserSettings) -> UserSettings:
    """The settings with what this change set changed in them put back.

    Raises:
        CannotBeDone: one of them has been changed since.
    """
    for change in reversed(change_set.changes):
        if isinstance(change, SettingsChange):
            if overwritten(change.before, change.after, present):
                raise _changed_since("a setting")
            present = reverted(change.before, change.after, present)
    return present


def latest_in_the_way(
    change_set: ChangeSet, present: Mapping[str, Memory], later: Sequence[ChangeSet]
) -> ChangeSet | None:
    """Of these later change sets the last that changed what undoing this one would put back."""
    fields = {
        change.after.id: overwritten(_before(change), change.after, present[change.after.id])
        for change in change_set.memory_changes
        if change.after.id in present
    }
    for one in sorted(later, key=lambda each: each.revision, reverse=True):
        for change in one.memory_changes:
            if fields.get(change.after.id, frozenset()) & _changed(_before(change), change.after):
                return one
    return None


def is_overwritten(change: MemoryChange, present: Memory) -> bool:
    """Whether something else has become of what undoing this change would put back."""
    return bool(overwritten(_before(change), change.after, present))


def overwritten(before: ValueT, after: ValueT, present: ValueT) -> frozenset[str]:
    """The fields that were changed from before to after, and are another way by now."""
    return frozenset(
        name for name in _changed(before, after) if getattr(present, name) != getattr(after, name)
    )


def reverted(before: ValueT, after: ValueT, present: ValueT) -> ValueT:
    """What is present, with the fields that were changed from before to after as before."""
    return present.model_copy(
        update={name: getattr(before, name) for name in _changed(before, after)}
    )


def _put_back(change: MemoryChange, present: Mapping[str, Memory]) -> Memory:
    memory = present.get(change.after.id)
    if memory is None or memory.status is Status.PURGED:
        raise CannotBeDone(
            Refusal(reason="purged", message="a memory that it changed has been purged since")
        )
    before = _before(change)
    if overwritten(before, change.after, memory):
        raise _changed_since("a memory")
    after = reverted(before, change.after, memory)
    if after.status not in ALLOWED_MOVES[memory.status] | {memory.status}:
        raise CannotBeDone(
            Refusal(
                reason="not_allowed",
                message=f"a memory that is {memory.status} cannot become {after.status}",
            )
        )
    return after


def _before(change: MemoryChange) -> Memory:
    """What stood before; of a memory that was added, what it is once that is undone."""
    if change.before is not None:
        return change.before
    return change.after.model_copy(
        update={
            "status": Status.FORGOTTEN,
            "status_reason": ADDITION_UNDONE,
            "supersedes": (),
            "superseded_by": None,
        }
    )


def _changed(before: Value, after: Value) -> frozenset[str]:
    return frozenset(
        name
        for name in type(after).model_fields
        if name not in _NOT_PUT_BACK and getattr(before, name) != getattr(after, name)
    )


def _changed_since(what: str) -> CannotBeDone:
    return CannotBeDone(
        Refusal(reason="changed_since", message=f"{what} that it changed has been changed since")
    )
