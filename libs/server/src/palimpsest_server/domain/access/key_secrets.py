"""Secrets of keys: how they are made, parsed and compared. Only their hashes are stored.

A secret is `plm_`, the key's id, `_` and 192 random bits. So many random bits cannot be guessed from
their hash, and a slow hash such as argon2 would only slow every request down.
"""

import re
import secrets
from dataclasses import dataclass
from hashlib import blake2b
from hmac import compare_digest

_ID_BYTES = 6
_SECRET_BYTES = 24
_FORM = re.compile(r"plm_([0-9a-f]{12})_([0-9a-f]{48})")


@dataclass(frozen=True)
class KeySecret:
    key_id: str
    random: str

    @classmethod
    def generate(cls, key_id: str | None = None) -> "KeySecret":
        """Make a random secret, for a new key or for an existing one."""
        return cls(key_id or secrets.token_hex(_ID_BYTES), secrets.token_hex(_SECRET_BYTES))

    @classmethod
    def parse(cls, shown: str) -> "KeySecret | None":
        """Parse a secret; None if it does not have the form of a key."""
        match = _FORM.fullmatch(shown)
        return None if match is None else cls(match[1], match[2])

    def reveal(self) -> str:
        """Return the secret as its holder sends it."""
        return f"plm_{self.key_id}_{self.random}"

    def hash(self) -> str:
        """Return the hash to store. The id is part of it, so the hash fits no other key."""
        keyed = blake2b(self.random.encode(), key=self.key_id.encode(), digest_size=32)
        return keyed.hexdigest()

    def matches(self, kept_hash: str) -> bool:
        """Compare the secret with a stored hash in constant time."""
        return compare_digest(self.hash(), kept_hash)
