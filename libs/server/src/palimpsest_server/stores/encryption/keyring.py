"""Keys of users: one for each of a user's epochs, stored wrapped by a master key.

Envelope encryption with AES-256-GCM. Content sealed with a destroyed key is unreadable everywhere,
in backups and on Kafka too.
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pymongo.errors import DuplicateKeyError

from palimpsest.model.clock import Clock, system_clock
from palimpsest.model.errors import PermanentError
from palimpsest.model.identifiers import derive_id
from palimpsest_server.domain.encrypted_fields import ContentOwner
from palimpsest_server.stores.encryption.master_keys import KEY_BYTES, NONCE_BYTES, MasterKeys
from palimpsest_server.stores.erased_text import ERASED_TEXT

SEALED_MARK = b"\x00sealed\x01"
"""Prefix of every sealed value. No text begins like this, and no other value is stored as bytes."""

KEY_CACHE_LIFETIME = timedelta(seconds=60)
"""Longest time for which a process may still read with a key that another process destroyed."""

_TEXT, _JSON = b"t", b"j"
_HEAD = len(SEALED_MARK) + 1 + 16


@dataclass(frozen=True)
class UserKey:
    id: bytes
    user_id: str
    cipher: AESGCM | None
    """None if the key was destroyed."""
    loaded_at: datetime


class Keyring:
    def __init__(self, keys: Any, masters: MasterKeys, clock: Clock = system_clock) -> None:
        """`keys` is the raw collection of keys."""
        self._keys = keys
        self._masters = masters
        self._clock = clock
        self._known: dict[bytes, UserKey] = {}

    async def of(self, owners: Iterable[ContentOwner]) -> Mapping[ContentOwner, UserKey]:
        """Return the key of each owner; missing keys are made.

        Raises:
            UnknownMasterKey: a key was wrapped by a master key that was not given.
        """
        wanted = {owner: _key_id(owner) for owner in owners}
        await self._load(wanted.values())
        for owner, key_id in wanted.items():
            if key_id not in self._known:
                await self._make(owner, key_id)
        return {owner: self._known[key_id] for owner, key_id in wanted.items()}

    async def load(self, key_ids: Iterable[bytes]) -> list[UserKey]:
        """Return the existing keys of `key_ids`, and load them so that `open` can use them."""
        wanted = list(key_ids)
        await self._load(wanted)
        return [self._known[each] for each in wanted if each in self._known]

    def open(self, token: bytes) -> Any:
        """Open a sealed value; if its key was destroyed, return the placeholder of erased content.

        Raises:
            PermanentError: the value was not sealed by the key that it names.
        """
        kind = _TEXT if is_sealed_text(token) else _JSON
        key = self._known.get(read_key_id(token))
        if key is None or key.cipher is None:
            return ERASED_TEXT if kind == _TEXT else {}
        nonce, words = token[_HEAD : _HEAD + NONCE_BYTES], token[_HEAD + NONCE_BYTES :]
        try:
            plain = key.cipher.decrypt(nonce, words, kind + key.id)
        except InvalidTag:
            raise PermanentError("something was not sealed by the key that it names") from None
        return plain.decode() if kind == _TEXT else json.loads(plain)

    async def destroy(self, user_id: str, *, before_epoch: int) -> int:
        """Destroy a user's keys of epochs below `before_epoch` for ever; return how many."""
        older = {
            "user_id": user_id,
            "epoch": {"$lt": before_epoch},
            "wrapped": {"$exists": True},
        }
        ids = [document["_id"] for document in await self._keys.find(older).to_list(None)]
        for each in ids:
            await self._keys.update_one(
                {"_id": each}, {"$unset": {"wrapped": "", "wrapped_by": ""}}
            )
            self._known.pop(UUID(each).bytes, None)
        return len(ids)

    async def _load(self, key_ids: Iterable[bytes]) -> None:
        now = self._clock()
        absent = [
            key_id
            for key_id in dict.fromkeys(key_ids)
            if (known := self._known.get(key_id)) is None
            or known.loaded_at < now - KEY_CACHE_LIFETIME
        ]
        if not absent:
            return
        names = [str(UUID(bytes=key_id)) for key_id in absent]
        for document in await self._keys.find({"_id": {"$in": names}}).to_list(None):
            self._note(document, now)

    async def _make(self, owner: ContentOwner, key_id: bytes) -> None:
        document = {
            "_id": str(UUID(bytes=key_id)),
            "user_id": owner.user_id or "",
            "epoch": owner.epoch or 0,
            **self._masters.wrapped(AESGCM.generate_key(KEY_BYTES * 8), key_id),
        }
        try:
            await self._keys.insert_one(document)
        except DuplicateKeyError:
            # Another process made or destroyed the key first, and its key counts.
            document = await self._keys.find_one({"_id": document["_id"]})
        self._note(document, self._clock())

    def _note(self, document: Mapping[str, Any], now: datetime) -> None:
        key_id = UUID(document["_id"]).bytes
        cipher = None
        if document.get("wrapped") is not None:
            cipher = AESGCM(self._masters.unwrapped(document, key_id))
        self._known[key_id] = UserKey(key_id, document["user_id"], cipher, now)


def seal_value(key: UserKey, value: Any) -> Any:
    """Seal a value as bytes; with a destroyed key, return the placeholder of erased content."""
    is_text = isinstance(value, str)
    if key.cipher is None:
        return ERASED_TEXT if is_text else {}
    kind = _TEXT if is_text else _JSON
    plain = value.encode() if is_text else json.dumps(value, ensure_ascii=False).encode()
    nonce = os.urandom(NONCE_BYTES)
    return SEALED_MARK + kind + key.id + nonce + key.cipher.encrypt(nonce, plain, kind + key.id)


def is_sealed(value: Any) -> bool:
    return isinstance(value, bytes) and value.startswith(SEALED_MARK)


def is_sealed_text(token: bytes) -> bool:
    """Return whether a token seals a text, and not free data."""
    return token[len(SEALED_MARK) : len(SEALED_MARK) + 1] == _TEXT


def read_key_id(token: bytes) -> bytes:
    return token[len(SEALED_MARK) + 1 : _HEAD]


def _key_id(owner: ContentOwner) -> bytes:
    return UUID(derive_id("key", owner.user_id or "", str(owner.epoch or 0))).bytes
