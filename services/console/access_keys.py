"""Keys of the API: made, listed, revoked and given another secret. Secrets are shown once."""

from datetime import timedelta

from palimpsest.api.access_keys import AccessKey, AccessKeyList, IssuedKey, KeyRequest
from palimpsest.model.clock import Clock
from palimpsest.model.errors import CommandRefused, InvalidEvent, RecordNotFound
from palimpsest_server.domain.access.key_secrets import KeySecret
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.stores.access_keys import AccessKeyStore, StoredAccessKey


class KeyRegister:
    def __init__(self, keys: AccessKeyStore, access: AccessControl, clock: Clock) -> None:
        self._keys = keys
        self._access = access
        self._clock = clock

    async def create(self, request: KeyRequest) -> IssuedKey:
        """Make a key.

        Raises:
            InvalidEvent: it would have expired already.
        """
        now, secret = self._clock(), KeySecret.generate()
        if request.expires_at is not None and request.expires_at <= now:
            raise InvalidEvent("expires_at: must be after now")
        key = StoredAccessKey(
            id=secret.key_id,
            kind=request.kind,
            created_at=now,
            secret_hash=secret.hash(),
            **request.model_dump(),
        )
        await self._keys.add(key)
        return IssuedKey(key=key.public, secret=secret.reveal())

    async def list(self) -> AccessKeyList:
        """List every key, revoked and expired ones too."""
        return AccessKeyList(keys=tuple(key.public for key in await self._keys.all()))

    async def revoke(self, key_id: str) -> AccessKey:
        """Revoke a key and with it the tokens that it made. Other processes hear of it in a second.

        Raises:
            RecordNotFound: there is no such key.
        """
        key = await self._keys.revoke(key_id, self._clock())
        self._access.forget(key_id)
        if key is None:
            raise _no_such_key()
        return key.public

    async def rotate(self, key_id: str, *, grace_seconds: int) -> IssuedKey:
        """Give a key another secret; the former secret works on for `grace_seconds`.

        Raises:
            RecordNotFound: there is no such key.
            CommandRefused: it is revoked, or was rotated at the same moment.
        """
        secret = KeySecret.generate(key_id)
        former_until = self._clock() + timedelta(seconds=grace_seconds)
        key = await self._keys.rotate(key_id, secret.hash(), former_until)
        self._access.forget(key_id)
        if key is not None:
            return IssuedKey(key=key.public, secret=secret.reveal())
        if await self._keys.get(key_id) is None:
            raise _no_such_key()
        raise CommandRefused(
            "this key is revoked, or somebody else has just rotated it", reason="not_rotated"
        )


def _no_such_key() -> RecordNotFound:
    return RecordNotFound("there is no key of this id")
