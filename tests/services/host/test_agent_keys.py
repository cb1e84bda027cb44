"""The key of one agent: its recalls are its own to read, a person's settings are not."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx
import pytest

from palimpsest.api.access_keys import TokenRequest
from palimpsest.model.permissions import Permission
from palimpsest.model.scope import Scope
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.server.desk_application import KEY
from tests.support.services.host.in_process_product import InProcessProduct
from tests.support.services.host.key_canaries import found_canaries, plant

POET, COOK = Scope(user_id="ann", agent_id="poet"), Scope(user_id="ann", agent_id="cook")
MESSAGES = {"messages": [{"text": "I moved to Oslo."}]}


@pytest.fixture
async def product(database: MongoDatabase) -> AsyncIterator[InProcessProduct]:
    async with InProcessProduct(database) as running:
        yield running


@pytest.fixture
async def key(product: InProcessProduct) -> str:
    maker = await product.platform.access.admit(KEY)
    allowed = frozenset({Permission.READ, Permission.WRITE})
    request = TokenRequest(user_id="ann", agent_id="poet", permissions=allowed)
    return product.platform.access.issue_token(maker, request).token


async def test_an_agent_reads_the_recalls_that_it_asked_for(
    product: InProcessProduct, key: str
) -> None:
    planted = [
        await plant(product, number, scope)
        for number, scope in enumerate((POET, COOK, Scope(user_id="ann")))
    ]

    async def traces(whose: str = key, **named: str) -> httpx.Response:
        return await product.ask("GET", "/v1/traces", key=whose, params={"user_id": "ann", **named})

    own = await traces(agent_id="poet")
    assert found_canaries(own.text) == {planted[0].name}
    assert (await traces(agent_id="cook")).status_code == 404
    unnamed = await traces()
    assert (unnamed.status_code, "agent_id=poet" in unnamed.text) == (403, True)
    assert found_canaries((await traces(KEY)).text) == {canary.name for canary in planted}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/settings", None),
        ("PUT", "/v1/settings", {"language": "zh"}),
        ("GET", "/v1/webhooks", None),
    ],
)
async def test_what_is_the_persons_is_refused_with_words(
    product: InProcessProduct, key: str, method: str, path: str, body: Any
) -> None:
    answer = await product.ask(method, path, key=key, params={"user_id": "ann"}, json=body)
    assert answer.status_code == 403
    assert "a key of its user opens" in answer.json()["message"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/extractions/preview", MESSAGES),
        ("/v1/extractions/answer", {"query": "Where?", "memory_ids": ["m"]}),
    ],
)
async def test_an_agent_tries_the_extractor_in_its_own_place(
    product: InProcessProduct, key: str, path: str, body: Mapping[str, Any]
) -> None:
    async def ask(**named: str) -> httpx.Response:
        return await product.ask("POST", path, key=key, json={"user_id": "ann", **body, **named})

    assert (await ask(agent_id="poet")).status_code == 200
    assert (await ask(agent_id="cook")).status_code == 404
    assert (await ask()).status_code == 403
    assert (await ask(agent_id="poet", user_id="ben")).status_code == 404
