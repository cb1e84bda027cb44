"""Master keys: the one that wraps the keys of users, and older ones that still unwrap.

Rotation is of these. A user's key stays the same in another wrapping, so that
nothing it ever sealed has to be touched (envelope encryption).
"""

import hashlib
import hmac
import os
from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from palimpsest.model.errors import PermanentError, TransientError

KEY_BYTES = 32
NONCE_BYTES = 12

_NAME_OF = b"palimpsest master key"


class UnknownMasterKey(TransientError):
    """A user's key was wrapped by a master key that this process was not given.

    Transient, for it is no event's fault: the stage waits until somebody gives it that key.
    """

    reason = "unknown_master_key"


def parse_master_key(text: str) -> bytes:
    """The master key from its base64.

    Raises:
        PermanentError: it is not 32 bytes.
    """
    try:
        key = urlsafe_b64decode(text.encode().translate(bytes.maketrans(b"+/", b"-_")))
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise PermanentError("PALIMPSEST_ENCRYPTION_KEY must be 32 bytes in base64")
    return key


def fingerprint_master_key(master: bytes) -> str:
    """Return 16 hexadecimal digits that tell a master key from others and reveal nothing of it."""
    return hmac.new(master, _NAME_OF, hashlib.sha256).hexdigest()[:16]


class MasterKeys:
    def __init__(self, current: bytes, older: Sequence[bytes] = ()) -> None:
        """32 bytes each; `current` wraps, all of them unwrap."""
        self.current = fingerprint_master_key(current)
        self._ciphers = {fingerprint_master_key(each): AESGCM(each) for each in (current, *older)}

    def wrapped(self, key: bytes, key_id: bytes) -> dict[str, Any]:
        """The fields that keep this key of a user, bound to its id."""
        nonce = os.urandom(NONCE_BYTES)
        cipher = self._ciphers[self.current]
        return {"wrapped": nonce + cipher.encrypt(nonce, key, key_id), "wrapped_by": self.current}

    def unwrapped(self, document: Mapping[str, Any], key_id: bytes) -> bytes:
        """The key of a user from its fields.

        Raises:
            UnknownMasterKey: none of these wrapped it.
        """
        wrapped: bytes = document["wrapped"]
        nonce, key = wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:]
        for cipher in self._may_have_wrapped(document):
            try:
                return cipher.decrypt(nonce, key, key_id)
            except InvalidTag:
                continue
        raise UnknownMasterKey(
            "keys of users were wrapped by a master key that is neither PALIMPSEST_ENCRYPTION_KEY"
            " nor among PALIMPSEST_ENCRYPTION_OLDER_KEYS"
        )

    def _may_have_wrapped(self, document: Mapping[str, Any]) -> Sequence[AESGCM]:
        """The one that it names; of one wrapped before wrappings had a name, any."""
        name = document.get("wrapped_by")
        if name is None:
            return list(self._ciphers.values())
        return [self._ciphers[name]] if name in self._ciphers else []
