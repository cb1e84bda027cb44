"""Todos: reads those that events need, and sends reminders that fall due."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta

import structlog

from palimpsest.events.announcements import ReminderDue
from palimpsest.events.commands import CompleteTodo, ReopenTodo, SnoozeTodo
from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.events.topics import WRITES
from palimpsest.events.writes import TodoDue
from palimpsest.model.change_set import ChangeSet, TodoChange
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Memory
from palimpsest.model.scope import Namespace
from palimpsest.model.todo import Todo
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.domain.todos.reminder_firing import is_late, write_reminder
from palimpsest_server.stores.expiring_cache import ExpiringCache
from palimpsest_server.stores.todos import TodoStore

REMINDER_INTERVAL = timedelta(seconds=5)
"""Time between looks, and so the longest delay of a reminder."""

REMINDERS_AT_ONCE = 500
"""Reminders that are sent together; a look sends all that are due."""

_SENT_LATELY = timedelta(minutes=1)
"""A reminder sent within this time is not sent again by the next look."""

_log = structlog.get_logger("palimpsest.consolidator")


class TodoLookup:
    """Reads the todos that events may concern. Most batches concern none, and read nothing."""

    def __init__(self, todos: TodoStore) -> None:
        self._todos = todos

    async def beside(self, memories: Collection[Memory], events: Sequence[Event]) -> list[Todo]:
        """Return the todos of these memories, and those that these events name."""
        wanted: dict[str, set[str]] = {}
        for memory in memories:
            if memory.kind.properties.is_todo:
                wanted.setdefault(memory.scope.user_id, set()).add(memory.id)
        for event in events:
            if isinstance(event, TodoDue):
                wanted.setdefault(event.user_id, set()).add(event.todo_id)
        return await self._todos.by_ids(wanted) if wanted else []


def find_named_memory(event: Event) -> str | None:
    """Return the id of the memory that a todo command is about: it is the todo's id."""
    named = CompleteTodo | ReopenTodo | SnoozeTodo
    return event.todo_id if isinstance(event, named) else None


def group_memory_ids(todos: Sequence[Todo]) -> dict[Namespace, set[str]]:
    wanted: dict[Namespace, set[str]] = {}
    for todo in todos:
        wanted.setdefault(todo.scope.namespace, set()).add(todo.id)
    return wanted


def has_reminders(change_set: ChangeSet) -> bool:
    """Tell whether the change set reminds its user of something."""
    return any(isinstance(change, TodoChange) and _reminds(change) for change in change_set.changes)


def build_reminders(change_set: ChangeSet, *, time_zone: str) -> Iterator[ReminderDue]:
    """Yield the reminders of this change set: the same events every time.

    Args:
        change_set: may change todos of its user.
        time_zone: where the user lives; the dates in the words of a reminder are days there.
    """
    for change in change_set.changes:
        if not isinstance(change, TodoChange) or not _reminds(change):
            continue
        todo = change.after
        before = change.before or todo
        content, text = write_reminder(todo, time_zone)
        yield ReminderDue(
            event_id=derive_event_id("ReminderDue", todo.scope.user_id, todo.id, _at(before)),
            occurred_at=todo.reminded_at or change_set.decided_at,
            received_at=change_set.decided_at,
            epoch=change_set.epoch,
            user_id=todo.scope.user_id,
            agent_id=todo.scope.agent_id,
            project_id=todo.scope.project_id,
            session_id=todo.session_id,
            todo_id=todo.id,
            content=content,
            text=text,
            due_at=todo.due_at,
            all_day=todo.all_day,
            late=is_late(before, todo),
        )


def _reminds(change: TodoChange) -> bool:
    return (
        change.before is not None
        and change.after.reminded_at is not None
        and change.after.reminded_at != change.before.reminded_at
    )


def _at(todo: Todo) -> str:
    return "" if todo.remind_at is None else todo.remind_at.isoformat()


class ReminderSender:
    """Looks for due reminders, and sends each as an event to the consolidator.

    Several processes may look, and each may die at any point: the event's id is derived from the
    todo and its time, and the reminder is sent again until the todo is marked as reminded.
    """

    def __init__(self, todos: TodoStore, *, publisher: Publisher, clock: Clock) -> None:
        self._todos = todos
        self._publisher = publisher
        self._clock = clock
        self._sent = ExpiringCache[str, bool](_SENT_LATELY)
        self._many_read_at: datetime | None = None

    async def watch(self) -> None:
        """Send due reminders periodically, until cancelled."""
        await run_periodically(
            self.look,
            every=REMINDER_INTERVAL,
            log=_log,
            failure="could not look for reminders",
        )

    async def look(self) -> int:
        """Send due reminders and return their number."""
        now = self._clock()
        after = self._skips_until(now)
        count = read = 0
        reminders = self._todos.due_reminders(before=now, size=REMINDERS_AT_ONCE, after=after)
        async with aclosing(reminders) as pages:
            async for due in pages:
                read += len(due)
                count += await self._send(due, now)
        if after is None:
            self._many_read_at = now if read >= REMINDERS_AT_ONCE else None
        return count

    def _skips_until(self, now: datetime) -> datetime | None:
        """Return the time of a look that found so many that reading them again would take from giving them.

        None of them would be sent again before `_SENT_LATELY` is over.
        """
        at = self._many_read_at
        return at if at is not None and at <= now < at + _SENT_LATELY else None

    async def _send(self, due: Sequence[Todo], now: datetime) -> int:
        events = [_due(todo, todo.remind_at, now) for todo in due if todo.remind_at is not None]
        sent = self._sent.living([event.event_id for event in events], now)
        fresh = [event for event in events if event.event_id not in sent]
        if fresh:
            await self._publisher.publish(WRITES, fresh)
            self._sent.keep({event.event_id: True for event in fresh}, now)
        return len(fresh)


def _due(todo: Todo, remind_at: datetime, now: datetime) -> TodoDue:
    user_id = todo.scope.user_id
    return TodoDue(
        # The version is part of the id: a reopened todo may be due at the same time again.
        event_id=derive_event_id(
            "TodoDue", user_id, todo.id, remind_at.isoformat(), str(todo.version)
        ),
        occurred_at=remind_at,
        received_at=now,
        epoch=todo.epoch,
        user_id=user_id,
        agent_id=todo.scope.agent_id,
        project_id=todo.scope.project_id,
        todo_id=todo.id,
        remind_at=remind_at,
    )
