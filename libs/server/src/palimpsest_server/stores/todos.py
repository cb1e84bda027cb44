"""Todos: read by scope, written by one service, each version once."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Protocol

from palimpsest.model.change_set import TodoChange
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.todo import Todo, TodoState
from palimpsest_server.stores.listed_scopes import ListedScopes

Todos = list[Todo]
"""Alias, because a reader's method `list` hides the type inside its class."""


class TodoReader(Protocol):
    async def list(
        self,
        scopes: ListedScopes,
        *,
        states: Collection[TodoState] = frozenset({TodoState.OPEN}),
        due_before: datetime | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Todos:
        """Return todos of exactly these scopes of one user, earliest due first, undated last.

        Only todos due before `due_before` are returned, if it is given. `after` is the last id of the page
        before.

        Raises:
            NotFound: no todo of the id `after` is among these.
        """
        ...


class TodoStore(TodoReader, Protocol):
    async def by_ids(self, ids: Mapping[str, Collection[str]]) -> Todos:
        """Return todos by id that belong to these users, in no order."""
        ...

    async def open_of(self, user_ids: Collection[str]) -> Todos:
        """Return all open todos of these users, in no order."""
        ...

    async def closed_by(self, said: Mapping[str, Collection[str]]) -> Todos:
        """Return the todos that one of these reported completions closed, whatever their state is now."""
        ...

    async def done_since(self, user_id: str, since: datetime) -> Todos:
        """Return all todos that this user completed since the moment, in no order."""
        ...

    def due_reminders(
        self, *, before: datetime, size: int, after: datetime | None = None
    ) -> AsyncGenerator[Todos, None]:
        """Yield open todos with a reminder due by `before` and not given yet, oldest reminder first.

        They come in pages of `size`, of which none is empty; with `after` only those due later than that.
        """
        ...

    async def write(self, todos: Sequence[Todo]) -> None:
        """Write each todo, unless the same or a later version is stored."""
        ...

    async def apply(self, changes: Sequence[TodoChange]) -> None:
        """Write the todo of each change, unless the same or a later version is stored.

        The version before a change is stored already, or comes earlier in `changes`.
        """
        ...

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        """Delete a user's todos of epochs below `before_epoch`; return how many."""
        ...


class InMemoryTodos:
    """The twin of `MongoTodos`."""

    def __init__(self) -> None:
        self._todos: dict[str, Todo] = {}

    async def list(
        self,
        scopes: ListedScopes,
        *,
        states: Collection[TodoState] = frozenset({TodoState.OPEN}),
        due_before: datetime | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Todos:
        todos = [
            todo
            for todo in self._todos.values()
            if todo.scope in scopes and todo.state in states and is_due(todo, due_before)
        ]
        return take_page(todos, limit=limit, after=after)

    async def by_ids(self, ids: Mapping[str, Collection[str]]) -> Todos:
        return [todo for todo in self._todos.values() if todo.id in ids.get(todo.scope.user_id, ())]

    async def open_of(self, user_ids: Collection[str]) -> Todos:
        return [
            todo
            for todo in self._todos.values()
            if todo.scope.user_id in user_ids and todo.state is TodoState.OPEN
        ]

    async def closed_by(self, said: Mapping[str, Collection[str]]) -> Todos:
        return [
            todo
            for todo in self._todos.values()
            if todo.completed_by in said.get(todo.scope.user_id, ())
        ]

    async def done_since(self, user_id: str, since: datetime) -> Todos:
        return [
            todo
            for todo in self._todos.values()
            if todo.scope.user_id == user_id and todo.state is TodoState.DONE
            if todo.completed_at is not None and todo.completed_at >= since
        ]

    async def due_reminders(
        self, *, before: datetime, size: int, after: datetime | None = None
    ) -> AsyncGenerator[Todos, None]:
        due = [
            todo
            for todo in self._todos.values()
            if todo.is_to_be_reminded
            and todo.remind_at is not None
            and todo.remind_at <= before
            and (after is None or todo.remind_at > after)
        ]
        due.sort(key=lambda todo: (todo.remind_at or before, todo.id))
        for start in range(0, len(due), size):
            yield due[start : start + size]

    async def write(self, todos: Sequence[Todo]) -> None:
        for todo in todos:
            standing = self._todos.get(todo.id)
            if standing is None or standing.version < todo.version:
                self._todos[todo.id] = todo

    async def apply(self, changes: Sequence[TodoChange]) -> None:
        await self.write([change.after for change in changes])

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        erased = [
            todo.id
            for todo in self._todos.values()
            if todo.scope.user_id == user_id and todo.epoch < before_epoch
        ]
        for todo_id in erased:
            del self._todos[todo_id]
        return len(erased)


def is_due(todo: Todo, before: datetime | None) -> bool:
    return before is None or (todo.due_at is not None and todo.due_at < before)


def take_page(todos: Todos, *, limit: int, after: str | None) -> Todos:
    """Return the first todos behind `after`, by due time.

    Raises:
        NotFound: no todo has the id `after`.
    """
    ordered = sorted(todos, key=_by_due)
    if after is None:
        return ordered[:limit]
    place = next((index for index, todo in enumerate(ordered) if todo.id == after), None)
    if place is None:
        raise RecordNotFound("no todo of the cursor's id is in this list")
    return ordered[place + 1 : place + 1 + limit]


def _by_due(todo: Todo) -> tuple[datetime, datetime, str]:
    return (todo.due_at or datetime.max.replace(tzinfo=UTC), todo.created_at, todo.id)
