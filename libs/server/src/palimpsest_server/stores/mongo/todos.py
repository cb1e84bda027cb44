"""Todos in MongoDB."""

from collections import Counter
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from pymongo import ReplaceOne
from pymongo.errors import BulkWriteError

from palimpsest.model.change_set import TodoChange
from palimpsest.model.todo import Todo, TodoState
from palimpsest_server.stores.collections import TODOS
from palimpsest_server.stores.listed_scopes import EveryProject, ListedScopes, list_namespaces
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)
from palimpsest_server.stores.mongo.failures import require_only_duplicates
from palimpsest_server.stores.mongo.id_lists import build_updates, find_by_ids
from palimpsest_server.stores.todos import Todos, is_due, take_page


class MongoTodos:
    def __init__(self, database: MongoDatabase) -> None:
        self._todos = database.collection(TODOS)

    async def list(
        self,
        scopes: ListedScopes,
        *,
        states: Collection[TodoState] = frozenset({TodoState.OPEN}),
        due_before: datetime | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Todos:
        exact = scopes if isinstance(scopes, EveryProject) else frozenset(scopes)
        todos = await self._find(
            {
                "user_id": {"$in": sorted({one.user_id for one in list_namespaces(scopes)})},
                "state": {"$in": sorted(state.value for state in states)},
            }
        )
        seen = [todo for todo in todos if todo.scope in exact and is_due(todo, due_before)]
        return take_page(seen, limit=limit, after=after)

    async def by_ids(self, ids: Mapping[str, Collection[str]]) -> Todos:
        wanted = [todo_id for own in ids.values() for todo_id in own]
        todos = [
            from_document(Todo, document) for document in await find_by_ids(self._todos, wanted)
        ]
        return [todo for todo in todos if todo.id in ids.get(todo.scope.user_id, ())]

    async def open_of(self, user_ids: Collection[str]) -> Todos:
        if not user_ids:
            return []
        return await self._find(
            {"user_id": {"$in": sorted(user_ids)}, "state": TodoState.OPEN.value}
        )

    async def closed_by(self, said: Mapping[str, Collection[str]]) -> Todos:
        todos: Todos = []
        for user_id, ids in said.items():
            if ids:
                which = {"user_id": user_id, "completed_by": {"$in": sorted(ids)}}
                todos += await self._find(which)
        return todos

    async def done_since(self, user_id: str, since: datetime) -> Todos:
        done = {"user_id": user_id, "state": TodoState.DONE.value}
        return await self._find({**done, "completed_at": {"$gte": since}})

    async def due_reminders(
        self, *, before: datetime, size: int, after: datetime | None = None
    ) -> AsyncGenerator[Todos, None]:
        # One cursor for all pages: by NO_INDEXED_SORT and NO_INDEX_UNDER_AND_OR of DatabaseLimit
        # a query for each page would read all of them each time.
        later: Document = {} if after is None else {"$gt": after}
        which = {"next_reminder": {"$lte": before, **later}}
        found = self._todos.find(which).sort([("next_reminder", 1), ("_id", 1)])
        while page := await found.to_list(size):
            yield [from_document(Todo, document) for document in page]

    async def write(self, todos: Sequence[Todo]) -> None:
        if not todos:
            return
        newest = {todo.id: todo for todo in sorted(todos, key=lambda todo: todo.version)}
        # If a later version is stored, the filter misses and the insert collides.
        writes = [
            ReplaceOne(
                {"_id": todo.id, "version": {"$lt": todo.version}}, todo_document(todo), upsert=True
            )
            for todo in newest.values()
        ]
        try:
            await self._todos.bulk_write(writes, ordered=False)
        except BulkWriteError as error:
            require_only_duplicates(error)

    async def apply(self, changes: Sequence[TodoChange]) -> None:
        # DatabaseLimit.SLOW_UPSERT: a hundred reminders of one moment change their todos alike, and
        # a write of many costs a third of many writes.
        times = Counter(change.after.id for change in changes)
        alike: dict[_MovedTimes, list[str]] = {}
        others: Todos = []
        for change in changes:
            moved = _moved_times(change) if times[change.after.id] == 1 else None
            if moved is None:
                others.append(change.after)
            else:
                alike.setdefault(moved, []).append(change.after.id)
        writes = [
            write
            for moved, ids in alike.items()
            for write in build_updates(ids, moved.update, only={"version": moved.version_before})
        ]
        if writes:
            await self._todos.bulk_write(writes, ordered=False)
        await self.write(others)

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        erased = await self._todos.delete_many({"user_id": user_id, "epoch": {"$lt": before_epoch}})
        return int(erased.deleted_count)

    async def _find(self, query: Document) -> Todos:
        found = await self._todos.find(query).to_list(None)
        return [from_document(Todo, document) for document in found]


class _MovedTimes(NamedTuple):
    """The whole difference between two versions of a todo, where it is one of times alone."""

    version_before: int
    version: int
    due_at: datetime | None
    remind_at: datetime | None
    reminded_at: datetime | None
    next_reminder: datetime | None

    @property
    def update(self) -> Document:
        changed = self._asdict()
        del changed["version_before"], changed["next_reminder"]
        if self.next_reminder is None:
            return {"$set": changed, "$unset": {"next_reminder": ""}}
        return {"$set": {**changed, "next_reminder": self.next_reminder}}


def _moved_times(change: TodoChange) -> _MovedTimes | None:
    """Return the times after the change; None if it changes anything else, or makes the todo."""
    before, after = change.before, change.after
    times = {name: getattr(after, name) for name in ("due_at", "remind_at", "reminded_at")}
    if before is None or before.model_copy(update={**times, "version": after.version}) != after:
        return None
    return _MovedTimes(
        version_before=before.version,
        version=after.version,
        next_reminder=after.next_reminder,
        **times,
    )


def todo_document(todo: Todo) -> Document:
    """Return a todo as it is stored."""
    document = {**to_document(todo), "user_id": todo.scope.user_id, "state": todo.state.value}
    if todo.next_reminder is not None:
        # A field of its own, so that the index holds only todos with a pending reminder.
        document["next_reminder"] = todo.next_reminder
    return document
