import pytest

from palimpsest_server.stores.accepted_requests import AcceptedRequestStore
from palimpsest_server.stores.mongo.accepted_requests import MongoAcceptedRequests
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.contracts.accepted_request_contract import RequestStoreContract
from tests.support.stores.accepted_requests import InMemoryAcceptedRequests


class TestInMemory(RequestStoreContract):
    @pytest.fixture
    def store(self) -> AcceptedRequestStore:
        return InMemoryAcceptedRequests()


class TestMongo(RequestStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> AcceptedRequestStore:
        return MongoAcceptedRequests(database)
