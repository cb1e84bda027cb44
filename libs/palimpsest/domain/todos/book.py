"""The todos that are known while a run of events is decided, and what became of them."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from palimpsest.domain.change_set import MemoryChange, TodoChange
from palimpsest.domain.todos.completing import Completion, spoken_of
from palimpsest.domain.todos.following import todo_after
from palimpsest.domain.todos.todo import Todo, TodoState


class TodoBook:
    """Holds what was read, under what was decided since. No I/O."""

    def __init__(self, todos: Iterable[Todo] = ()) -> None:
        self._todos: dict[str, Todo] = {}
        self.read(todos)

    def read(self, todos: Iterable[Todo]) -> None:
        """Take in what a store holds."""
        self._todos |= {todo.id: todo for todo in todos}

    def is_open(self, todo_id: str) -> bool:
        todo = self._todos.get(todo_id)
        return todo is not None and todo.state is TodoState.OPEN

    def get(self, todo_id: str) -> Todo | None:
        return self._todos.get(todo_id)

    def following(
        self, changes: Iterable[MemoryChange], *, time_zone: str, now: datetime
    ) -> tuple[TodoChange, ...]:
        """What becomes of todos because their memories have changed."""
        found = []
        for change in changes:
            before = self._todos.get(change.after.id)
            after = todo_after(change, before, time_zone=time_zone, now=now)
            if after is not None and after != before:
                self._todos[after.id] = after
                found.append(TodoChange(before=before, after=after))
        return tuple(found)

    def reminded(self, todo_id: str, remind_at: datetime, now: datetime) -> tuple[TodoChange, ...]:
        """Its user is reminded now; nothing, where that is done or no longer wanted."""
        before = self._todos.get(todo_id)
        if before is None or not before.is_to_be_reminded or before.remind_at != remind_at:
            return ()
        after = before.model_copy(update={"reminded_at": now, "version": before.version + 1})
        self._todos[todo_id] = after
        return (TodoChange(before=before, after=after),)

    def done(
        self,
        user_id: str,
        completions: Sequence[Completion],
        *,
        coming: Iterable[MemoryChange],
        time_zone: str,
    ) -> list[str]:
        """The ids of the open todos of this user that somebody says are done.

        `coming` is what is about to change: a todo may be noted and done in one window.
        """
        open_todos = {
            todo.id: todo
            for todo in self._todos.values()
            if todo.scope.user_id == user_id and todo.state is TodoState.OPEN
        }
        for change in coming:
            before = self._todos.get(change.after.id)
            after = todo_after(change, before, time_zone=time_zone, now=change.after.recorded_at)
            if after is not None:
                open_todos[after.id] = after
        found: list[str] = []
        for completion in completions:
            todo = spoken_of(completion, list(open_todos.values()))
            if todo is not None:
                del open_todos[todo.id]
                found.append(todo.id)
        return found
