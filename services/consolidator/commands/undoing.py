"""Taking a change back, as far as nothing has come in its way since."""

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.contracts.commands import UndoChange
from palimpsest.domain.change_set import ChangeSet, Refusal, SettingsChange
from palimpsest.domain.evolution import undoing
from palimpsest.domain.evolution.editing import CannotBeDone, Done
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.memory import Memory
from palimpsest.domain.user import UserSettings
from services.consolidator.commands.commanded import Commanded


@dataclass(frozen=True, kw_only=True)
class Undoing:
    change_set: ChangeSet
    later: Sequence[ChangeSet] = ()
    """What else became of its memories, read only where something is in the way."""


def undone(
    event: UndoChange, known: Overlay, found: Undoing | None, settings: UserSettings
) -> Commanded:
    # Another user's event in the same batch may have asked for it, who may have it.
    if found is None or found.change_set.user_id != event.user_id:
        raise CannotBeDone(Refusal(reason="not_found", message="there is no such change"))
    change_set, standing = found.change_set, present(found.change_set, known)
    try:
        memories = undoing.undo_of_memories(change_set, standing)
        after = undoing.undo_of_settings(change_set, settings)
    except CannotBeDone as error:
        later = undoing.latest_in_the_way(change_set, standing, found.later)
        raise CannotBeDone(_naming(error.refusal, later)) from None
    for memory in memories:
        known.put(memory)
    changes = () if after == settings else (SettingsChange(before=settings, after=after),)
    return Commanded(outcome=Done.UNDONE if memories or changes else Done.UNCHANGED, others=changes)


def _naming(refusal: Refusal, later: ChangeSet | None) -> Refusal:
    if later is None:
        return refusal
    return refusal.model_copy(update={"change_set_id": later.id, "revision": later.revision})


def present(change_set: ChangeSet, known: Overlay) -> dict[str, Memory]:
    found = {change.after.id: known.get(change.after.id) for change in change_set.memory_changes}
    return {memory_id: memory for memory_id, memory in found.items() if memory is not None}
