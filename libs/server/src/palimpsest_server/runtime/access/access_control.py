"""Access control: turn the key or token of a request into a grant, or refuse it."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import TYPE_CHECKING

from pydantic import SecretStr
from pymongo.errors import PyMongoError

from palimpsest.api.access_keys import IssuedToken, TokenRequest
from palimpsest.model.clock import Clock, system_clock
from palimpsest.model.errors import CommandRefused, TransientError, Unauthenticated
from palimpsest.model.permissions import EVERY_PERMISSION
from palimpsest_server.delivery.write_behind import WriteBehindBuffer
from palimpsest_server.domain.access.grant import UNGUARDED, Grant
from palimpsest_server.domain.access.key_secrets import KeySecret
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.access_keys import AccessKeyStore, StoredAccessKey
from palimpsest_server.stores.expiring_cache import ExpiringCache

if TYPE_CHECKING:
    from palimpsest_server.runtime.access.external_tokens import ExternalTokens
    from palimpsest_server.runtime.access.key_rates import KeyRates
    from palimpsest_server.runtime.access.own_tokens import OwnTokens

BOOTSTRAP_HOLDER = "bootstrap"
"""Holder of PALIMPSEST_API_KEY, which is in no collection."""

REVOCATION_LIFE = timedelta(seconds=1)
"""Time for which a key is cached: a revoked key works for this long."""

USE_COARSENESS = timedelta(minutes=5)
_USES_WRITTEN_BEHIND = timedelta(seconds=20)

_NO_KEY = (
    "this needs a key: send `Authorization: Bearer` and PALIMPSEST_API_KEY,"
    " or a key that `palimpsest keys create` made"
)
_WRONG_KEY = (
    "this key opens nothing here: it is wrong, revoked or expired; send PALIMPSEST_API_KEY,"
    " or make a key by `palimpsest keys create`"
)


class AccessControl:
    """Admits requests over HTTP and Kafka by the same keys and tokens.

    Each key is read from the database at most once a second, so that every process learns of a revocation
    without an announcement.
    """

    def __init__(
        self,
        settings: Settings,
        keys: AccessKeyStore,
        clock: Clock,
        *,
        passing_time: Clock = system_clock,
    ) -> None:
        """Without keys, nothing is loaded for tokens and rates.

        `passing_time` runs on even if `clock` is a simulation's, which may stand still.
        """
        self.is_guarded = settings.asks_for_keys
        self._keys = keys
        self._clock = clock
        self._passing_time = passing_time
        self._cache: ExpiringCache[str, StoredAccessKey | None] = ExpiringCache(REVOCATION_LIFE)
        self._noted: dict[str, datetime] = {}
        self.uses: WriteBehindBuffer[str, datetime] = WriteBehindBuffer(
            self._write_uses, behind=_USES_WRITTEN_BEHIND
        )
        self._bootstrap = settings.api_key
        self._own: OwnTokens | None = None
        self._external: ExternalTokens | None = None
        self._rates: KeyRates | None = None
        if self.is_guarded:
            self._load(settings)

    def _load(self, settings: Settings) -> None:
        # Half a second of imports, which an instance without keys need not wait for.
        from palimpsest_server.runtime.access.key_rates import KeyRates  # noqa: PLC0415
        from palimpsest_server.runtime.access.own_tokens import OwnTokens  # noqa: PLC0415

        self._rates = KeyRates(settings.key_rates)
        if (secret := settings.token_secret or settings.api_key) is not None:
            self._own = OwnTokens.signed_with(secret)
        if settings.reads_external_tokens:
            from palimpsest_server.runtime.access.external_tokens import (  # noqa: PLC0415
                ExternalTokens,
            )

            self._external = ExternalTokens(settings)

    async def admit(self, shown: str | None) -> Grant:
        """Return the grant of a key or token; the grant of everything if no keys are required.

        Raises:
            Unauthenticated: the key or token is missing or invalid.
            RateExceeded: the key has sent too many requests.
            TransientError: the keys cannot be read now.
        """
        if not self.is_guarded:
            return UNGUARDED
        grant = await self._identify(shown)
        if self._rates is not None:
            await self._rates.count(grant)
        return grant

    async def still_opens(self, shown: str | None, grant: Grant) -> bool:
        """Return whether a key or token would be admitted to the same grant now."""
        if not self.is_guarded:
            return True
        try:
            return await self._identify(shown) == grant
        except Unauthenticated:
            return False

    def issue_token(self, maker: Grant, request: TokenRequest) -> IssuedToken:
        """Make a token for one user.

        Raises:
            CommandRefused: no keys are required here, so nothing is signed.
            PermissionMissing: the token would allow more than the key that makes it.
        """
        if self._own is None:
            raise CommandRefused(
                "no keys are asked for here: set PALIMPSEST_API_KEY or PALIMPSEST_TOKEN_SECRET",
                reason="keys_not_asked_for",
            )
        return self._own.issue(maker, request, self._clock())

    def forget(self, key_id: str) -> None:
        """Drop a key that this process changed from the cache."""
        self._cache.forget([key_id])

    async def _identify(self, shown: str | None) -> Grant:
        if not shown:
            raise Unauthenticated(_NO_KEY)
        if self._bootstrap is not None and _same(shown, self._bootstrap):
            return Grant(holder=BOOTSTRAP_HOLDER, permissions=EVERY_PERMISSION)
        if (secret := KeySecret.parse(shown)) is not None:
            return await self._by_key(secret)
        if shown.count(".") == 2:
            return await self._by_token(shown)
        raise Unauthenticated(_WRONG_KEY)

    async def _by_key(self, secret: KeySecret) -> Grant:
        key, now = await self._opening(secret.key_id), self._clock()
        if key is None or not _is_secret_of(secret, key, now):
            raise Unauthenticated(_WRONG_KEY)
        self._note_use(key.id)
        return _grant(key)

    async def _by_token(self, token: str) -> Grant:
        issuer = _unverified_issuer(token)
        if self._external is not None and issuer == self._external.issuer:
            return await self._external.read(token, self._clock())
        if self._own is None:
            raise Unauthenticated(_WRONG_KEY)
        claims = self._own.read(token, self._clock())
        maker = await self._maker(claims.key)
        return maker.narrow(claims.permissions, user_id=claims.user_id, agent_id=claims.agent_id)

    async def _maker(self, holder: str) -> Grant:
        """Return the grant of the key that made a token; a token ends with its key."""
        if holder == BOOTSTRAP_HOLDER and self._bootstrap is not None:
            return Grant(holder=holder, permissions=EVERY_PERMISSION)
        key = await self._opening(holder)
        if key is None or key.user_id is not None:
            raise Unauthenticated("the key that made this token was revoked; ask for a new one")
        self._note_use(key.id)
        return _grant(key)

    async def _opening(self, key_id: str) -> StoredAccessKey | None:
        """Return a usable key as stored at most a second ago; None if it is not usable."""
        read_at = self._passing_time()
        known = self._cache.living([key_id], read_at)
        if key_id not in known:
            try:
                known = {key_id: await self._keys.get(key_id)}
            except PyMongoError as error:
                raise TransientError(f"keys cannot be read: {type(error).__name__}") from error
            self._cache.keep(known, read_at)
        key = known[key_id]
        return key if key is not None and key.opens(self._clock()) else None

    def _note_use(self, key_id: str) -> None:
        now = self._clock()
        last = self._noted.get(key_id)
        if last is None or now - last >= USE_COARSENESS:
            self._noted[key_id] = now
            self.uses.note({key_id: now})

    async def _write_uses(self, last_used: Mapping[str, datetime]) -> None:
        await self._keys.note_uses(last_used)


def _same(shown: str, secret: SecretStr) -> bool:
    return compare_digest(shown.encode(), secret.get_secret_value().encode())


def _is_secret_of(secret: KeySecret, key: StoredAccessKey, now: datetime) -> bool:
    if secret.matches(key.secret_hash):
        return True
    if key.former_hash is None or key.former_until is None or now >= key.former_until:
        return False
    return secret.matches(key.former_hash)


def _grant(key: StoredAccessKey) -> Grant:
    return Grant(
        holder=key.id, permissions=key.permissions, user_id=key.user_id, agent_id=key.agent_id
    )


def _unverified_issuer(token: str) -> object:
    """Read the issuer that a token names. It is trusted only after the signature was checked."""
    from joserfc.errors import JoseError  # noqa: PLC0415 - see `_load`
    from joserfc.jws import extract_compact  # noqa: PLC0415
    from pydantic_core import from_json  # noqa: PLC0415

    try:
        claims = from_json(extract_compact(token.encode()).payload)
    except (JoseError, ValueError):
        raise Unauthenticated(_WRONG_KEY) from None
    return claims.get("iss") if isinstance(claims, dict) else None
