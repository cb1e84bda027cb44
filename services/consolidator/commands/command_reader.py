"""Read the inputs of people's commands, beside the memories that the commands name."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from palimpsest.events.commands import (
    CloseProject,
    CommandEvent,
    DeleteProject,
    UndoChange,
    UndoSession,
)
from palimpsest.events.envelope import Event
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Namespace, Scope
from palimpsest_server.domain.consolidation import change_set_undo
from palimpsest_server.domain.consolidation.memory_keys import content_key, family_keys
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.session_changes import SessionChanges, read_session_changes
from services.consolidator.commands.undo_commands import UndoInput, read_current_memories
from services.consolidator.entity_lookup import EntityLookup
from services.consolidator.todo_reminders import TodoLookup

MAXIMUM_COMMAND_MEMORIES = 500
"""The most memories in one change set. It holds each before and after, and MongoDB keeps no
document above 16 MiB.
"""

_CLOSED = frozenset({Status.ACTIVE, Status.SUPERSEDED})
_ERASABLE = frozenset(Status) - {Status.PURGED}


@dataclass(frozen=True, kw_only=True)
class CommandInputs:
    """The inputs of commands beside the memories that they name."""

    undoing: Mapping[str, UndoInput] = field(default_factory=dict)
    """The inputs of undo commands, by the id of the change set."""
    of_project: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Ids of a project's memories, by the id of the event."""
    of_session: Mapping[str, SessionChanges] = field(default_factory=dict)
    """The changes that sessions caused, by the id of the event."""


class CommandReader:
    """Reads the inputs of commands: memories into the overlay, everything else into `CommandInputs`."""

    def __init__(
        self,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        change_sets: ChangeSetReader,
        todos: TodoLookup,
        entities: EntityLookup,
    ) -> None:
        self._entities = entities
        self._todos = todos
        self._memories = memories
        self._namespaces = namespaces
        self._change_sets = change_sets

    async def read(self, events: Sequence[Event], known: Overlay) -> CommandInputs:
        """Read the inputs of commands. `known` must hold the memories that these events name."""
        await self._read_lines(
            [
                memory_id
                for event in events
                if isinstance(event, CommandEvent) and event.PROPERTIES.reads_timeline
                for memory_id in event.named()
            ],
            known,
        )
        closing = [event for event in events if isinstance(event, CloseProject | DeleteProject)]
        undone = [event for event in events if isinstance(event, UndoChange)]
        of_session = {
            event.event_id: await self._of_session(event, known)
            for event in events
            if isinstance(event, UndoSession)
        }
        return CommandInputs(
            of_session=of_session,
            undoing=await self._read_undone(undone, known) if undone else {},
            of_project={event.event_id: await self._of_project(event, known) for event in closing},
        )

    async def _read_lines(self, memory_ids: Sequence[str], known: Overlay) -> None:
        keys: dict[Namespace, set[str]] = {}
        words: dict[Namespace, set[str]] = {}
        for memory in map(known.get, memory_ids):
            if memory is not None:
                words.setdefault(memory.scope.namespace, set()).add(content_key(memory))
                keys.setdefault(memory.scope.namespace, set()).update(family_keys(memory))
        if words:
            found = await asyncio.gather(
                self._memories.with_content_keys(words), self._memories.with_attribute_keys(keys)
            )
            await self._take_in(known, [memory for each in found for memory in each])

    async def _of_project(
        self, event: CloseProject | DeleteProject, known: Overlay
    ) -> Sequence[str]:
        namespaces = await self._namespaces.of_user(event.user_id)
        scopes = [
            Scope(user_id=event.user_id, agent_id=namespace.agent_id, project_id=event.project_id)
            for namespace in namespaces
            if event.agent_id is None or namespace.agent_id == event.agent_id
        ]
        if not scopes or event.project_id is None:
            return ()
        statuses = _ERASABLE if event.PROPERTIES.erases else _CLOSED
        memories = await self._memories.list(
            scopes, statuses=statuses, limit=MAXIMUM_COMMAND_MEMORIES
        )
        await self._take_in(known, memories)
        return [memory.id for memory in memories]

    async def _read_undone(
        self, events: Sequence[UndoChange], known: Overlay
    ) -> Mapping[str, UndoInput]:
        wanted = {(event.user_id, event.change_set_id) for event in events}
        change_sets = [
            change_set
            for change_set in await self._change_sets.by_ids(sorted({each for _, each in wanted}))
            if (change_set.user_id, change_set.id) in wanted
        ]
        ids: dict[Namespace, set[str]] = {}
        for change in (
            change for change_set in change_sets for change in change_set.memory_changes
        ):
            ids.setdefault(change.after.scope.namespace, set()).add(change.after.id)
        await self._take_in(known, await self._memories.of_namespaces(ids))
        return {change_set.id: await self._undoing(change_set, known) for change_set in change_sets}

    async def _of_session(self, event: UndoSession, known: Overlay) -> SessionChanges:
        found = await read_session_changes(
            self._change_sets, self._memories, event.user_id, event.undone_session_id
        )
        await self._take_in(known, found.memories)
        return found

    async def _take_in(self, known: Overlay, memories: Sequence[Memory]) -> None:
        """Add memories that were not read before; known ones stay as they were read."""
        fresh = [memory for memory in memories if known.get(memory.id) is None]
        known.read(fresh)
        known.todos.read(await self._todos.beside(fresh, ()))
        await self._entities.beside(fresh, known)

    async def _undoing(self, change_set: ChangeSet, known: Overlay) -> UndoInput:
        standing = read_current_memories(change_set, known)
        in_the_way = [
            change.after.id
            for change in change_set.memory_changes
            if change.after.id in standing
            and change_set_undo.is_overwritten(change, standing[change.after.id])
        ]
        histories = await asyncio.gather(
            *(self._change_sets.history(change_set.user_id, each) for each in in_the_way)
        )
        later = {
            one.id: one
            for history in histories
            for one in history
            if one.revision > change_set.revision
        }
        return UndoInput(change_set=change_set, later=list(later.values()))
