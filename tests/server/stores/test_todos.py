"""One contract for todos, in MongoDB and in memory."""

import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.todos import MongoTodos
from palimpsest_server.stores.todos import InMemoryTodos, TodoStore
from tests.contracts.todo_contract import TodoContract


class TestInMemoryTodos(TodoContract):
    @pytest.fixture
    def todos(self) -> TodoStore:
        return InMemoryTodos()


@pytest.mark.embedded
class TestMongoTodos(TodoContract):
    @pytest.fixture
    def todos(self, database: MongoDatabase) -> TodoStore:
        return MongoTodos(database)
