"""One contract for todos, in MongoDB and in memory."""

from datetime import UTC, datetime
from typing import Any, cast

import pytest

from palimpsest.model.change_set import TodoChange
from palimpsest_server.stores.collections import TODOS
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.todos import MongoTodos
from palimpsest_server.stores.todos import InMemoryTodos, TodoStore
from tests.contracts.todo_contract import TodoContract, todo


class TestInMemoryTodos(TodoContract):
    @pytest.fixture
    def todos(self) -> TodoStore:
        return InMemoryTodos()


@pytest.mark.embedded
class TestMongoTodos(TodoContract):
    @pytest.fixture
    def todos(self, database: MongoDatabase) -> TodoStore:
        return MongoTodos(database)

    async def test_all_pages_of_due_reminders_are_one_query(self, database: MongoDatabase) -> None:
        at = datetime(2026, 3, 2, tzinfo=UTC)
        await MongoTodos(database).write([todo(f"n{n}", remind_at=at) for n in range(7)])
        queries: list[object] = []

        class CountedFinds:
            def find(self, which: object) -> Any:
                queries.append(which)
                return database.collection(TODOS).find(which)

        counted = MongoTodos(database)
        counted._todos = cast("Any", CountedFinds())
        pages = [len(page) async for page in counted.due_reminders(before=at, size=3)]
        assert (pages, len(queries)) == ([3, 3, 1], 1)

    async def test_a_hundred_reminders_of_one_moment_are_four_writes(
        self, database: MongoDatabase
    ) -> None:
        at = datetime(2026, 3, 2, tzinfo=UTC)
        due = [todo(f"n{n}", remind_at=at) for n in range(100)]
        await MongoTodos(database).write(due)
        written: list[int] = []

        class CountedWrites:
            async def bulk_write(self, writes: list[object], **options: Any) -> Any:
                written.append(len(writes))
                return await database.collection(TODOS).bulk_write(cast("Any", writes), **options)

        counted = MongoTodos(database)
        counted._todos = cast("Any", CountedWrites())
        given = [each.model_copy(update={"version": 2, "reminded_at": at}) for each in due]
        pairs = zip(due, given, strict=True)
        await counted.apply([TodoChange(before=before, after=after) for before, after in pairs])
        assert written == [4]
        assert [page async for page in MongoTodos(database).due_reminders(before=at, size=3)] == []
