"""Ids may hold whatever people write: each route finds what stands under them."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.services.host.in_process_product import InProcessProduct

IDS = ("李 雷", 'say "hi"', "a/b", "../a", "🦊", "50%", "a?b#c&d=e+f", "%2F", "O'Brien;{x}", "a\\b")

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}


@pytest.fixture
async def product(database: MongoDatabase) -> AsyncIterator[InProcessProduct]:
    async with InProcessProduct(database, key=None) as running:
        yield running


async def test_every_route_with_an_id_in_its_path_finds_it(product: InProcessProduct) -> None:
    for identity in IDS:
        place = {"user_id": identity, "agent_id": identity, "project_id": identity}
        path = quote(identity, safe="")

        async def ask(
            method: str,
            route: str,
            body: Any = None,
            *,
            whose: dict[str, str] = place,
            code: int = 200,
            **more: str,
        ) -> httpx.Response:
            answer = await product.ask(method, route, params={**whose, **more}, json=body)
            assert answer.status_code == code, (route, answer.text)
            return answer

        added = await ask("POST", "/v1/memories", {"content": "I like tea", "tags": [identity]})
        found = (await ask("GET", "/v1/memories", tag=identity)).json()["memories"]
        assert [memory["id"] for memory in found] == [added.json()["memory"]["id"]]
        assert found[0]["scope"] == place

        said = {**place, "session_id": identity, "occurred_at": product.clock().isoformat()}
        message = {**said, "type": "MessageAdded", "message_id": identity, "role": "user"}
        await ask("POST", "/v1/events", {**message, "text": "I moved to Oslo."}, whose={}, code=202)
        await product.settle()
        messages = (await ask("GET", f"/v1/conversations/{path}")).json()["messages"]
        assert [message["message_id"] for message in messages] == [identity]
        await ask("GET", f"/v1/conversations/{path}/changes")
        await ask("POST", f"/v1/conversations/{path}/undo", dry_run="true")
        unknown = await ask("GET", f"/v1/sessions/{path}/summary", code=404)
        assert "no summary of this session" in unknown.json()["message"]
        unknown = await ask("GET", f"/v1/memories/{path}", code=404)
        assert "path" not in unknown.json()["message"]

        call = {**CALL, "params": {"name": "list_memories", "arguments": {}}}
        tools = await product.ask(
            "POST",
            f"/mcp/{path}/{path}",
            json=call,
            headers={"accept": "application/json, text/event-stream"},
        )
        assert tools.status_code == 200, (identity, tools.text)
        await ask("POST", f"/v1/projects/{path}/close", whose={"user_id": identity})
