"""Webhooks over HTTP: added, looked after, tried out, and their deliveries sent again."""

import httpx
import pytest

from palimpsest.api.webhooks import DeliveryState
from palimpsest_server.runtime.settings import Settings
from tests.support.given_settings import GivenSettings
from tests.support.server.domain.deliveries import SECRET, delivery
from tests.support.services.console.routes.world import World
from tests.support.services.console.webhook_receiver import receiving

ANN = {"user_id": "ann"}
URL = "https://example.com/hook"


def private() -> Settings:
    return GivenSettings(webhook_private_addresses=True)


async def add(http: httpx.AsyncClient, url: str = URL, **fields: object) -> httpx.Response:
    return await http.post("/v1/webhooks", params=ANN, json={"url": url, **fields})


async def test_a_secret_is_shown_once_and_others_webhooks_never() -> None:
    async with World().http as http:
        added = (await add(http, types=["memory.created"])).json()
        assert added["secret"].startswith("whsec_")
        (listed,) = (await http.get("/v1/webhooks", params=ANN)).json()["webhooks"]
        assert listed == {name: each for name, each in added.items() if name != "secret"}
        for whose in ({}, {"user_id": "bob"}):
            assert (await http.get("/v1/webhooks", params=whose)).json() == {"webhooks": []}
            path = f"/v1/webhooks/{added['id']}"
            assert (await http.get(path, params=whose)).status_code == 404
            assert (await http.delete(path, params=whose)).status_code == 404


async def test_an_idempotency_key_makes_a_retry_the_same_webhook_and_another_one_a_conflict() -> (
    None
):
    async with World().http as http:
        keyed = {"Idempotency-Key": "k"}
        answers = [
            await http.post("/v1/webhooks", params=ANN, json={"url": URL}, headers=keyed)
            for _ in range(2)
        ]
        assert answers[0].json() == answers[1].json()
        for other in (
            {"url": f"{URL}/other"},
            {"url": URL, "content": True},
            {"url": URL, "agent_id": "a"},
        ):
            refused = await http.post("/v1/webhooks", params=ANN, json=other, headers=keyed)
            assert (refused.status_code, refused.json()["reason"]) == (409, "conflicting_duplicate")
            assert "secret" not in refused.text


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/hook",
        "https://[::1]/hook",
        "https://localhost/hook",
        "http://example.com/hook",
        "ftp://example.com/hook",
        "https://ann:secret@example.com/hook",
        "https:///hook",
        "https://example.com:99999/hook",
        "https://[example]/hook",
    ],
)
async def test_an_address_that_is_not_on_the_internet_is_refused(url: str) -> None:
    async with World().http as http:
        assert (await add(http, url)).status_code == 422
        path = f"/v1/webhooks/{(await add(http)).json()['id']}"
        assert (await http.patch(path, params=ANN, json={"url": url})).status_code == 422


async def test_a_webhook_is_changed_switched_off_and_deleted() -> None:
    async with World().http as http:
        path = f"/v1/webhooks/{(await add(http)).json()['id']}"
        off = await http.patch(path, params=ANN, json={"enabled": False, "content": True})
        assert [off.json()[name] for name in ("enabled", "disabled_reason", "content")] == [
            False,
            "by_hand",
            True,
        ]
        on = (await http.patch(path, params=ANN, json={"enabled": True})).json()
        assert (on["enabled"], on["disabled_reason"], on["content"]) == (True, None, True)
        assert (await http.delete(path, params=ANN)).status_code == 204
        assert (await http.get(path, params=ANN)).status_code == 404


async def test_an_endpoint_is_tried_out() -> None:
    async with receiving(SECRET) as receiver, World(settings=private()).http as http:
        added = (await add(http, receiver.url, secret=SECRET)).json()
        path = f"/v1/webhooks/{added['id']}/test"
        well = (await http.post(path, params=ANN)).json()
        receiver.status = 500
        ill = (await http.post(path, params=ANN)).json()
    assert well == {"delivered": True, "response_status": 200, "failure": None}
    assert ill == {"delivered": False, "response_status": 500, "failure": "refused"}
    assert {each.event["type"] for each in receiver.received} == {"webhook.test"}


async def test_deliveries_are_listed_and_sent_again() -> None:
    world = World()
    async with world.http as http:
        hook = (await add(http)).json()["id"]
        failed = delivery(1, webhook_id=hook, state=DeliveryState.FAILED, failure="unreachable")
        await world.webhooks.queue([failed, delivery(2, webhook_id=hook)])
        path = f"/v1/webhooks/{hook}"
        first = (await http.get(f"{path}/deliveries", params={**ANN, "limit": 1})).json()
        rest = await http.get(f"{path}/deliveries", params={**ANN, "cursor": first["next_cursor"]})
        assert [each["id"] for each in rest.json()["deliveries"]] == [failed.id]
        assert (await http.post(f"{path}/replay", params=ANN, json={})).json() == {"replayed": 1}
        again = await http.get(f"{path}/deliveries", params={**ANN, "state": "failed"})
        assert again.json()["deliveries"] == []
