"""The ledger tells of each call of a model what it cost, of the chosen days alone."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest

from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.model.scope import Scope
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.usage import MongoUsage
from tests.support.server.desk_application import KEY
from tests.support.server.domain.consolidation.samples import candidate
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


async def test_each_call_links_to_what_it_made_and_never_to_what_another_user_has(
    database: MongoDatabase, product: InProcessProduct, visitor: PageVisitor
) -> None:
    usage, begun_at = MongoUsage(database), product.clock()
    ends: list[dict[str, Any]] = [
        {},
        {"failure": "timed_out", "estimated": True},
        {"user_id": "ben", "task": "summary"},
    ]
    calls = [
        CALL.model_copy(update={"id": f"call-{number}", "begun_at": begun_at, **fields})
        for number, fields in enumerate(ends)
    ]
    for call in calls:
        await usage.begin(call)
    await usage.end(calls)
    await product.propose(
        CandidatesProposed(
            event_id=CandidatesProposed.derive_id("ann", "window"),
            user_id="ann",
            occurred_at=begun_at,
            received_at=begun_at,
            session_id="tea talk",
            window_id="window",
            provider="openai/m-1",
            candidates=(candidate("drinks mate", scope=Scope(user_id="ann")),),
        )
    )
    await visitor.sign_in("ann", key=KEY)
    shown = (await visitor.get("/page/ledger")).text
    assert "No answer in time" in shown
    assert "/page/conversations/session?id=tea+talk" in shown.replace("%20", "+")
    assert "call-2" not in shown
    (link,) = re.findall(r'href="(/page/ledger/made[^"]+)"', shown)
    made = (await visitor.get(unescape(link))).text
    assert "drinks mate" in made
    await visitor.sign_in("ben", key=KEY)
    assert "call-2" in (await visitor.get("/page/ledger")).text
    assert "drinks mate" not in (await visitor.get(unescape(link))).text
