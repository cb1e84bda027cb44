"""Events that announce a change set: one for each changed record. Pure."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from palimpsest.api.change_events import ChangedRecord, ChangeEvent, ChangeEventType
from palimpsest.model.change_set import (
    Change,
    ChangeSet,
    MemoryChange,
    ProfileChange,
    SummaryChange,
    TodoChange,
)
from palimpsest.model.erasure import Erasure
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Status
from palimpsest.model.todo import TodoState
from palimpsest.model.user import UserState
from palimpsest_server.domain.todos.reminder_firing import is_late, write_reminder

_Type = ChangeEventType

_BECOMES: Mapping[Status, ChangeEventType] = {
    Status.PENDING: _Type.MEMORY_PENDING,
    Status.ACTIVE: _Type.MEMORY_CREATED,
    Status.SUPERSEDED: _Type.MEMORY_SUPERSEDED,
    Status.ARCHIVED: _Type.MEMORY_ARCHIVED,
    Status.FORGOTTEN: _Type.MEMORY_FORGOTTEN,
    Status.REJECTED: _Type.MEMORY_REJECTED,
    Status.PURGED: _Type.MEMORY_PURGED,
}


def list_change_events(change_set: ChangeSet, state: UserState) -> list[ChangeEvent]:
    """Return the events of a change set, in its order; repeated calls return the same events.

    Args:
        change_set: an applied and projected change set.
        state: the state of its user. A change set of an older epoch yields only its erasure. Events
            of records under erasure carry no words.
    """
    outdated = change_set.epoch < state.epoch
    told = {change.after.id for change in change_set.memory_changes}
    return [
        event
        for change in change_set.changes
        if not outdated or isinstance(change, Erasure)
        for event in _events(change_set, change, state, told)
    ]


def _events(
    change_set: ChangeSet, change: Change, state: UserState, told: Collection[str]
) -> Iterator[ChangeEvent]:
    hidden = {each for pending in state.going for each in pending.erasure.memory_ids}
    if isinstance(change, Erasure):
        gone = (
            [None] if change.everything else [one for one in change.memory_ids if one not in told]
        )
        for memory_id in gone:
            yield _event(
                change_set,
                _Type.MEMORY_PURGED,
                record="memory",
                id=memory_id,
                user_id=change_set.user_id,
                status=Status.PURGED,
            )
        return
    for kind, record in _RECORDS.items():
        if isinstance(change, kind):
            found = record(change, state.settings.time_zone)
            if found is not None:
                event_type, fields = found
                if fields["id"] in hidden or fields.get("status") == Status.PURGED:
                    fields["content"] = None
                yield _event(change_set, event_type, **fields)


def _event(change_set: ChangeSet, event_type: ChangeEventType, **fields: Any) -> ChangeEvent:
    record = ChangedRecord(change_set_id=change_set.id, revision=change_set.revision, **fields)
    return ChangeEvent(
        id=derive_id("change event", change_set.id, record.record, record.id),
        type=event_type,
        timestamp=change_set.decided_at,
        data=record,
    )


_Told = tuple[ChangeEventType, dict[str, Any]] | None


def _memory(change: MemoryChange, _time_zone: str) -> _Told:
    before, after = change.before, change.after
    if before is None:
        event_type = _BECOMES[after.status]
    elif before.status is after.status:
        event_type = _Type.MEMORY_UPDATED
    elif after.status is not Status.ACTIVE:
        event_type = _BECOMES[after.status]
    elif before.status is Status.PENDING:
        event_type = _Type.MEMORY_CONFIRMED
    else:
        event_type = _Type.MEMORY_RESTORED
    return event_type, {
        "record": "memory",
        "id": after.id,
        **after.scope.model_dump(),
        "status": after.status,
        "version": after.version,
        "content": after.content,
    }


def _todo(change: TodoChange, time_zone: str) -> _Told:
    before, after = change.before, change.after
    content, late = after.content, None
    if before is None:
        event_type = _Type.TODO_CREATED
    elif before.state is not after.state:
        event_type = _TODO_BECOMES[after.state]
    elif after.reminded_at is not None and after.reminded_at != before.reminded_at:
        event_type, late = _Type.TODO_REMINDED, is_late(before, after)
        _, content = write_reminder(after, time_zone)
    else:
        event_type = _Type.TODO_UPDATED
    return event_type, {
        "record": "todo",
        "id": after.id,
        **after.scope.model_dump(),
        "session_id": after.session_id,
        "status": after.state,
        "version": after.version,
        "late": late,
        "content": content,
    }


_TODO_BECOMES: Mapping[TodoState, ChangeEventType] = {
    TodoState.OPEN: _Type.TODO_REOPENED,
    TodoState.DONE: _Type.TODO_COMPLETED,
    TodoState.DROPPED: _Type.TODO_DROPPED,
}


def _profile(change: ProfileChange, _time_zone: str) -> _Told:
    after = change.after
    return _Type.PROFILE_UPDATED, {
        "record": "profile",
        "id": after.id,
        "user_id": after.user_id,
        "agent_id": after.agent_id,
        "version": after.version,
        "content": after.narrative,
    }


def _summary(change: SummaryChange, _time_zone: str) -> _Told:
    after = change.after
    if after.failed:
        return None
    return _Type.SESSION_SUMMARISED, {
        "record": "summary",
        "id": after.id,
        **after.scope.model_dump(),
        "session_id": after.session_id,
        "version": after.version,
        "content": after.text,
    }


_RECORDS: Mapping[type[Any], Callable[[Any, str], _Told]] = {
    MemoryChange: _memory,
    TodoChange: _todo,
    ProfileChange: _profile,
    SummaryChange: _summary,
}


def without_content(events: Sequence[ChangeEvent]) -> list[ChangeEvent]:
    """Return the events with ids and kinds of change alone."""
    return [
        event.model_copy(update={"data": event.data.model_copy(update={"content": None})})
        for event in events
    ]
