"""Undo one change set: field by field, if nothing later changed the field again.

Only fields that the change set changed are restored; later changes of other fields stay. A memory that
the change set added becomes forgotten. It is not deleted, so it can be restored, or the undo can be undone.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from palimpsest.model.change_set import ChangeRefusal, ChangeSet, MemoryChange, SettingsChange
from palimpsest.model.memory import Memory, Status
from palimpsest.model.user import UserSettings
from palimpsest.model.value_types import Value
from palimpsest_server.domain.consolidation.manual_edits import MemoryChangeRefused
from palimpsest_server.domain.consolidation.status_transitions import ALLOWED_TRANSITIONS

ADDITION_UNDONE_REASON = "its addition was undone"

_NOT_PUT_BACK = frozenset({"version"})
"""Versions only rise."""

ValueT = TypeVar("ValueT", bound=Value)


def undo_memory_changes(change_set: ChangeSet, present: Mapping[str, Memory]) -> list[Memory]:
    """Return the restored memories that differ from the present ones.

    Args:
        change_set: the change set to undo.
        present: by id, at least the memories that it changed.

    Raises:
        MemoryChangeRefused: a change cannot be undone, or a field has changed since.
    """
    if change_set.erasures or any(
        change.after.status is Status.PURGED for change in change_set.memory_changes
    ):
        raise MemoryChangeRefused(
            ChangeRefusal(reason="purged", message="what was purged is gone for good")
        )
    put_back = [_put_back(change, present) for change in change_set.memory_changes]
    return [memory for memory in put_back if memory != present[memory.id]]


def undo_settings_changes(change_set: ChangeSet, present: UserSettings) -> UserSettings:
    """Return the settings with the changes of this change set undone.

    Raises:
        MemoryChangeRefused: a changed setting has been changed since.
    """
    for change in reversed(change_set.changes):
        if isinstance(change, SettingsChange):
            if overwritten_fields(change.before, change.after, present):
                raise _changed_since("a setting")
            present = revert_fields(change.before, change.after, present)
    return present


def find_latest_conflict(
    change_set: ChangeSet, present: Mapping[str, Memory], later: Sequence[ChangeSet]
) -> ChangeSet | None:
    """Return the last of the later change sets that changed a value that undoing this one would restore."""
    fields = {
        change.after.id: overwritten_fields(_before(change), change.after, present[change.after.id])
        for change in change_set.memory_changes
        if change.after.id in present
    }
    for newer in sorted(later, key=lambda each: each.revision, reverse=True):
        for change in newer.memory_changes:
            if fields.get(change.after.id, frozenset()) & _changed(_before(change), change.after):
                return newer
    return None


def is_overwritten(change: MemoryChange, present: Memory) -> bool:
    """Return whether a later change altered a value that undoing this change would restore."""
    return bool(overwritten_fields(_before(change), change.after, present))


def is_as_before(change: MemoryChange, present: Memory) -> bool:
    """Return whether the values that this change altered are as undoing it would leave them."""
    return revert_fields(_before(change), change.after, present) == present


def overwritten_fields(before: ValueT, after: ValueT, present: ValueT) -> frozenset[str]:
    """Return the fields that changed from `before` to `after` and differ from `after` now."""
    return frozenset(
        name for name in _changed(before, after) if getattr(present, name) != getattr(after, name)
    )


def revert_fields(before: ValueT, after: ValueT, present: ValueT) -> ValueT:
    """Return the present record with the fields that this change altered as they were before."""
    return present.model_copy(
        update={name: getattr(before, name) for name in _changed(before, after)}
    )


def _put_back(change: MemoryChange, present: Mapping[str, Memory]) -> Memory:
    memory = present.get(change.after.id)
    if memory is None or memory.status is Status.PURGED:
        raise MemoryChangeRefused(
            ChangeRefusal(reason="purged", message="a memory that it changed has been purged since")
        )
    before = _before(change)
    if overwritten_fields(before, change.after, memory):
        raise _changed_since("a memory")
    after = revert_fields(before, change.after, memory)
    if after.status not in ALLOWED_TRANSITIONS[memory.status] | {memory.status}:
        raise MemoryChangeRefused(
            ChangeRefusal(
                reason="not_allowed",
                message=f"a memory that is {memory.status} cannot become {after.status}",
            )
        )
    return after


def _before(change: MemoryChange) -> Memory:
    """Return the record before the change; for an added memory, the record that undoing makes of it."""
    if change.before is not None:
        return change.before
    return change.after.model_copy(
        update={
            "status": Status.FORGOTTEN,
            "status_reason": ADDITION_UNDONE_REASON,
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


def _changed_since(what: str) -> MemoryChangeRefused:
    return MemoryChangeRefused(
        ChangeRefusal(
            reason="changed_since", message=f"{what} that it changed has been changed since"
        )
    )
