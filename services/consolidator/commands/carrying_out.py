"""What people's commands do. No I/O: what they need was read before."""

from collections.abc import Mapping
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
from palimpsest.domain.change_set import Refusal, SettingsChange
from palimpsest.domain.errors import InvalidEvent
from palimpsest.domain.evolution import editing, joining, restoring
from palimpsest.domain.evolution.editing import CannotBeDone, Done
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.user import UserSettings
from services.consolidator.commands.commanded import Commanded
from services.consolidator.commands.erasing import erased, purged_if_still_forgotten
from services.consolidator.commands.reading import Asked
from services.consolidator.commands.undoing import undone


def carried_out(
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
            return undone(event, known, asked.undoing.get(event.change_set_id), settings)
        case PurgeMemory() | DeleteProject() | ForgetTopic() | ForgetEverything():
            of_project = asked.of_project.get(event.event_id, ())
            return erased(event, known, of_project=of_project)
        case PurgeForgotten():
            return purged_if_still_forgotten(event, known)
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
            outcome = restoring.confirm(known, event.memory_id)
        case RejectMemory():
            outcome = editing.reject(known, event.memory_id, reason=event.reason)
        case RestoreMemory():
            outcome = restoring.restore(known, event.memory_id, at=now)
        case MergeMemories():
            outcome = _merge(event, known)
        case CloseProject():
            ids = asked.of_project.get(event.event_id, ())
            outcome = editing.archive(known, ids, reason=event.reason)
        case _:
            raise InvalidEvent(f"nothing is decided about {event.type}")
    return outcome


def _settle(before: UserSettings, after: UserSettings) -> Commanded:
    if before == after:
        return Commanded(outcome=Done.UNCHANGED)
    changes = (SettingsChange(before=before, after=after),)
    return Commanded(outcome=Done.EDITED, reason="settings changed", others=changes)


def _merge(event: MergeMemories, known: Overlay) -> Done:
    return joining.merge(
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
