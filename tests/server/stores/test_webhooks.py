"""Webhooks: the twin and MongoDB keep the same promises."""

import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.webhooks import MongoWebhooks
from palimpsest_server.stores.webhooks import WebhookStore
from tests.contracts.webhook_contract import WebhookStoreContract
from tests.support.stores.webhooks import InMemoryWebhooks


class TestInMemory(WebhookStoreContract):
    @pytest.fixture
    def store(self) -> WebhookStore:
        return InMemoryWebhooks()


class TestMongoDB(WebhookStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> WebhookStore:
        return MongoWebhooks(database)
