"""Known todos during a run of events, with the changes that follow from its decisions."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from palimpsest.model.change_set import MemoryChange, TodoChange
from palimpsest.model.memory import Memory
from palimpsest.model.todo import Todo, TodoState
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.todos.recurrence import advance
from palimpsest_server.domain.todos.reminder_firing import fire_reminder
from palimpsest_server.domain.todos.settlement import CompletionReport, PendingTodo, match_closings
from palimpsest_server.domain.todos.todo_projection import project_todo


class TodoSettlement(NamedTuple):
    """Ids of todos that are done now, and of those that no longer are."""

    done: list[str]
    open_again: list[str]


class TodoOverlay:
    """Todos that were read, overlaid by decisions since. No I/O."""

    def __init__(self, todos: Iterable[Todo] = ()) -> None:
        self._todos: dict[str, Todo] = {}
        self._said: dict[str, dict[str, CompletionReport]] = {}
        """Completion reports by user and id."""
        self._closed_by: dict[str, str | None] = {}
        self._restored: dict[str, Todo] = {}
        """Todos of imported memories, by id, until their memories are put down."""
        self.read(todos)

    def read(self, todos: Iterable[Todo]) -> None:
        """Add todos read from a store."""
        self._todos |= {todo.id: todo for todo in todos}

    def restore(self, todo: Todo) -> None:
        """Have a todo put down as it was once its memory is, whatever would follow from that."""
        self._restored[todo.id] = todo

    def is_open(self, todo_id: str) -> bool:
        todo = self._todos.get(todo_id)
        return todo is not None and todo.state is TodoState.OPEN

    def get(self, todo_id: str) -> Todo | None:
        return self._todos.get(todo_id)

    def following(
        self, changes: Iterable[MemoryChange], *, time_zone: str, now: datetime
    ) -> tuple[TodoChange, ...]:
        """Return the changes of todos after changes of their memories."""
        found = []
        for change in changes:
            before = self._todos.get(change.after.id)
            restored = self._restored.pop(change.after.id, None)
            if restored is not None and before is None:
                found.append(self._changed(None, restored))
                continue
            after = project_todo(change, before, time_zone=time_zone, now=now)
            if after is not None and after != before:
                by = self._closed_by.pop(after.id, after.completed_by)
                found.append(self._changed(before, after.model_copy(update={"completed_by": by})))
        return (*found, *self._closed_by_another())

    def _closed_by_another(self) -> Iterator[TodoChange]:
        """Yield todos that were done before and are still done, now by another report."""
        moved, self._closed_by = self._closed_by, {}
        for todo_id, by in moved.items():
            before = self._todos[todo_id]
            if before.state is TodoState.DONE and before.completed_by != by:
                update = {"completed_by": by, "version": before.version + 1}
                yield self._changed(before, before.model_copy(update=update))

    def _changed(self, before: Todo | None, after: Todo) -> TodoChange:
        self._todos[after.id] = after
        return TodoChange(before=before, after=after)

    def reminded(
        self, todo_id: str, remind_at: datetime, now: datetime, settings: UserSettings
    ) -> tuple[TodoChange, ...]:
        """Fire a reminder; no change if the todo is done, was reminded of, or has another time."""
        before = self._todos.get(todo_id)
        if before is None or not before.is_to_be_reminded or before.remind_at != remind_at:
            return ()
        return (self._changed(before, fire_reminder(before, now, settings)),)

    def snoozed(self, todo_id: str, until: datetime) -> TodoChange | None:
        """Move the reminder of an open todo to this time; None if the todo is not open."""
        before = self._todos.get(todo_id)
        if before is None or before.state is not TodoState.OPEN:
            return None
        again = {"remind_at": until, "reminded_at": None, "version": before.version + 1}
        return self._changed(before, before.model_copy(update=again))

    def passed_on(self, todo_id: str, now: datetime) -> TodoChange | None:
        """Pass a recurring todo on to its next occurrence; None if it has none."""
        before = self._todos.get(todo_id)
        if before is None or before.state is not TodoState.OPEN:
            return None
        after = advance(before, max(now, before.due_at or now))
        return None if after is None else self._changed(before, after)

    def hear(self, said: Iterable[CompletionReport]) -> None:
        """Add completion reports, new or stored."""
        for completion_report in said:
            self._said.setdefault(completion_report.user_id, {})[completion_report.id] = (
                completion_report
            )

    def settled(
        self,
        user_id: str,
        *,
        coming: Iterable[MemoryChange],
        memory_of: Callable[[str], Memory | None],
        time_zone: str,
    ) -> TodoSettlement:
        """Return the changes of this user's todos after all reports.

        `coming` holds pending changes of memories, because a todo may be noted and done in one window.
        """
        said = self._said.get(user_id)
        if not said:
            return TodoSettlement([], [])
        own = {todo.id: todo for todo in self._todos.values() if todo.scope.user_id == user_id}
        for change in coming:
            before = self._todos.get(change.after.id)
            after = project_todo(change, before, time_zone=time_zone, now=change.after.recorded_at)
            if after is not None:
                own[after.id] = after
        # A person who reopened a todo knows better than an earlier report.
        overruled = {todo.completed_by for todo in own.values() if todo.state is not TodoState.DONE}
        closed = {
            todo.id
            for todo in own.values()
            if todo.state is TodoState.DONE and todo.completed_by in said
        }
        standing = [
            PendingTodo(
                todo.model_copy(update={"state": TodoState.OPEN}), _last_said(todo, memory_of)
            )
            for todo in own.values()
            # A recurring todo is completed by hand alone, because a report would complete it again and again.
            if todo.recurrence is None
            and (todo.id in closed or (todo.state is TodoState.OPEN and todo.completed_by is None))
        ]
        by = match_closings(
            (
                completion_report
                for completion_report in said.values()
                if completion_report.id not in overruled
            ),
            standing,
        )
        self._closed_by |= {**dict.fromkeys(closed), **by}
        return TodoSettlement(
            done=[each for each in by if each not in closed],
            open_again=[each for each in closed if each not in by],
        )


def _last_said(todo: Todo, memory_of: Callable[[str], Memory | None]) -> datetime:
    memory = memory_of(todo.id)
    said = (
        []
        if memory is None
        else [evidence.said_at for evidence in memory.evidence if evidence.said_at]
    )
    return max([*said, todo.created_at])
