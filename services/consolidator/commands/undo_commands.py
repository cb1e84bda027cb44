"""Undo a change, or all changes of a session, as far as no later change conflicts."""

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.events.commands import UndoChange, UndoSession
from palimpsest.model.change_set import ChangeRefusal, ChangeSet, SettingsChange
from palimpsest.model.memory import Memory
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.consolidation import change_set_undo
from palimpsest_server.domain.consolidation.manual_edits import (
    MemoryChangeRefused,
    MemoryCommandOutcome,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.session_undo import undo_session
from palimpsest_server.stores.session_changes import SessionChanges
from services.consolidator.commands.executed_command import ExecutedCommand


@dataclass(frozen=True, kw_only=True)
class UndoInput:
    change_set: ChangeSet
    later: Sequence[ChangeSet] = ()
    """Later change sets of the same memories, read only if there is a conflict."""


def execute_undo(
    event: UndoChange, known: Overlay, found: UndoInput | None, settings: UserSettings
) -> ExecutedCommand:
    # The change set may have been read for another user's event in the same batch.
    if found is None or found.change_set.user_id != event.user_id:
        raise MemoryChangeRefused(
            ChangeRefusal(reason="not_found", message="there is no such change")
        )
    change_set, standing = found.change_set, read_current_memories(found.change_set, known)
    try:
        memories = change_set_undo.undo_memory_changes(change_set, standing)
        after = change_set_undo.undo_settings_changes(change_set, settings)
    except MemoryChangeRefused as error:
        later = change_set_undo.find_latest_conflict(change_set, standing, found.later)
        raise MemoryChangeRefused(_naming(error.refusal, later)) from None
    for memory in memories:
        known.put(memory)
    changes = () if after == settings else (SettingsChange(before=settings, after=after),)
    return ExecutedCommand(
        outcome=MemoryCommandOutcome.UNDONE
        if memories or changes
        else MemoryCommandOutcome.UNCHANGED,
        others=changes,
    )


def execute_session_undo(
    event: UndoSession, known: Overlay, found: SessionChanges, settings: UserSettings
) -> ExecutedCommand:
    present = {
        memory_id: memory
        for change_set in found.change_sets
        for memory_id, memory in read_current_memories(change_set, known).items()
    }
    undo = undo_session(found.change_sets, present, settings, found.later, agent_id=event.agent_id)
    for change in undo.memories:
        known.put(change.after)
    changed = undo.settings != settings
    if not undo.undone:
        return ExecutedCommand(
            outcome=MemoryCommandOutcome.UNCHANGED, reason="the session has nothing to take back"
        )
    count = "one change" if len(undo.undone) == 1 else f"{len(undo.undone)} changes"
    stayed = f"; {len(undo.conflicts)} changed since and stay" if undo.conflicts else ""
    return ExecutedCommand(
        outcome=MemoryCommandOutcome.UNDONE,
        others=(SettingsChange(before=settings, after=undo.settings),) if changed else (),
        reason=f"took back {count} of a session{stayed}",
    )


def _naming(refusal: ChangeRefusal, later: ChangeSet | None) -> ChangeRefusal:
    if later is None:
        return refusal
    return refusal.model_copy(update={"change_set_id": later.id, "revision": later.revision})


def read_current_memories(change_set: ChangeSet, known: Overlay) -> dict[str, Memory]:
    found = {change.after.id: known.get(change.after.id) for change in change_set.memory_changes}
    return {memory_id: memory for memory_id, memory in found.items() if memory is not None}
