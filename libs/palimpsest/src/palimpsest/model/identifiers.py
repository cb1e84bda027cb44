"""Ids are derived from their subject, so that repeating the same work gives the same id."""

import hashlib
from uuid import UUID, uuid5

_ROOT = UUID("6d1f3a52-6c1c-5d5e-9b0e-2f6f0b8b7a11")


def encode_length_prefixed(*parts: str | None) -> bytes:
    """Join parts so that no two different lists give the same bytes; None differs from ""."""
    joined = bytearray()
    for part in parts:
        if part is None:
            joined += b"-;"
        else:
            encoded = part.encode()
            joined += b"%d:%b;" % (len(encoded), encoded)
    return bytes(joined)


def derive_id(kind: str, *parts: str | None) -> str:
    """Derive a uuid5 from the kind of record and the parts that identify it."""
    digest = hashlib.sha256(encode_length_prefixed(kind, *parts)).hexdigest()
    return str(uuid5(_ROOT, digest))
