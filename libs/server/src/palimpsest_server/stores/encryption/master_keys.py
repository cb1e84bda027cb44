"""Master keys: the current one wraps users' keys, and older ones still unwrap them.

Only master keys are rotated. A user's key stays the same in another wrapping, so that sealed
content does not change (envelope encryption).
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

    The error is transient because no event causes it: the stage waits until an operator provides the key.
    """

    reason = "unknown_master_key"


def parse_master_key(text: str) -> bytes:
    """Parse a master key from base64.

    Raises:
        PermanentError: the key is not 32 bytes.
    """
    try:
        key = urlsafe_b64decode(text.encode().translate(bytes.maketrans(b"+/", b"-_")))
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise PermanentError("PALIMPSEST_ENCRYPTION_KEY must be 32 bytes in base64")
    return key


def fingerprint_master_key(master: bytes) -> str:
    """Return 16 hexadecimal digits that identify a master key and reveal nothing of it."""
    return hmac.new(master, _NAME_OF, hashlib.sha256).hexdigest()[:16]


class MasterKeys:
    def __init__(self, current: bytes, older: Sequence[bytes] = ()) -> None:
        """Each key has 32 bytes. `current` wraps; all of them unwrap."""
        self.current = fingerprint_master_key(current)
        self._ciphers = {fingerprint_master_key(each): AESGCM(each) for each in (current, *older)}

    def wrapped(self, key: bytes, key_id: bytes) -> dict[str, Any]:
        """Wrap a user's key, bound to its id; return the fields to store."""
        nonce = os.urandom(NONCE_BYTES)
        cipher = self._ciphers[self.current]
        return {"wrapped": nonce + cipher.encrypt(nonce, key, key_id), "wrapped_by": self.current}

    def unwrapped(self, document: Mapping[str, Any], key_id: bytes) -> bytes:
        """Return a user's key from its stored fields.

        Raises:
            UnknownMasterKey: none of these master keys wrapped it.
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
        """Return the cipher that the document names, or all ciphers if its wrapping is older than such names."""
        name = document.get("wrapped_by")
        if name is None:
            return list(self._ciphers.values())
        return [self._ciphers[name]] if name in self._ciphers else []
