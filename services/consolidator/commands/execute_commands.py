"""Execute people's commands. No I/O: their inputs were read before."""

from collections.abc import Mapping
from datetime import datetime

from palimpsest.events.commands import (
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
from palimpsest.events.envelope import Event
from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.change_set import ChangeRefusal, SettingsChange
from palimpsest.model.errors import InvalidEvent
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.consolidation import manual_edits, manual_merges, reactivation
from palimpsest_server.domain.consolidation.manual_edits import (
    MemoryChangeRefused,
    MemoryCommandOutcome,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from services.consolidator.commands.command_reader import CommandInputs
from services.consolidator.commands.erasure_commands import (
    execute_erasure,
    purge_if_still_forgotten,
)
from services.consolidator.commands.executed_command import ExecutedCommand
from services.consolidator.commands.undo_commands import execute_undo


def execute_command(
    event: CommandEvent,
    known: Overlay,
    asked: CommandInputs,
    *,
    settings: UserSettings,
    now: datetime,
) -> ExecutedCommand:
    """Put into `known` what the command changes in it.

    Raises:
        InvalidEvent: it is no command about memories.
    """
    try:
        return _done(event, known, asked, settings, now)
    except MemoryChangeRefused as error:
        return ExecutedCommand(outcome=MemoryCommandOutcome.REFUSED, refusal=error.refusal)


def collect_command_vectors(event: Event) -> Mapping[str, TextVectors]:
    """The vectors that a command brings, by the text that they are of."""
    if not isinstance(event, EditMemory | MergeMemories):
        return {}
    texts = (text.dense for text in event.texts())
    return dict(zip(texts, event.vectors, strict=False))


def _done(
    event: CommandEvent, known: Overlay, asked: CommandInputs, settings: UserSettings, now: datetime
) -> ExecutedCommand:
    match event:
        case UndoChange():
            return execute_undo(event, known, asked.undoing.get(event.change_set_id), settings)
        case PurgeMemory() | DeleteProject() | ForgetTopic() | ForgetEverything():
            of_project = asked.of_project.get(event.event_id, ())
            return execute_erasure(event, known, of_project=of_project)
        case PurgeForgotten():
            return purge_if_still_forgotten(event, known)
        case SetTier():
            return _settle(settings, settings.model_copy(update={"tier": event.tier}))
        case _:
            outcome = _by_hand(event, known, asked, now)
    reason = None if outcome is MemoryCommandOutcome.UNCHANGED else getattr(event, "reason", None)
    return ExecutedCommand(outcome=outcome, reason=reason, vectors=collect_command_vectors(event))


def _by_hand(
    event: CommandEvent, known: Overlay, asked: CommandInputs, now: datetime
) -> MemoryCommandOutcome:
    match event:
        case EditMemory():
            outcome = _edit(event, known, now)
        case PinMemory():
            outcome = manual_edits.pin_memory(known, event.memory_id, pinned=event.pinned)
        case ConfirmMemory():
            outcome = reactivation.confirm_memory(known, event.memory_id)
        case RejectMemory():
            outcome = manual_edits.reject_memory(known, event.memory_id, reason=event.reason)
        case RestoreMemory():
            outcome = reactivation.restore_memory(known, event.memory_id, at=now)
        case MergeMemories():
            outcome = _merge(event, known)
        case CloseProject():
            ids = asked.of_project.get(event.event_id, ())
            outcome = manual_edits.archive_memories(known, ids, reason=event.reason)
        case _:
            raise InvalidEvent(f"nothing is decided about {event.type}")
    return outcome


def _settle(before: UserSettings, after: UserSettings) -> ExecutedCommand:
    if before == after:
        return ExecutedCommand(outcome=MemoryCommandOutcome.UNCHANGED)
    changes = (SettingsChange(before=before, after=after),)
    return ExecutedCommand(
        outcome=MemoryCommandOutcome.EDITED, reason="settings changed", others=changes
    )


def _merge(event: MergeMemories, known: Overlay) -> MemoryCommandOutcome:
    return manual_merges.merge_memories(
        known,
        event.memory_ids,
        content=event.content,
        summary=event.summary,
        at=event.received_at or event.occurred_at,
    )


def _edit(event: EditMemory, known: Overlay, now: datetime) -> MemoryCommandOutcome:
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
        at=event.received_at or now,
    )
