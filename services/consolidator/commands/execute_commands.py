"""Execute people's commands. No I/O: their inputs are read before."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from palimpsest.events.commands import (
    CloseProject,
    CommandEvent,
    CompleteTodo,
    ConfirmMemory,
    DeleteProject,
    EditMemory,
    ForgetEverything,
    ForgetMemory,
    ForgetTopic,
    ImportMemories,
    MergeMemories,
    PinMemory,
    PurgeForgotten,
    PurgeMemory,
    RefreshProfile,
    RejectMemory,
    RelateMemory,
    ReopenTodo,
    RestoreMemory,
    SetSettings,
    SetTier,
    SnoozeTodo,
    UndoChange,
    UndoSession,
    WithdrawEvidence,
)
from palimpsest.events.embeddable_event import EmbeddableEvent
from palimpsest.events.envelope import Event
from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.change_set import ChangeRefusal, SettingsChange
from palimpsest.model.errors import InvalidEvent
from palimpsest.model.memory import Relation, RelationType
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.consolidation import manual_edits, manual_merges, reactivation
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    forget_memory,
)
from palimpsest_server.domain.consolidation.evidence_withdrawal import withdraw_evidence
from palimpsest_server.domain.consolidation.imported_memories import import_memory
from palimpsest_server.domain.consolidation.manual_edits import (
    MemoryChangeRefused,
    MemoryCommandOutcome,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.todos.completion import complete_todo, reopen_todo
from palimpsest_server.stores.session_changes import SessionChanges
from services.consolidator.commands.command_reader import CommandInputs
from services.consolidator.commands.erasure_commands import (
    ErasureCommand,
    execute_erasure,
    purge_if_still_forgotten,
)
from services.consolidator.commands.executed_command import ExecutedCommand
from services.consolidator.commands.undo_commands import execute_session_undo, execute_undo
from services.consolidator.settings_update import update_settings


@dataclass(frozen=True, kw_only=True)
class CommandGrounds:
    """Grounds for executing a command, beside the command itself."""

    known: Overlay
    asked: CommandInputs
    settings: UserSettings
    now: datetime

    def memories_of_project(self, event: CommandEvent) -> Sequence[str]:
        return self.asked.of_project.get(event.event_id, ())


def execute_command(event: CommandEvent, grounds: CommandGrounds) -> ExecutedCommand:
    """Execute a command, and put the changed memories into `known`.

    Raises:
        InvalidEvent: nothing executes this type of command.
    """
    executor = EXECUTORS.get(type(event))
    if executor is None:
        raise InvalidEvent(f"nothing is decided about {event.type}")
    try:
        done = executor(event, grounds)
    except MemoryChangeRefused as error:
        return ExecutedCommand(outcome=MemoryCommandOutcome.REFUSED, refusal=error.refusal)
    if isinstance(done, ExecutedCommand):
        return done
    reason = None if done is MemoryCommandOutcome.UNCHANGED else getattr(event, "reason", None)
    return ExecutedCommand(outcome=done, reason=reason, vectors=collect_command_vectors(event))


def collect_command_vectors(event: Event) -> Mapping[str, TextVectors]:
    """Return the vectors that a command brings, by embedded text."""
    if not (isinstance(event, CommandEvent) and isinstance(event, EmbeddableEvent)):
        return {}
    texts = (text.dense for text in event.texts())
    return dict(zip(texts, event.vectors, strict=False))


def _pin(event: PinMemory, grounds: CommandGrounds) -> MemoryCommandOutcome:
    return manual_edits.pin_memory(grounds.known, event.memory_id, pinned=event.pinned)


def _relate(event: RelateMemory, grounds: CommandGrounds) -> MemoryCommandOutcome:
    relation = Relation(
        type=RelationType(event.relation), memory_id=event.other_id, strength=event.strength
    )
    return manual_edits.relate_memory(grounds.known, event.memory_id, relation)


def _confirm(event: ConfirmMemory, grounds: CommandGrounds) -> MemoryCommandOutcome:
    return reactivation.confirm_memory(grounds.known, event.memory_id)


def _reject(event: RejectMemory, grounds: CommandGrounds) -> MemoryCommandOutcome:
    return manual_edits.reject_memory(grounds.known, event.memory_id, reason=event.reason)


def _restore(event: RestoreMemory, grounds: CommandGrounds) -> MemoryCommandOutcome:
    return reactivation.restore_memory(grounds.known, event.memory_id, at=grounds.now)


def _forget(event: ForgetMemory, grounds: CommandGrounds) -> ExecutedCommand:
    outcome = forget_memory(grounds.known, event.memory_id, reason=event.reason)
    reason = event.reason if outcome is ConsolidationOutcome.FORGOTTEN else None
    return ExecutedCommand(outcome=outcome, reason=reason)


def _withdraw(event: WithdrawEvidence, grounds: CommandGrounds) -> ExecutedCommand:
    outcome = withdraw_evidence(grounds.known, event.memory_id, event.turn_ids, reason=event.reason)
    return ExecutedCommand(outcome=outcome)


def _complete(event: CompleteTodo, grounds: CommandGrounds) -> ExecutedCommand:
    passed_on = grounds.known.todos.passed_on(event.todo_id, grounds.now)
    if passed_on is not None:
        words = "done this time"
        return ExecutedCommand(
            outcome=ConsolidationOutcome.COMPLETED, reason=words, others=(passed_on,)
        )
    return ExecutedCommand(outcome=complete_todo(grounds.known, event.todo_id))


def _reopen(event: ReopenTodo, grounds: CommandGrounds) -> ExecutedCommand:
    return ExecutedCommand(outcome=reopen_todo(grounds.known, event.todo_id))


def _snooze(event: SnoozeTodo, grounds: CommandGrounds) -> ExecutedCommand:
    # Compared with when it was asked: a command that waited while the writer was away still counts.
    if event.until <= event.occurred_at:
        message = "the time until which it is put off is past"
        raise MemoryChangeRefused(ChangeRefusal(reason="time_is_past", message=message))
    snoozed = grounds.known.todos.snoozed(event.todo_id, event.until)
    if snoozed is None:
        if grounds.known.get(event.todo_id) is None:
            return ExecutedCommand(outcome=ConsolidationOutcome.UNKNOWN)
        message = "this is done already, or no longer to be done"
        raise MemoryChangeRefused(ChangeRefusal(reason="not_open", message=message))
    return ExecutedCommand(outcome=None, reason="snoozed", others=(snoozed,))


def _close_project(event: CloseProject, grounds: CommandGrounds) -> MemoryCommandOutcome:
    ids = grounds.memories_of_project(event)
    return manual_edits.archive_memories(grounds.known, ids, reason=event.reason)


def _undo(event: UndoChange, grounds: CommandGrounds) -> ExecutedCommand:
    found = grounds.asked.undoing.get(event.change_set_id)
    return execute_undo(event, grounds.known, found, grounds.settings)


def _undo_session(event: UndoSession, grounds: CommandGrounds) -> ExecutedCommand:
    found = grounds.asked.of_session.get(event.event_id, SessionChanges())
    return execute_session_undo(event, grounds.known, found, grounds.settings)


def _refresh_profile(_event: RefreshProfile, _grounds: CommandGrounds) -> ExecutedCommand:
    """Change nothing: the change set itself is the reason for a new profile."""
    return ExecutedCommand(outcome=None, reason="profiles are written anew")


def _import(event: ImportMemories, grounds: CommandGrounds) -> ExecutedCommand:
    taken = [
        import_memory(
            grounds.known,
            imported.memory,
            imported.todo,
            user_id=event.user_id,
            epoch=event.epoch or 0,
        )
        for imported in event.memories
    ]
    return ExecutedCommand(
        outcome=MemoryCommandOutcome.IMPORTED if any(taken) else MemoryCommandOutcome.UNCHANGED,
        reason=f"imported {sum(taken)} of {len(taken)} memories",
        vectors=collect_command_vectors(event),
    )


def _erase(event: ErasureCommand, grounds: CommandGrounds) -> ExecutedCommand:
    return execute_erasure(event, grounds.known, of_project=grounds.memories_of_project(event))


def _purge_forgotten(event: PurgeForgotten, grounds: CommandGrounds) -> ExecutedCommand:
    return purge_if_still_forgotten(event, grounds.known)


def _set_settings(event: SetSettings, grounds: CommandGrounds) -> ExecutedCommand:
    changes = _settings_change(grounds.settings, update_settings(event, grounds.settings))
    reason = "settings changed" if changes else "settings as they were"
    return ExecutedCommand(outcome=None, reason=reason, others=changes)


def _set_tier(event: SetTier, grounds: CommandGrounds) -> ExecutedCommand:
    after = grounds.settings.model_copy(update={"tier": event.tier})
    changes = _settings_change(grounds.settings, after)
    if not changes:
        return ExecutedCommand(outcome=MemoryCommandOutcome.UNCHANGED)
    return ExecutedCommand(
        outcome=MemoryCommandOutcome.EDITED, reason="settings changed", others=changes
    )


def _settings_change(before: UserSettings, after: UserSettings) -> tuple[SettingsChange, ...]:
    return () if before == after else (SettingsChange(before=before, after=after),)


def _merge(event: MergeMemories, grounds: CommandGrounds) -> MemoryCommandOutcome:
    return manual_merges.merge_memories(
        grounds.known,
        event.memory_ids,
        content=event.content,
        summary=event.summary,
        at=event.received_at or event.occurred_at,
    )


def _edit(event: EditMemory, grounds: CommandGrounds) -> MemoryCommandOutcome:
    known = grounds.known
    memory = known.get(event.memory_id)
    if memory is not None and manual_edits.embedded_text_after_edits(memory, event.edits) not in (
        None,
        event.text,
    ):
        raise MemoryChangeRefused(
            ChangeRefusal(reason="changed_meanwhile", message="it says something else by now")
        )
    return manual_edits.edit_memory(
        known,
        event.memory_id,
        event.edits,
        version=event.version,
        at=event.received_at or grounds.now,
    )


EXECUTORS: Mapping[
    type[CommandEvent], Callable[[Any, CommandGrounds], ExecutedCommand | MemoryCommandOutcome]
] = {
    ForgetMemory: _forget,
    WithdrawEvidence: _withdraw,
    EditMemory: _edit,
    PinMemory: _pin,
    RelateMemory: _relate,
    ConfirmMemory: _confirm,
    RejectMemory: _reject,
    RestoreMemory: _restore,
    MergeMemories: _merge,
    ImportMemories: _import,
    CloseProject: _close_project,
    UndoChange: _undo,
    UndoSession: _undo_session,
    RefreshProfile: _refresh_profile,
    PurgeMemory: _erase,
    DeleteProject: _erase,
    ForgetTopic: _erase,
    ForgetEverything: _erase,
    PurgeForgotten: _purge_forgotten,
    SetSettings: _set_settings,
    SetTier: _set_tier,
    CompleteTodo: _complete,
    ReopenTodo: _reopen,
    SnoozeTodo: _snooze,
}
"""The function that executes each command. If it returns an outcome alone, the command's own reason
and vectors are used.
"""
