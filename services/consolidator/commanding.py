"""What people's commands do: what must be read for them, and what follows from it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from palimpsest.contracts.commands import (
    CloseProject,
    CommandEvent,
    ConfirmMemory,
    DeleteProject,
    EditMemory,
    ForgetEverything,
    ForgetTopic,
    MergeMemories,
    PinMemory,
    PurgeForgotten,
    PurgeMemory,
    RejectMemory,
    RestoreMemory,
    SetTier,
    UndoChange,
)
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.vectors import TextVectors
from palimpsest.domain.change_set import ChangeSet, Refusal, SettingsChange
from palimpsest.domain.erasure import Erasure
from palimpsest.domain.errors import InvalidEvent
from palimpsest.domain.evolution import editing, erasing, undoing
from palimpsest.domain.evolution.editing import CannotBeDone, Done
from palimpsest.domain.evolution.keys import content_key, family_keys
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.forgetting.purging import LONG_FORGOTTEN
from palimpsest.domain.memory import Memory, Status
from palimpsest.domain.scope import Namespace, Scope
from palimpsest.domain.user import UserSettings
from palimpsest.stores.change_sets import ChangeSetReader
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.namespaces import NamespaceRegistry
from services.consolidator.entities import KnownEntities
from services.consolidator.todos import KnownTodos

MOST_AT_ONCE = 500
"""Memories in one change set, both sides of each: MongoDB keeps no document above 16 MiB."""

_CLOSED = frozenset({Status.ACTIVE, Status.SUPERSEDED})
_ERASABLE = frozenset(Status) - {Status.PURGED}


@dataclass(frozen=True, kw_only=True)
class Undoing:
    change_set: ChangeSet
    later: Sequence[ChangeSet] = ()
    """What else became of its memories, read only where something is in the way."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What commands need beside the memories that they name."""

    undoing: Mapping[str, Undoing] = field(default_factory=dict)
    """By the id of the change set."""
    of_project: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Memory ids, by the id of the event."""


@dataclass(frozen=True, kw_only=True)
class Commanded:
    outcome: Done
    refusal: Refusal | None = None
    others: tuple[SettingsChange | Erasure, ...] = ()
    vectors: Mapping[str, TextVectors] = field(default_factory=dict)
    reason: str | None = None

    @property
    def words(self) -> str:
        if self.refusal is not None:
            return f"refused: {self.refusal.message}"
        return self.reason or self.outcome.value


class Commanding:
    """Reads. What it finds goes into what is known, or beside it."""

    def __init__(
        self,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        change_sets: ChangeSetReader,
        todos: KnownTodos,
        entities: KnownEntities,
    ) -> None:
        self._entities = entities
        self._todos = todos
        self._memories = memories
        self._namespaces = namespaces
        self._change_sets = change_sets

    async def read(self, events: Sequence[Event], known: Overlay) -> Asked:
        """`known` must hold the memories that these events name."""
        await self._read_lines(
            [
                event.memory_id
                for event in events
                if isinstance(event, RestoreMemory | ConfirmMemory)
            ],
            known,
        )
        closing = [event for event in events if isinstance(event, CloseProject | DeleteProject)]
        undone = [event for event in events if isinstance(event, UndoChange)]
        return Asked(
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
        statuses = _CLOSED if isinstance(event, CloseProject) else _ERASABLE
        found = await self._memories.list(scopes, statuses=statuses, limit=MOST_AT_ONCE)
        await self._take_in(known, found)
        return [memory.id for memory in found]

    async def _read_undone(
        self, events: Sequence[UndoChange], known: Overlay
    ) -> Mapping[str, Undoing]:
        wanted = {(event.user_id, event.change_set_id) for event in events}
        found = [
            one
            for one in await self._change_sets.by_ids(sorted({each for _, each in wanted}))
            if (one.user_id, one.id) in wanted
        ]
        ids: dict[Namespace, set[str]] = {}
        for change in (change for one in found for change in one.memory_changes):
            ids.setdefault(change.after.scope.namespace, set()).add(change.after.id)
        await self._take_in(known, await self._memories.of_namespaces(ids))
        return {one.id: await self._undoing(one, known) for one in found}

    async def _take_in(self, known: Overlay, memories: Sequence[Memory]) -> None:
        """What was read before stays as it was read."""
        fresh = [memory for memory in memories if known.get(memory.id) is None]
        known.read(fresh)
        known.todos.read(await self._todos.beside(fresh, ()))
        await self._entities.beside(fresh, known)

    async def _undoing(self, change_set: ChangeSet, known: Overlay) -> Undoing:
        present = _present(change_set, known)
        in_the_way = [
            change.after.id
            for change in change_set.memory_changes
            if change.after.id in present
            and undoing.is_overwritten(change, present[change.after.id])
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
        return Undoing(change_set=change_set, later=list(later.values()))


def command(
    event: CommandEvent, known: Overlay, asked: Asked, *, settings: UserSettings, now: datetime
) -> Commanded:
    """Put into `known` what the command changes in it.

    Raises:
        InvalidEvent: it is no command about memories.
    """
    try:
        return _done(event, known, asked, settings, now)
    except CannotBeDone as error:
        return Commanded(outcome=Done.REFUSED, refusal=error.refusal)


def vectors_of(event: Event) -> Mapping[str, TextVectors]:
    """The vectors that a command brings, by the text that they are of."""
    if not isinstance(event, EditMemory | MergeMemories):
        return {}
    texts = (text.dense for text in event.texts())
    return dict(zip(texts, event.vectors, strict=False))


def _done(
    event: CommandEvent, known: Overlay, asked: Asked, settings: UserSettings, now: datetime
) -> Commanded:
    match event:
        case UndoChange():
            return _undo(event, known, asked, settings)
        case PurgeMemory() | DeleteProject() | ForgetTopic() | ForgetEverything():
            return _erase(event, known, asked)
        case PurgeForgotten():
            return _purge_forgotten(event, known)
        case SetTier():
            return _settle(settings, settings.model_copy(update={"tier": event.tier}))
        case _:
            outcome = _by_hand(event, known, asked, now)
    reason = None if outcome is Done.UNCHANGED else getattr(event, "reason", None)
    return Commanded(outcome=outcome, reason=reason, vectors=vectors_of(event))


def _by_hand(event: CommandEvent, known: Overlay, asked: Asked, now: datetime) -> Done:
    match event:
        case EditMemory():
            outcome = _edit(event, known, now)
        case PinMemory():
            outcome = editing.pin(known, event.memory_id, pinned=event.pinned)
        case ConfirmMemory():
            outcome = editing.confirm(known, event.memory_id)
        case RejectMemory():
            outcome = editing.reject(known, event.memory_id, reason=event.reason)
        case RestoreMemory():
            outcome = editing.restore(known, event.memory_id, at=now)
        case MergeMemories():
            outcome = _merge(event, known)
        case CloseProject():
            ids = asked.of_project.get(event.event_id, ())
            outcome = editing.archive(known, ids, reason=event.reason)
        case _:
            raise InvalidEvent(f"nothing is decided about {event.type}")
    return outcome


def _erase(
    event: PurgeMemory | DeleteProject | ForgetTopic | ForgetEverything,
    known: Overlay,
    asked: Asked,
) -> Commanded:
    epoch = event.epoch or 0
    match event:
        case ForgetEverything():
            erasure = Erasure(everything=True, epoch=epoch + 1)
        case PurgeMemory():
            erasure = Erasure(epoch=epoch, memory_ids=(event.memory_id,))
        case DeleteProject():
            erasure = Erasure(
                epoch=epoch,
                memory_ids=tuple(asked.of_project.get(event.event_id, ())),
                project_id=event.project_id,
                agent_id=event.agent_id,
            )
        case ForgetTopic():
            erasure = Erasure(
                epoch=epoch,
                memory_ids=event.memory_ids,
                turn_ids=event.turn_ids,
                window_ids=event.window_ids,
                request_ids=event.request_ids,
                summary_ids=event.summary_ids,
                dead_letter_ids=event.dead_letter_ids,
            )
    # Of a topic something may have gone since it was looked at.
    there = [each for each in erasure.memory_ids if known.get(each) is not None]
    erasing.purge(known, erasure.memory_ids if isinstance(event, PurgeMemory) else there)
    return Commanded(outcome=Done.PURGED, reason=_ERASED_BECAUSE[event.type], others=(erasure,))


def _purge_forgotten(event: PurgeForgotten, known: Overlay) -> Commanded:
    """What was restored or changed meanwhile stays."""
    standing = [(one, known.get(one.memory_id)) for one in event.memories]
    over = tuple(
        memory.id
        for at, memory in standing
        if memory is not None and (memory.status, memory.version) == (Status.FORGOTTEN, at.version)
    )
    if not over:
        return Commanded(outcome=Done.UNCHANGED)
    erasing.purge(known, over, reason=LONG_FORGOTTEN)
    erasure = Erasure(epoch=event.epoch or 0, memory_ids=over)
    return Commanded(outcome=Done.PURGED, reason=LONG_FORGOTTEN, others=(erasure,))


_ERASED_BECAUSE = {
    "PurgeMemory": "purged",
    "DeleteProject": "project deleted",
    "ForgetTopic": "a topic was forgotten",
    "ForgetEverything": "everything was forgotten",
}


def _settle(before: UserSettings, after: UserSettings) -> Commanded:
    if before == after:
        return Commanded(outcome=Done.UNCHANGED)
    changes = (SettingsChange(before=before, after=after),)
    return Commanded(outcome=Done.EDITED, reason="settings changed", others=changes)


def _merge(event: MergeMemories, known: Overlay) -> Done:
    return editing.merge(
        known,
        event.memory_ids,
        content=event.content,
        summary=event.summary,
        at=event.received_at or event.occurred_at,
    )


def _edit(event: EditMemory, known: Overlay, now: datetime) -> Done:
    memory = known.get(event.memory_id)
    if memory is not None and editing.edited_text(memory, event.edits) not in (None, event.text):
        raise CannotBeDone(
            Refusal(reason="changed_meanwhile", message="it says something else by now")
        )
    return editing.edit(
        known,
        event.memory_id,
        event.edits,
        version=event.version,
        at=event.received_at or now,
    )


def _undo(event: UndoChange, known: Overlay, asked: Asked, settings: UserSettings) -> Commanded:
    undone = asked.undoing.get(event.change_set_id)
    # Another user's event in the same batch may have asked for it, who may have it.
    if undone is None or undone.change_set.user_id != event.user_id:
        raise CannotBeDone(Refusal(reason="not_found", message="there is no such change"))
    change_set, present = undone.change_set, _present(undone.change_set, known)
    try:
        memories = undoing.undo_of_memories(change_set, present)
        after = undoing.undo_of_settings(change_set, settings)
    except CannotBeDone as error:
        later = undoing.latest_in_the_way(change_set, present, undone.later)
        raise CannotBeDone(_naming(error.refusal, later)) from None
    for memory in memories:
        known.put(memory)
    changes = () if after == settings else (SettingsChange(before=settings, after=after),)
    return Commanded(outcome=Done.UNDONE if memories or changes else Done.UNCHANGED, others=changes)


def _naming(refusal: Refusal, later: ChangeSet | None) -> Refusal:
    if later is None:
        return refusal
    return refusal.model_copy(update={"change_set_id": later.id, "revision": later.revision})


def _present(change_set: ChangeSet, known: Overlay) -> dict[str, Memory]:
    found = {change.after.id: known.get(change.after.id) for change in change_set.memory_changes}
    return {memory_id: memory for memory_id, memory in found.items() if memory is not None}
