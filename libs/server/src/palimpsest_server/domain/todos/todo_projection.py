"""A todo follows its memory: changes of the memory determine the todo."""

from datetime import datetime

from palimpsest.model.change_set import MemoryChange
from palimpsest.model.memory import Memory, Status
from palimpsest.model.memory_times import read_moment
from palimpsest.model.todo import Todo, TodoState
from palimpsest_server.domain.todos.due_time import read_stated_due_time
from palimpsest_server.domain.todos.recurrence import build_recurrence
from palimpsest_server.domain.todos.reminders import compute_reminder_time, parse_reminder_request

_DATES = ("time", "due_at", "remind_at", "recurrence")
"""Fields of a memory's data that determine the dates of its todo."""
DONE = "done"
"""Reason with which the memory of a completed todo is archived."""


def project_todo(
    change: MemoryChange, before: Todo | None, *, time_zone: str, now: datetime
) -> Todo | None:
    """Return the todo after a change of its memory; None if there is no todo.

    A memory that is and was no action item has none, nor has one that waits for confirmation.
    `before` is the current todo.
    """
    memory = change.after
    if not memory.kind.properties.is_todo:
        return None if before is None else _closed(before, TodoState.DROPPED, now)
    if memory.status is not Status.ACTIVE:
        done = memory.status is Status.ARCHIVED and memory.status_reason == DONE
        over = done or memory.status is Status.SUPERSEDED
        if before is None and over and change.before is None:
            # Noted and done in one window, or read after the report that closed it or the memory that replaced it.
            before = _written(memory, time_zone)
        if before is None:
            return None
        return _closed(before, TodoState.DONE if done else TodoState.DROPPED, now)
    if before is None:
        return _written(memory, time_zone)
    if change.before is not None and _says_the_same(change.before, memory):
        # A user's move to another time zone does not move the due time.
        return _next(before, state=TodoState.OPEN, completed_at=None)
    return _rewritten(before, _written(memory, time_zone))


def _closed(before: Todo, state: TodoState, now: datetime) -> Todo:
    if before.state is state:
        return before
    completed_at = now if state is TodoState.DONE else None
    return _next(before, state=state, completed_at=completed_at)


def _says_the_same(before: Memory, after: Memory) -> bool:
    dates = [[memory.data.get(name) for name in _DATES] for memory in (before, after)]
    return before.content == after.content and dates[0] == dates[1]


def _written(memory: Memory, time_zone: str) -> Todo:
    falls_due = read_stated_due_time(
        memory.data, words=_words(memory), said_at=memory.valid_from, time_zone=time_zone
    )
    source = memory.evidence[0] if memory.evidence else None
    due_at = falls_due.at if falls_due else None
    remind_at = read_moment(memory.data, "remind_at") or compute_reminder_time(
        falls_due,
        parse_reminder_request(_words(memory), time_words=_time_words(memory)),
        noted_at=memory.recorded_at,
        time_zone=time_zone,
    )
    rule = memory.data.get("recurrence")
    recurrence = None
    if isinstance(rule, str):
        recurrence = build_recurrence(rule, due_at=due_at, remind_at=remind_at, time_zone=time_zone)
    return Todo(
        id=memory.id,
        scope=memory.scope,
        content=memory.content,
        due_at=due_at,
        all_day=falls_due.all_day if falls_due else False,
        remind_at=remind_at,
        recurrence=recurrence,
        session_id=source.session_id if source else None,
        message_id=source.message_id if source else None,
        created_at=memory.valid_from,
        epoch=memory.epoch,
    )


def _rewritten(before: Todo, written: Todo) -> Todo:
    """Return the rewritten todo, without a second reminder for the same time."""
    again = before.reminded_at if written.due_at == before.due_at else None
    return _next(
        before,
        content=written.content,
        due_at=written.due_at,
        all_day=written.all_day,
        remind_at=written.remind_at,
        reminded_at=again,
        recurrence=written.recurrence,
        state=TodoState.OPEN,
        completed_at=None,
    )


def _next(before: Todo, **changes: object) -> Todo:
    after = before.model_copy(update=changes)
    return before if after == before else after.model_copy(update={"version": before.version + 1})


def _words(memory: Memory) -> str:
    return "\n".join([*(evidence.quote for evidence in memory.evidence), memory.content])


def _time_words(memory: Memory) -> str | None:
    time = memory.data.get("time")
    words = time.get("words") if isinstance(time, dict) else None
    return words if isinstance(words, str) else None
