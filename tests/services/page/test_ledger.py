"""The ledger tells of each call of a model what it cost, of the chosen days alone."""

from datetime import timedelta

import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.usage import MongoUsage
from tests.support.server.desk_application import KEY
from tests.support.services.host.in_process_product import InProcessProduct
from tests.support.services.host.terminal import CALL
from tests.support.services.page_visitor import PageVisitor

pytestmark = pytest.mark.embedded


async def test_calls_are_told_with_tokens_and_cost(
    database: MongoDatabase, product: InProcessProduct, visitor: PageVisitor
) -> None:
    call = CALL.model_copy(update={"begun_at": product.clock() - timedelta(days=20)})
    usage = MongoUsage(database)
    await usage.begin(call)
    await usage.end([call])
    await visitor.sign_in("ann", key=KEY)
    for path in ("/page/ledger", "/page/ledger/figures?days=90", "/page/ledger?of=all"):
        shown = (await visitor.get(path)).text
        assert "openai/m-1" in shown, path
        assert "Reading what was said" in shown
        assert "0.0003" in shown
        assert 'height="100.0"' in shown
    assert "openai/m-1" not in (await visitor.get("/page/ledger/figures?days=7")).text
