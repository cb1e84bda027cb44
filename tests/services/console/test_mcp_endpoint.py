"""Memories as tools over HTTP, by the SDK's own client: the address and the key say whose they are."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.server.desk_application import KEY
from tests.support.services.host.in_process_product import InProcessProduct

pytestmark = pytest.mark.embedded


@pytest.fixture
async def product(database: MongoDatabase) -> AsyncIterator[InProcessProduct]:
    async with InProcessProduct(database) as running:
        yield running


async def make_token(product: InProcessProduct, *permissions: str, **whose: str) -> str:
    answer = await product.ask("POST", "/v1/tokens", json={"permissions": permissions, **whose})
    return str(answer.json()["token"])


@asynccontextmanager
async def agent(url: str, key: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


async def list_contents(client: Client) -> set[str]:
    listed = await client.call_tool("list_memories", {})
    page: Any = listed.structured_content
    return {memory["content"] for memory in page["memories"]}


async def test_an_agent_has_its_own_memories_and_the_users_but_no_other_agents(
    product: InProcessProduct,
) -> None:
    url = product.url
    own = await make_token(product, "read", "write", user_id="ann", agent_id="cook")
    of_user = await make_token(product, "read", "write", user_id="ann")
    async with agent(f"{url}/mcp/ann", of_user) as client:
        assert len((await client.list_tools()).tools) == 10
        told = await client.call_tool("remember", {"content": "Ann lives in Rome"})
        assert not told.is_error, told.content
    async with agent(f"{url}/mcp/ann/cook", own) as client:
        await client.call_tool("remember", {"content": "Ann eats no meat"})
        assert await list_contents(client) == {"Ann eats no meat", "Ann lives in Rome"}
    async with agent(f"{url}/mcp/ann/coder", KEY) as client:
        assert await list_contents(client) == {"Ann lives in Rome"}


async def test_a_key_opens_its_own_address_and_what_it_allows(product: InProcessProduct) -> None:
    url = product.url
    reading = await make_token(product, "read", user_id="ben")
    async with agent(f"{url}/mcp/ben", reading) as client:
        assert await list_contents(client) == set()
        refused = await client.call_tool("remember", {"content": "Ben lives in Oslo"})
        assert refused.is_error
        assert "`write`" in str(refused.content)
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        for path, key, status in (
            ("/mcp/ann", reading, 404),
            ("/mcp/ann/cook", reading, 404),
            ("/mcp/ben", "", 401),
            ("/mcp/ben", KEY + "x", 401),
        ):
            headers = {"Authorization": f"Bearer {key}"} if key else {}
            answer = await http.post(f"{url}{path}", json=initialize, headers=headers)
            assert answer.status_code == status, path
        assert (await http.get(f"{url}/mcp/ben")).status_code in {401, 405}


async def test_memories_are_reached_by_any_name_of_the_deployment(
    product: InProcessProduct,
) -> None:
    reading = await make_token(product, "read", user_id="ann")
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"Host": "memory.example.com", "Origin": "https://chat.example.com"}
    answer = await product.ask("POST", "/mcp/ann", key=reading, headers=headers, json=message)
    assert (answer.status_code, len(answer.json()["result"]["tools"])) == (200, 10)


async def test_an_id_that_is_none_is_refused_in_words_and_leads_to_no_other_address(
    product: InProcessProduct,
) -> None:
    async with agent(f"{product.url}/mcp/ann", KEY) as client:
        for memory_id in (".", "..", "a/b", "../../v1/changes"):
            answer = await client.call_tool("get_memory", {"memory_id": memory_id})
            assert "no memory of this id can be seen from here" in str(answer.content)
        for memory_id in ("", "x" * 100_000, "a\nb"):
            answer = await client.call_tool("forget", {"memory_id": memory_id})
            assert "id: " in str(answer.content)
        long = await client.call_tool("recall", {"query": "x" * 9_000})
        assert str(long.content).count("at most 8192 characters") == 1
