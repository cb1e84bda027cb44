"""Keys of the API with the hashes of their secrets."""

from collections.abc import Mapping
from typing import Any, Protocol

from pymongo import ReturnDocument

from palimpsest.api.access_keys import AccessKey
from palimpsest.model.value_types import Instant
from palimpsest_server.stores.collections import ACCESS_KEYS
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)


class StoredAccessKey(AccessKey):
    """A stored API key: its properties and the hash of its secret."""

    secret_hash: str
    former_hash: str | None = None
    """Hash of the secret before the last rotation."""
    former_until: Instant | None = None
    """Moment from which the former secret is refused."""

    @property
    def public(self) -> AccessKey:
        return AccessKey.model_validate(self.model_dump(include=set(AccessKey.model_fields)))


class AccessKeyStore(Protocol):
    async def add(self, key: StoredAccessKey, /) -> None: ...

    async def get(self, key_id: str, /) -> StoredAccessKey | None: ...

    async def all(self) -> list[StoredAccessKey]:
        """Return every key, the newest first."""
        ...

    async def revoke(self, key_id: str, at: Instant, /) -> StoredAccessKey | None:
        """Revoke a key for good; a second call changes nothing. Return None if there is no such key."""
        ...

    async def rotate(
        self, key_id: str, secret_hash: str, former_until: Instant, /
    ) -> StoredAccessKey | None:
        """Store a new hash; the former hash stays valid until `former_until`.

        Return None if there is no such key, or if the key is revoked.
        """
        ...

    async def note_uses(self, last_used: Mapping[str, Instant], /) -> None:
        """Move the time of last use of each key forward, by key id."""
        ...


class MongoAccessKeys:
    def __init__(self, database: MongoDatabase) -> None:
        self._keys = database.collection(ACCESS_KEYS)

    async def add(self, key: StoredAccessKey) -> None:
        permissions = sorted(str(permission) for permission in key.permissions)
        await self._keys.insert_one(
            {**to_document(key), "kind": str(key.kind), "permissions": permissions}
        )

    async def get(self, key_id: str) -> StoredAccessKey | None:
        return _key(await self._keys.find_one({"_id": key_id}))

    async def all(self) -> list[StoredAccessKey]:
        found = await self._keys.find({}).sort([("created_at", -1), ("_id", 1)]).to_list(None)
        return [from_document(StoredAccessKey, document) for document in found]

    async def revoke(self, key_id: str, at: Instant) -> StoredAccessKey | None:
        await self._keys.update_one(
            {"_id": key_id, "revoked_at": None}, {"$set": {"revoked_at": at}}
        )
        return await self.get(key_id)

    async def rotate(
        self, key_id: str, secret_hash: str, former_until: Instant
    ) -> StoredAccessKey | None:
        standing = await self.get(key_id)
        if standing is None:
            return None
        changed = await self._keys.find_one_and_update(
            # Of two concurrent rotations the later is refused, else its hash would be lost unnoticed.
            {"_id": key_id, "revoked_at": None, "secret_hash": standing.secret_hash},
            {
                "$set": {
                    "secret_hash": secret_hash,
                    "former_hash": standing.secret_hash,
                    "former_until": former_until,
                }
            },
            return_document=ReturnDocument.AFTER,
        )
        return _key(changed)

    async def note_uses(self, last_used: Mapping[str, Instant]) -> None:
        for key_id, at in last_used.items():
            await self._keys.update_one({"_id": key_id}, {"$max": {"last_used_at": at}})


class InMemoryAccessKeys:
    """The twin of `MongoAccessKeys`."""

    def __init__(self) -> None:
        self._keys: dict[str, StoredAccessKey] = {}

    async def add(self, key: StoredAccessKey) -> None:
        self._keys[key.id] = key

    async def get(self, key_id: str) -> StoredAccessKey | None:
        return self._keys.get(key_id)

    async def all(self) -> list[StoredAccessKey]:
        by_id = sorted(self._keys.values(), key=lambda key: key.id)
        return sorted(by_id, key=lambda key: key.created_at, reverse=True)

    async def revoke(self, key_id: str, at: Instant) -> StoredAccessKey | None:
        key = self._keys.get(key_id)
        return key and self._change(key, revoked_at=key.revoked_at or at)

    async def rotate(
        self, key_id: str, secret_hash: str, former_until: Instant
    ) -> StoredAccessKey | None:
        key = self._keys.get(key_id)
        if key is None or key.revoked_at is not None:
            return None
        return self._change(
            key,
            secret_hash=secret_hash,
            former_hash=key.secret_hash,
            former_until=former_until,
        )

    async def note_uses(self, last_used: Mapping[str, Instant]) -> None:
        for key_id, at in last_used.items():
            if (key := self._keys.get(key_id)) is not None:
                self._change(key, last_used_at=max(at, key.last_used_at or at))

    def _change(self, key: StoredAccessKey, **fields: Any) -> StoredAccessKey:
        self._keys[key.id] = key.model_copy(update=fields)
        return self._keys[key.id]


def _key(document: Document | None) -> StoredAccessKey | None:
    return None if document is None else from_document(StoredAccessKey, document)
