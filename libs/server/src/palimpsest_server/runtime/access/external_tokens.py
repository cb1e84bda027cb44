"""Tokens of another issuer, such as the login of a chat service: always for one user."""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol

import httpx
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import Key, KeySet, OctKey
from joserfc.jws import extract_compact
from pydantic import TypeAdapter, ValidationError

from palimpsest.client.proxies_and_certificates import find_proxy, load_trusted_certificates
from palimpsest.model.clock import Clock, system_clock
from palimpsest.model.errors import TransientError, Unauthenticated
from palimpsest.model.permissions import Permission
from palimpsest.model.value_types import Identifier, Instant
from palimpsest_server.domain.access.grant import Grant
from palimpsest_server.runtime.access.signed_tokens import (
    PUBLIC_KEY_ALGORITHMS,
    SHARED_SECRET_ALGORITHMS,
    verify_token,
)
from palimpsest_server.runtime.settings import JWT_CLAIMS, JwtMeaning, Settings

_OURS = "palimpsest:"
"""Prefix of permissions in a claim that other services read too."""

_FRESH = timedelta(minutes=10)
_LEAST_PAUSE = timedelta(seconds=30)
"""Least time between two fetches for an unknown key id, because anybody can invent one."""

_FETCH_SECONDS = 5.0
_IDENTIFIER: TypeAdapter[str] = TypeAdapter(Identifier)
_PERMISSIONS = frozenset(Permission)


class _Keys(Protocol):
    async def find(self, key_id: str | None, /) -> Key | KeySet: ...


class _SharedSecret:
    def __init__(self, secret: str) -> None:
        self._key = OctKey.import_key(secret)

    async def find(self, _: str | None) -> Key:
        return self._key


class PublishedKeys:
    """The keys that an issuer publishes (JWKS), fetched when needed and cached for minutes."""

    def __init__(self, url: str, clock: Clock = system_clock) -> None:
        self._url = url
        self._clock = clock
        self._keys: KeySet | None = None
        self._fetched_at: datetime | None = None
        self._fetching = asyncio.Lock()

    async def find(self, key_id: str | None) -> Key | KeySet:
        """Return the key of this id.

        Raises:
            Unauthenticated: the issuer publishes no such key.
            TransientError: the issuer does not answer, and no keys are cached.
        """
        if (keys := self._known(_FRESH)) is not None and (found := _of_id(keys, key_id)):
            return found
        async with self._fetching:
            keys = self._known(_LEAST_PAUSE) or await self._fetch()
        if found := _of_id(keys, key_id):
            return found
        raise Unauthenticated("the token is signed with a key that its issuer does not publish")

    def _known(self, age: timedelta) -> KeySet | None:
        recent = self._fetched_at is not None and self._clock() - self._fetched_at < age
        return self._keys if recent else None

    async def _fetch(self) -> KeySet:
        try:
            async with httpx.AsyncClient(
                verify=load_trusted_certificates(),
                proxy=find_proxy(httpx.URL(self._url)),
                trust_env=False,
                timeout=_FETCH_SECONDS,
            ) as http:
                answer = (await http.get(self._url)).raise_for_status()
            self._keys = KeySet.import_key_set(answer.json())
        except (httpx.HTTPError, JoseError, ValueError, KeyError, TypeError) as error:
            if self._keys is None:
                raise TransientError(
                    f"the keys of the tokens' issuer cannot be read: {type(error).__name__}"
                ) from None
            # A stale set is better than none; it is fetched again after the pause.
        self._fetched_at = self._clock()
        return self._keys


def _of_id(keys: KeySet, key_id: str | None) -> Key | None:
    try:
        return keys.get_by_kid(key_id)
    except (InvalidKeyIdError, ValueError):
        return None


class ExternalTokens:
    """Reads tokens of the issuer that the settings name."""

    def __init__(self, settings: Settings) -> None:
        assert settings.jwt_issuer is not None  # noqa: S101 - checked with the settings
        assert settings.jwt_audience is not None  # noqa: S101 - as well
        self.issuer, self._audience = settings.jwt_issuer, settings.jwt_audience
        self._claims = {**JWT_CLAIMS, **settings.jwt_claims}
        self._otherwise = frozenset(settings.jwt_permissions)
        self._keys: _Keys
        self._algorithms: tuple[str, ...]
        if settings.jwt_secret is not None:
            self._keys = _SharedSecret(settings.jwt_secret.get_secret_value())
            self._algorithms = SHARED_SECRET_ALGORITHMS
        else:
            assert settings.jwt_jwks_url is not None  # noqa: S101 - one of both is set
            self._keys = PublishedKeys(settings.jwt_jwks_url)
            self._algorithms = PUBLIC_KEY_ALGORITHMS

    async def read(self, token: str, now: Instant) -> Grant:
        """Return the grant of a token.

        Raises:
            Unauthenticated: the token is not valid, or names no user.
            TransientError: the issuer's keys cannot be fetched.
        """
        key = await self._keys.find(_key_id(token, self._algorithms))
        claims = verify_token(
            token,
            key,
            algorithms=self._algorithms,
            issuer=self.issuer,
            audience=self._audience,
            now=now,
        )
        user_id = self._identifier(claims, "user")
        if user_id is None:
            raise Unauthenticated(f"the token names no user in its claim `{self._claims['user']}`")
        agent_id = self._identifier(claims, "agent")
        return Grant(
            holder=f"token of {user_id}" if agent_id is None else f"token of {user_id} {agent_id}",
            permissions=self._permissions(claims),
            user_id=user_id,
            agent_id=agent_id,
        )

    def _identifier(self, claims: Mapping[str, Any], meaning: JwtMeaning) -> str | None:
        value = claims.get(self._claims[meaning])
        if value is None:
            return None
        try:
            return _IDENTIFIER.validate_python(value, strict=True)
        except ValidationError:
            # An invalid id must not widen the grant of the token.
            raise Unauthenticated(f"the token's claim for the {meaning} is no id") from None

    def _permissions(self, claims: Mapping[str, Any]) -> frozenset[Permission]:
        value = claims.get(self._claims["permissions"])
        if value is None:
            return self._otherwise
        words = value.split() if isinstance(value, str) else value
        if not isinstance(words, list):
            return frozenset()
        named = {word.removeprefix(_OURS) for word in words if isinstance(word, str)}
        return frozenset(permission for permission in _PERMISSIONS if permission in named)


def _key_id(token: str, algorithms: tuple[str, ...]) -> str | None:
    """Read the id of the key that signed a token, before the token is verified."""
    try:
        header = extract_compact(token.encode()).headers()
    except (JoseError, ValueError):
        raise Unauthenticated("this is neither a key nor a token") from None
    if header.get("alg") not in algorithms:
        raise Unauthenticated("the token is signed in a way that is not accepted here")
    key_id = header.get("kid")
    return key_id if isinstance(key_id, str) else None
