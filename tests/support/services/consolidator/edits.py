"""Commands that edit and undo, and the change sets that they cause."""

from typing import Any

from palimpsest.events.commands import EditMemory, UndoChange
from palimpsest.model.change_set import ChangeSet, change_set_id
from palimpsest.model.memory_edits import MemoryEdits
from tests.support.services.consolidator.events import envelope
from tests.support.services.consolidator.stores import Stores, vectors_of


def edit(memory_id: str, text: str | None, event_id: str = "edit", **edits: Any) -> EditMemory:
    return EditMemory(
        memory_id=memory_id,
        edits=MemoryEdits(**edits),
        text=text,
        vectors=() if text is None else (vectors_of(text),),
        **envelope(event_id, "alice"),
    )


def undo(event_id: str, name: str = "") -> UndoChange:
    return UndoChange(
        change_set_id=change_set_id("alice", event_id),
        **envelope(name or f"undo {event_id}", "alice"),
    )


async def caused(stores: Stores, event_id: str) -> ChangeSet:
    (change_set,) = await stores.change_sets.by_ids([change_set_id("alice", event_id)])
    return change_set


async def dies(*_: Any) -> None:
    raise ConnectionError("killed")
