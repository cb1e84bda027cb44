"""The operators' view: shown to service keys alone; dead letters without content, replayed by a button."""

import pytest

from palimpsest_server.stores.dead_letters import MongoDeadLetters
from tests.support.server.desk_application import KEY
from tests.support.services.host.in_process_product import InProcessProduct
from tests.support.services.page_visitor import PageVisitor
from tests.support.stores.dead_letters import letter

pytestmark = pytest.mark.embedded

SAID = "the third flowerpot"
BODY = (
    '{"type": "MessageAdded", "event_id": "e", "user_id": "ann", "session_id": "s", "text": "the third'
    ' flowerpot", "message_id": "m", "role": "user", "occurred_at": "2026-03-02T09:30:00Z"}'
)


async def test_operators_see_users_and_dead_letters_and_replay_them_unread(
    product: InProcessProduct, visitor: PageVisitor
) -> None:
    await product.ask(
        "POST", "/v1/memories", params={"user_id": "bob"}, json={"content": "I feed a magpie"}
    )
    letters = MongoDeadLetters(product.platform.database)
    await letters.put(
        [
            letter("whole", body=BODY, message=f"text: {SAID}", event_type="MessageAdded"),
            letter("short", body=BODY[:90], truncated=True),
        ]
    )
    await visitor.sign_in("ann", key=KEY)
    shown = (await visitor.get("/page/operators")).text
    assert "bob" in shown
    assert "invalid_event" in shown
    assert "too large to be kept whole" in shown
    assert SAID not in shown
    assert "magpie" not in shown
    found = (await visitor.get("/page/operators/namespaces?user=bo")).text
    assert "bob" in found
    assert "bob" not in (await visitor.get("/page/operators/namespaces?user=.*b")).text
    assert "whole" in (await visitor.get("/page/operators/letters?reason=invalid_event")).text
    other = (await visitor.get("/page/operators/letters?stage=elsewhere")).text
    assert ("whole" in other, "No dead letters match" in other) == (False, True)
    answer = await visitor.post("/page/operators/replay", letter_id="whole")
    assert answer.status_code == 200
    assert "Replayed: 1." in answer.text
    assert [found.id for found in await letters.list()] == ["short"]
    await product.settle()
    turns = await product.ask("GET", "/v1/conversations/s", params={"user_id": "ann"})
    assert SAID in turns.text


async def test_without_the_right_to_look_after_the_deployment_nothing_is_replayed(
    product: InProcessProduct, visitor: PageVisitor
) -> None:
    letters = MongoDeadLetters(product.platform.database)
    await letters.put([letter("whole", body=BODY)])
    request = {"user_id": "ann", "permissions": ["read", "write", "erase", "admin"]}
    token = (await product.ask("POST", "/v1/tokens", json=request)).json()["token"]
    await visitor.sign_in("ann", key=token)
    assert "/page/operators" not in (await visitor.get("/page/memories")).text
    answer = await visitor.post("/page/operators/replay", letter_id="whole")
    assert answer.status_code == 403
    assert [found.id for found in await letters.list()] == ["whole"]
