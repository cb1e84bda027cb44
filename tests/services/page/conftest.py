"""A page before a running API that asks for keys."""

from collections.abc import AsyncIterator

import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from services.page.app import PageApplication
from services.page.page_settings import PageSettings
from tests.support.services.host.in_process_product import InProcessProduct
from tests.support.services.page_visitor import PageVisitor


@pytest.fixture
async def product(database: MongoDatabase) -> AsyncIterator[InProcessProduct]:
    async with InProcessProduct(database) as running:
        yield running


@pytest.fixture
async def visitor(product: InProcessProduct) -> AsyncIterator[PageVisitor]:
    page = PageApplication(PageSettings(product.url))
    async with PageVisitor(page) as visiting:
        yield visiting
    await page.close()


@pytest.fixture
async def stranger() -> AsyncIterator[PageVisitor]:
    """A visitor of a page whose API nobody serves."""
    page = PageApplication(PageSettings("http://127.0.0.1:9", timeout_seconds=0.1))
    async with PageVisitor(page) as visiting:
        yield visiting
