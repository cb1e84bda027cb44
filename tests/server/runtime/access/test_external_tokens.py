"""Tokens of another issuer: by a shared secret, and by keys that it publishes."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from joserfc.jwk import Key, KeySet, OctKey, RSAKey
from pydantic import SecretStr, ValidationError

from palimpsest.model.errors import TransientError, Unauthenticated
from palimpsest.model.permissions import Permission
from palimpsest_server.domain.access.grant import Grant
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.runtime.access.external_tokens import PublishedKeys
from palimpsest_server.stores.access_keys import InMemoryAccessKeys
from tests.support.clock import SettableClock
from tests.support.given_settings import GivenSettings
from tests.support.server.tokens import (
    AUDIENCE,
    ISSUER,
    SECRET,
    claims,
    sign,
    signed_with_what_everybody_knows,
    unsigned,
)
from tests.support.serving import serving

CLOCK = SettableClock()
NOW = CLOCK()


def process(**settings: Any) -> AccessControl:
    given = {"jwt_secret": SecretStr(SECRET), "jwt_issuer": ISSUER, "jwt_audience": AUDIENCE}
    return AccessControl(GivenSettings(**{**given, **settings}), InMemoryAccessKeys(), CLOCK)


async def admit(token: str, **settings: Any) -> Grant:
    return await process(**settings).admit(token)


async def test_a_token_opens_its_user_to_read_and_write() -> None:
    grant = await admit(sign(claims(NOW)))
    assert (grant.user_id, grant.agent_id) == ("ann", None)
    assert grant.permissions == {Permission.READ, Permission.WRITE}


async def test_claims_are_mapped_by_settings() -> None:
    said = claims(NOW, email="ann@example.org", bot="coder", scope="read palimpsest:erase other")
    mapped = {"user": "email", "agent": "bot", "permissions": "scope"}
    grant = await admit(sign(said), jwt_claims=mapped)
    assert (grant.user_id, grant.agent_id) == ("ann@example.org", "coder")
    assert grant.permissions == {Permission.READ, Permission.ERASE}


@pytest.mark.parametrize(
    ("said", "allowed"),
    [
        (["read"], {Permission.READ}),
        ([], set()),
        ("", set()),
        ({"read": True}, set()),
        (7, set()),
        ("calendar:admin", set()),
        (["read", 7], {Permission.READ}),
    ],
)
async def test_permissions_that_are_none_open_nothing(said: Any, allowed: set[Permission]) -> None:
    assert (await admit(sign(claims(NOW, permissions=said)))).permissions == allowed


FORGED: dict[str, Callable[[], str]] = {
    "no signature": lambda: unsigned(claims(NOW)),
    "another secret": lambda: sign(claims(NOW), OctKey.import_key("x" * 32)),
    "expired": lambda: sign(claims(NOW - timedelta(minutes=10))),
    "no end": lambda: sign(claims(NOW, exp=None)),
    "not yet": lambda: sign(claims(NOW, nbf=int((NOW + timedelta(hours=1)).timestamp()))),
    "another audience": lambda: sign(claims(NOW, aud="calendar")),
    "other audiences": lambda: sign(claims(NOW, aud=["calendar", "mail"])),
    "no audience": lambda: sign(claims(NOW, aud=None)),
    "another issuer": lambda: sign(claims(NOW, iss="https://evil.example")),
    "our own issuer": lambda: sign(claims(NOW, iss="palimpsest")),
    "no issuer": lambda: sign(claims(NOW, iss=None)),
    "no user": lambda: sign(claims(NOW, sub=None)),
    "an empty user": lambda: sign(claims(NOW, sub="")),
    "a list of users": lambda: sign(claims(NOW, email=["ann", "ben"])),
    "an agent that is no id": lambda: sign(claims(NOW, agent_id=7)),
    "an empty agent": lambda: sign(claims(NOW, agent_id="")),
    "a public key as the secret": lambda: sign(claims(NOW), rsa(), alg="RS256"),
}


def rsa() -> Key:
    return RSAKey.generate_key(2048, parameters={"kid": "first"})


@pytest.mark.parametrize("kind", FORGED)
async def test_a_bad_token_opens_nothing_and_is_not_repeated(kind: str) -> None:
    token = FORGED[kind]()
    mapped = {"user": "email"} if kind == "a list of users" else {}
    with pytest.raises(Unauthenticated) as refused:
        await admit(token, jwt_claims=mapped)
    assert token not in str(refused.value)


async def test_one_of_several_audiences_will_do() -> None:
    assert (await admit(sign(claims(NOW, aud=["calendar", AUDIENCE])))).user_id == "ann"


class Issuer:
    """Publishes its keys."""

    def __init__(self) -> None:
        self.keys: list[Key] = [rsa()]
        self.asked = 0
        self.application = FastAPI()

        @self.application.get("/keys")
        async def keys() -> Any:
            self.asked += 1
            return KeySet(self.keys).as_dict(private=False)


async def test_keys_are_fetched_once_and_nothing_else_passes_for_them() -> None:
    issuer = Issuer()
    async with serving(issuer.application) as url:
        guarded = process(jwt_secret=None, jwt_jwks_url=f"{url}/keys")
        first = sign(claims(NOW), issuer.keys[0], alg="RS256", kid="first")
        for _ in range(3):
            assert (await guarded.admit(first)).user_id == "ann"
        assert issuer.asked == 1
        known = RSAKey.import_key(issuer.keys[0].as_dict(private=False)).as_pem(private=False)
        for forged in (
            unsigned(claims(NOW)),
            sign(claims(NOW), rsa(), alg="RS256", kid="first"),
            signed_with_what_everybody_knows(claims(NOW), known, "first"),
        ):
            with pytest.raises(Unauthenticated):
                await guarded.admit(forged)
        # Names of keys that anybody can invent have nothing fetched.
        unknown = sign(claims(NOW), rsa(), alg="RS256", kid="invented")
        for _ in range(3):
            with pytest.raises(Unauthenticated):
                await guarded.admit(unknown)
        assert issuer.asked == 1


async def test_a_key_that_the_issuer_has_changed_is_fetched_after_a_pause() -> None:
    issuer, clock = Issuer(), SettableClock()
    async with serving(issuer.application) as url:
        published = PublishedKeys(f"{url}/keys", clock)
        await published.find("first")
        issuer.keys = [RSAKey.generate_key(2048, parameters={"kid": "second"})]
        with pytest.raises(Unauthenticated):
            await published.find("second")
        clock.advance(timedelta(seconds=30))
        await published.find("second")
        with pytest.raises(Unauthenticated):
            await published.find("first")
    # It does not answer any more: what is known goes on.
    clock.advance(timedelta(hours=1))
    await published.find("second")


async def test_where_the_issuer_does_not_answer_the_client_is_to_try_again() -> None:
    guarded = process(jwt_secret=None, jwt_jwks_url="http://127.0.0.1:1/keys")
    with pytest.raises(TransientError):
        await guarded.admit(sign(claims(NOW), rsa(), alg="RS256", kid="first"))


@pytest.mark.parametrize("missing", ["jwt_issuer", "jwt_audience"])
def test_tokens_are_not_accepted_from_anybody_or_for_anything(missing: str) -> None:
    with pytest.raises(ValidationError, match="any token would do"):
        process(**{missing: None})


def test_a_secret_and_published_keys_are_not_mixed() -> None:
    with pytest.raises(ValidationError, match="not both"):
        process(jwt_jwks_url="https://login.example/keys")
