"""Keys and tokens over HTTP: made, used, given another secret, revoked."""

from datetime import timedelta
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from palimpsest.api.access_keys import AccessKeyList, IssuedKey, IssuedToken
from palimpsest.model.permissions import EVERYDAY_PERMISSIONS, KeyKind
from tests.support.given_settings import GivenSettings
from tests.support.server.desk_application import KEY
from tests.support.services.console.routes.world import World


class Office:
    """The console behind keys, in one process."""

    def __init__(self) -> None:
        self.world = World(settings=GivenSettings(api_key=SecretStr(KEY)))
        self._transport = httpx.ASGITransport(self.world.application)

    async def ask(
        self, method: str, path: str, json: Any = None, *, key: str = KEY
    ) -> httpx.Response:
        async with httpx.AsyncClient(transport=self._transport, base_url="http://office") as http:
            return await http.request(
                method, path, json=json, headers={"Authorization": f"Bearer {key}"}
            )

    async def create(self, **request: Any) -> IssuedKey:
        answer = await self.ask("POST", "/v1/keys", {"name": "a page", **request})
        assert answer.status_code == 201, answer.text
        return IssuedKey.model_validate_json(answer.content)

    async def settings_of(self, user_id: str, key: str) -> int:
        return (await self.ask("GET", f"/v1/settings?user_id={user_id}", key=key)).status_code


@pytest.fixture
def office() -> Office:
    return Office()


async def test_a_key_opens_its_user_and_is_kept_as_a_hash(office: Office) -> None:
    issued = await office.create(user_id="ann")
    assert issued.key.kind is KeyKind.USER
    assert issued.key.permissions == EVERYDAY_PERMISSIONS
    assert await office.settings_of("ann", issued.secret) == 200
    assert await office.settings_of("ben", issued.secret) == 404
    (kept,) = await office.world.keys.all()
    assert issued.secret.split("_")[2] not in kept.model_dump_json()
    listed = await office.ask("GET", "/v1/keys")
    assert "hash" not in listed.text
    assert issued.secret not in listed.text
    assert AccessKeyList.model_validate_json(listed.content).keys == (issued.key,)


async def test_a_revoked_key_opens_nothing_from_then_on(office: Office) -> None:
    issued = await office.create(user_id="ann")
    assert await office.settings_of("ann", issued.secret) == 200
    revoked = await office.ask("DELETE", f"/v1/keys/{issued.key.id}")
    assert revoked.json()["revoked_at"] is not None
    assert await office.settings_of("ann", issued.secret) == 401
    again = await office.ask("POST", f"/v1/keys/{issued.key.id}/rotate")
    assert (again.status_code, again.json()["reason"]) == (409, "not_rotated")


async def test_a_rotated_key_has_another_secret(office: Office) -> None:
    first = await office.create(user_id="ann")
    answer = await office.ask("POST", f"/v1/keys/{first.key.id}/rotate", {"grace_seconds": 60})
    second = IssuedKey.model_validate_json(answer.content)
    assert second.key.id == first.key.id
    for secret in (first.secret, second.secret):
        assert await office.settings_of("ann", secret) == 200
    office.world.clock.advance(timedelta(seconds=60))
    assert await office.settings_of("ann", first.secret) == 401
    assert await office.settings_of("ann", second.secret) == 200


async def test_a_service_key_makes_tokens_that_end_with_it(office: Office) -> None:
    maker = await office.create()
    asked = {"user_id": "ann", "permissions": ["read"], "expires_in_seconds": 60}
    answer = await office.ask("POST", "/v1/tokens", asked, key=maker.secret)
    assert answer.status_code == 201
    token = IssuedToken.model_validate_json(answer.content).token
    assert await office.settings_of("ann", token) == 200
    assert await office.settings_of("ben", token) == 404
    beyond = await office.ask(
        "POST", "/v1/tokens", {**asked, "permissions": ["admin"]}, key=maker.secret
    )
    assert (beyond.status_code, beyond.json()["reason"]) == (403, "forbidden")
    # What opens one user makes no tokens, and looks after no keys.
    for path in ("/v1/tokens", "/v1/keys"):
        assert (await office.ask("POST", path, asked, key=token)).status_code == 403
    await office.ask("DELETE", f"/v1/keys/{maker.key.id}")
    assert await office.settings_of("ann", token) == 401


@pytest.mark.parametrize(
    "request_",
    [
        {"name": ""},
        {"name": "x", "agent_id": "coder"},
        {"name": "x", "permissions": []},
        {"name": "x", "permissions": ["everything"]},
        {"name": "x", "expires_at": "2020-01-01T00:00:00Z"},
        {"name": "x", "kind": "service"},
    ],
)
async def test_a_key_that_makes_no_sense_is_refused(
    office: Office, request_: dict[str, Any]
) -> None:
    assert (await office.ask("POST", "/v1/keys", request_)).status_code == 422
    assert await office.world.keys.all() == []


async def test_there_is_nothing_to_be_done_about_a_key_that_is_none(office: Office) -> None:
    for method, path in (("DELETE", "/v1/keys/nobody"), ("POST", "/v1/keys/nobody/rotate")):
        assert (await office.ask(method, path)).status_code == 404


async def test_without_keys_there_is_nothing_to_sign_with() -> None:
    async with World().http as http:
        answer = await http.post("http://127.0.0.1/v1/tokens", json={"user_id": "ann"})
    assert (answer.status_code, answer.json()["reason"]) == (409, "keys_not_asked_for")
