"""Ids in any script and with any sign, through the sign-in and every view."""

from collections.abc import AsyncIterator
from itertools import product as pairs
from urllib.parse import quote

import pytest

from palimpsest.client import Message, PalimpsestClient
from palimpsest.model.turn import Role
from palimpsest_server.stores.mongo.database import MongoDatabase
from services.page.app import PageApplication
from services.page.page_settings import PageSettings
from services.page.view_table import VIEWS
from tests.support.extent import EVERY
from tests.support.services.host.in_process_product import InProcessProduct
from tests.support.services.page_visitor import PageVisitor

pytestmark = pytest.mark.embedded

IDS = ("小安", "ann lee", 'Ann "A;" O\'Neil', "team/ann", "ann🐦", "50%41, ü=é&x#y?")
SHOWN = [*pairs(("en", "zh"), VIEWS)]
"""Each view in each language; each is asked for with every id, or with a third of them."""


@pytest.fixture
async def product(database: MongoDatabase) -> AsyncIterator[InProcessProduct]:
    async with InProcessProduct(database, key=None) as running:
        yield running


@pytest.fixture
async def visitor(product: InProcessProduct) -> AsyncIterator[PageVisitor]:
    page = PageApplication(PageSettings(product.url, asks_for_keys=False))
    async with PageVisitor(page) as visiting:
        yield visiting
    await page.close()


@pytest.mark.parametrize("name", IDS)
async def test_a_user_an_agent_and_a_session_of_any_name_are_shown(
    product: InProcessProduct, visitor: PageVisitor, name: str
) -> None:
    message = Message(message_id=name, role=Role.USER, text="I feed a heron")
    async with PalimpsestClient(http_url=product.url) as client:
        await client.save_conversation(
            [message], user_id=name, agent_id=name, project_id=name, session_id=name
        )
    await product.settle()
    assert (await visitor.sign_in(name)).status_code == 303
    for language, view in SHOWN[IDS.index(name) % EVERY :: EVERY]:
        await visitor.post("/page/preferences", language=language, back=view.path)
        answer = await visitor.get(f"{view.path}?agent_id={quote(name)}", follow_redirects=True)
        assert answer.status_code == 200, (view.name, answer.text)
    shown = await visitor.get(f"/page/conversations/session?id={quote(name, safe='')}")
    assert (shown.status_code, "heron" in shown.text) == (200, True)
    assert (await visitor.get("/page/exchange/export")).status_code == 200
    visitor.http.cookies.delete(next(cookie for cookie in visitor.cookies() if "-" in cookie))
    offered = (await visitor.get("/page/sign-in")).text
    assert name.replace("&", "&amp;").replace('"', "&#34;").replace("'", "&#39;") in offered


@pytest.mark.parametrize("name", ["ann\nlee", "ann\r\nset-cookie: a=b", "a\x00b"])
async def test_an_id_with_control_characters_is_refused_with_words(
    visitor: PageVisitor, name: str
) -> None:
    answer = await visitor.sign_in(name)
    assert (answer.status_code, "set-cookie" in answer.headers) == (422, False)
