"""Undo everything that one conversation wrote: its change sets one by one, the last one first.

A change set is undone as a whole or not at all: half of a supersession would leave two values of one
attribute. A change set that was changed again later stays, and is reported as a conflict. So do earlier
change sets of the conversation that it rests on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palimpsest.model.change_set import ChangeRefusal, ChangeSet, MemoryChange
from palimpsest.model.memory import Memory
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.consolidation import change_set_undo
from palimpsest_server.domain.consolidation.manual_edits import MemoryChangeRefused

MAXIMUM_UNDONE_MEMORIES = 500
"""Memories restored in one change set, both sides of each: MongoDB accepts no document above 16 MiB."""


@dataclass(frozen=True, kw_only=True)
class UndoConflict:
    """A change set of the conversation that is not undone, and why."""

    change_set: ChangeSet
    refusal: ChangeRefusal
    """The reason, with the later change set that is in the way, if there is one."""


@dataclass(frozen=True, kw_only=True)
class SessionUndo:
    """The effect of undoing a conversation."""

    memories: Sequence[MemoryChange] = ()
    """Changed memories, before and after; versions are raised on writing."""
    settings: UserSettings
    undone: Sequence[ChangeSet] = ()
    """Change sets that are undone, the last one first."""
    conflicts: Sequence[UndoConflict] = ()
    left: int = 0
    """Number of change sets beyond the limit of one undo; another request continues with them."""


def undo_session(
    change_sets: Sequence[ChangeSet],
    present: Mapping[str, Memory],
    settings: UserSettings,
    later: Sequence[ChangeSet] = (),
    *,
    agent_id: str | None = None,
) -> SessionUndo:
    """Return the effect of undoing these change sets of one conversation.

    Args:
        change_sets: the change sets that the conversation caused.
        present: by id, at least the memories that they changed.
        settings: the user's current settings.
        later: later change sets of these memories, to name what is in the way.
        agent_id: if given, only change sets whose memories this agent can see are undone.
    """
    standing, undone = dict(present), list[ChangeSet]()
    conflicts: list[UndoConflict] = []
    touched: set[str] = set()
    newest_first = sorted(change_sets, key=lambda one: -one.revision)
    own = {one.id for one in change_sets}
    others = [one for one in later if one.id not in own]
    for number, change_set in enumerate(newest_first):
        if not _is_seen_by(agent_id, change_set):
            continue
        try:
            memories = change_set_undo.undo_memory_changes(change_set, standing)
            after = change_set_undo.undo_settings_changes(change_set, settings)
        except MemoryChangeRefused as error:
            if not _is_taken_back(change_set, standing):
                conflicts.append(_conflict(change_set, error.refusal, standing, others))
            continue
        if len(touched | {memory.id for memory in memories}) > MAXIMUM_UNDONE_MEMORIES:
            left = len(newest_first) - number
            return _result(present, standing, settings, undone, conflicts, touched, left)
        if memories or after != settings:
            undone.append(change_set)
        settings = after
        standing |= {memory.id: memory for memory in memories}
        touched |= {memory.id for memory in memories}
    return _result(present, standing, settings, undone, conflicts, touched, 0)


def collect_changed_ids(change_sets: Sequence[ChangeSet]) -> frozenset[str]:
    """Return the ids of the memories that these change sets changed."""
    return frozenset(
        change.after.id for change_set in change_sets for change in change_set.memory_changes
    )


def find_memories_in_the_way(
    change_sets: Sequence[ChangeSet], present: Mapping[str, Memory]
) -> frozenset[str]:
    """Return the ids of memories that differ from how the conversation left them last."""
    last = {
        change.after.id: change.after
        for change_set in sorted(change_sets, key=lambda change_set: change_set.revision)
        for change in change_set.memory_changes
    }
    return frozenset(
        memory_id
        for memory_id, after in last.items()
        if memory_id in present and present[memory_id].version != after.version
    )


def _result(
    present: Mapping[str, Memory],
    standing: Mapping[str, Memory],
    settings: UserSettings,
    undone: Sequence[ChangeSet],
    conflicts: Sequence[UndoConflict],
    touched: set[str],
    left: int,
) -> SessionUndo:
    changes = tuple(
        MemoryChange(before=present[memory_id], after=standing[memory_id])
        for memory_id in sorted(touched)
        if standing[memory_id] != present[memory_id]
    )
    return SessionUndo(
        memories=changes, settings=settings, undone=undone, conflicts=conflicts, left=left
    )


def _is_seen_by(agent_id: str | None, change_set: ChangeSet) -> bool:
    if agent_id is None:
        return True
    agents = {change.after.scope.agent_id for change in change_set.memory_changes}
    return bool(agents) and agents <= {None, agent_id}


def _is_taken_back(change_set: ChangeSet, standing: Mapping[str, Memory]) -> bool:
    """Return whether everything that a change set changed is already restored."""
    return bool(change_set.memory_changes) and all(
        change.after.id in standing
        and change_set_undo.is_as_before(change, standing[change.after.id])
        for change in change_set.memory_changes
    )


def _conflict(
    change_set: ChangeSet,
    refusal: ChangeRefusal,
    standing: Mapping[str, Memory],
    others: Sequence[ChangeSet],
) -> UndoConflict:
    newer = [one for one in others if one.revision > change_set.revision]
    later = change_set_undo.find_latest_conflict(change_set, standing, newer)
    if later is not None:
        refusal = refusal.model_copy(update={"change_set_id": later.id, "revision": later.revision})
    return UndoConflict(change_set=change_set, refusal=refusal)
