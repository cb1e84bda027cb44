"""Every view shows a visitor what their key opens, and nothing of others."""

import pytest

from services.page.view_table import VIEWS
from tests.support.server.desk_application import KEY
from tests.support.services.host.in_process_product import InProcessProduct
from tests.support.services.page_visitor import PageVisitor

pytestmark = pytest.mark.embedded

CANARY = "Zerbinetta"
OPERATORS_PATHS = tuple(view.path for view in VIEWS if view.is_for_operators)


async def test_no_view_tells_of_another_user(
    product: InProcessProduct, visitor: PageVisitor
) -> None:
    for user, content in (("ann", f"My cat is called {CANARY}"), ("bob", "I feed a magpie")):
        await product.ask(
            "POST", "/v1/memories", params={"user_id": user}, json={"content": content}
        )
    await product.settle()
    request = {"user_id": "bob", "permissions": ["read", "write"]}
    token = (await product.ask("POST", "/v1/tokens", json=request)).json()["token"]
    await visitor.sign_in("bob", key=token)
    paths = [view.path for view in VIEWS]
    paths += [f"{path}?user_id=ann" for path in paths]
    paths += ["/page/graph/nodes", "/page/graph/nodes?user_id=ann", "/page/exchange/export"]
    paths += ["/page/operators/backlog", "/page/operators/namespaces"]
    for path in paths:
        answer = await visitor.get(path)
        closed = path.startswith(OPERATORS_PATHS)
        assert answer.status_code == (403 if closed else 200), path
        assert CANARY not in answer.text, path
    for path in ("/page/ledger?of=all", "/page/reports?of=all"):
        assert "All users" not in (await visitor.get(path)).text


async def test_everything_goes_only_for_the_user_id_that_was_typed(
    product: InProcessProduct, visitor: PageVisitor
) -> None:
    await product.ask(
        "POST", "/v1/memories", params={"user_id": "ann"}, json={"content": "I row on Sundays"}
    )
    await visitor.sign_in("ann", key=KEY)
    path = "/page/erase/everything"
    for typed in ("", "bob", "ANN"):
        assert (await visitor.post(path, confirm_user_id=typed)).status_code == 422
    assert "row on Sundays" in (await visitor.get("/page/exchange/export")).text
    assert (await visitor.post(path, confirm_user_id="ann")).status_code == 200
    assert "row on Sundays" not in (await visitor.get("/page/exchange/export")).text
