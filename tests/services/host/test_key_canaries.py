"""Keys of several users and agents, against every route with each other's ids: no canary is found.

The routes find themselves. What is served by a service is asked, and must be answered to its owner.
"""

import os
from collections.abc import AsyncIterator
from itertools import product as pairs

import pytest

from palimpsest.api.access_keys import TokenRequest
from palimpsest.api.recall import RecallRequest
from palimpsest.events.recall_exchange import RecallRequested
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.permissions import Permission
from palimpsest.model.scope import Scope
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.extent import EVERY
from tests.support.server.desk_application import KEY
from tests.support.services.host.in_process_product import InProcessProduct
from tests.support.services.host.key_canaries import (
    QUESTION,
    Attempt,
    ScopeCanary,
    found_canaries,
    plant,
    visible_names,
)

pytestmark = pytest.mark.embedded

SCOPES = (
    # Ids that are easily mistaken for one another.
    Scope(user_id="a"),
    Scope(user_id="a", agent_id="b"),
    Scope(user_id="a", agent_id="b_c"),
    Scope(user_id="a", agent_id="b_c", project_id="p"),
    Scope(user_id="a_b"),
    Scope(user_id="a_b", agent_id="b"),
    Scope(user_id="a_b", agent_id="b", project_id="p"),
    Scope(user_id="owner", agent_id="own", project_id="p"),
    Scope(user_id="owner"),
)
HOLDERS = (("a", None), ("a", "b"), ("a_b", "b"))

ALLOWED = frozenset({Permission.READ, Permission.WRITE, Permission.ERASE, Permission.ADMIN})
STREAM = "GET /v1/events/stream"

ROUNDS = int(os.environ.get("CANARY_ROUNDS", "1"))
"""In each round every route is asked for another victim's things; 20 of them are 10,000 requests."""

_ORDER = {"GET": 0, "DELETE": 2}
"""Routes that show come before routes that change; routes that delete are last."""

SHOWING = {
    "GET /v1/memories",
    "GET /v1/memories/{memory_id}",
    "GET /v1/todos",
    "GET /v1/changes",
    "GET /v1/changes/{change_set_id}",
    "GET /v1/turns/{turn_id}",
    "GET /v1/questions",
    "GET /v1/questions/{question_id}",
    "GET /v1/sessions/summaries",
    "GET /v1/sessions/{session_id}/summary",
    "GET /v1/profile",
    "GET /v1/profile/versions",
    "GET /v1/traces",
    "GET /v1/export",
    "GET /v1/webhooks",
    "POST /v1/recall",
    "POST /mcp/{user_id}",
    "POST /mcp/{user_id}/{agent_id}",
    "POST /v1/context",
    "POST /v1/forget-topic",
}
"""Routes that show their owner the canary: were one missing, the test would find nothing there."""


@pytest.fixture
async def product(database: MongoDatabase) -> AsyncIterator[InProcessProduct]:
    async with InProcessProduct(database) as running:
        yield running


async def of_others(product: InProcessProduct, user_id: str, agent_id: str | None) -> list[str]:
    """All that is kept of whom a key does not open, as the deployment sees it."""
    kept = []
    for scope in SCOPES:
        whose = {"user_id": scope.user_id}
        if scope.user_id != user_id:
            exported = await product.ask("GET", "/v1/export", params=whose)
            # The first line says when it was exported.
            kept.append(exported.text.partition("\n")[2])
        elif agent_id is not None and scope.agent_id not in {None, agent_id}:
            seen = {**scope.model_dump(exclude_none=True), "layers": ["agent", "project"]}
            for path in ("/v1/memories", "/v1/todos"):
                found = await product.ask("GET", path, params=seen)
                kept.append(found.text)
    return kept


async def test_no_key_finds_or_changes_what_is_anothers(product: InProcessProduct) -> None:
    canaries = [await plant(product, number, scope) for number, scope in enumerate(SCOPES)]
    maker = await product.platform.access.admit(KEY)
    asked = 0
    for number, (user_id, agent_id) in enumerate(HOLDERS):
        # Between them, they ask every route.
        routes = [*enumerate(product.routes)][number % EVERY :: EVERY]
        request = TokenRequest(user_id=user_id, agent_id=agent_id, permissions=ALLOWED)
        key = product.platform.access.issue_token(maker, request).token
        allowed = visible_names(canaries, user_id, agent_id)
        before = await of_others(product, user_id, agent_id)
        victims = [canary for canary in canaries if canary.name not in allowed]
        own = Scope(user_id=user_id, agent_id=agent_id)
        for turn, (offset, route) in pairs(range(ROUNDS), routes):
            victim = victims[(turn + offset) % len(victims)]
            beside = own.model_copy(update={"agent_id": victim.scope.agent_id})
            inside = own.model_copy(update={"project_id": victim.scope.project_id})
            for named in dict.fromkeys((victim.scope, own, beside, inside)):
                if route.name == STREAM and named.user_id == user_id:
                    # It would be open, and never end.
                    continue
                answer = await Attempt(route, victim, named).send(product, key)
                asked += 1
                assert answer.status_code < 500, (route.name, answer.text)
                assert found_canaries(answer.text) <= allowed, (route.name, named)
        await product.settle()
        assert await of_others(product, user_id, agent_id) == before
        await no_leak_over_kafka(product, key, own, victims, allowed)
        await product.settle()
    assert asked > 500 * ROUNDS // EVERY


async def no_leak_over_kafka(
    product: InProcessProduct,
    key: str,
    own: Scope,
    victims: list[ScopeCanary],
    allowed: set[str],
) -> None:
    answer = product.platform.buses["recall"].answerer
    assert answer is not None

    def asking(scope: Scope) -> RecallRequested:
        request = RecallRequest(**scope.model_dump(), query=QUESTION)
        return RecallRequested(
            event_id="asked", occurred_at=product.clock(), user_id=scope.user_id, request=request
        )

    assert found_canaries((await answer(asking(own), key)).model_dump_json()) <= allowed
    for victim in victims:
        with pytest.raises(RecordNotFound):
            await answer(asking(victim.scope), key)


async def test_every_route_answers_its_owner_and_shows_what_it_was_told(
    product: InProcessProduct,
) -> None:
    canaries = [await plant(product, number, scope) for number, scope in enumerate(SCOPES[-2:])]
    showing, answered, refused = set[str](), set[str](), dict[str, str]()
    routes = sorted(product.routes, key=lambda route: _ORDER.get(route.method, 1))
    for route, canary in pairs(routes, reversed(canaries)):
        if route.name == STREAM or route.path.startswith("/v1/keys/"):
            continue
        answer = await Attempt(route, canary, canary.scope).send(product, KEY)
        if canary.name in answer.text:
            showing.add(route.name)
        # Some do not fit what stands, such as confirming what waits for nothing.
        if answer.is_success or answer.status_code == 409:
            answered.add(route.name)
        else:
            refused[route.name] = f"{answer.status_code} {answer.text}"
    unanswered = [f"{name}: {words}" for name, words in refused.items() if name not in answered]
    assert not unanswered, "\n".join(unanswered)
    assert showing >= SHOWING
