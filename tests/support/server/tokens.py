"""Tokens of another issuer, signed by a test, good and bad."""

import base64
import hmac
import json
from datetime import datetime, timedelta
from typing import Any

from joserfc import jwt
from joserfc.jwk import Key, OctKey

ISSUER = "https://login.example"
AUDIENCE = "palimpsest"
SECRET = "a secret of another issuer, long enough"


def claims(now: datetime, **changes: Any) -> dict[str, Any]:
    """Valid claims of ann, with changes; None leaves a claim out."""
    given = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "ann",
        "exp": int((now + timedelta(minutes=5)).timestamp()),
        **changes,
    }
    return {name: value for name, value in given.items() if value is not None}


def sign(
    said: dict[str, Any], key: Key | None = None, *, alg: str = "HS256", kid: str | None = None
) -> str:
    header = {"alg": alg} if kid is None else {"alg": alg, "kid": kid}
    return jwt.encode(header, said, key or OctKey.import_key(SECRET), algorithms=[alg])


def unsigned(said: dict[str, Any]) -> str:
    """A token that says of itself that it needs no signature."""
    return f"{_part({'alg': 'none', 'typ': 'JWT'})}.{_part(said)}."


def signed_with_what_everybody_knows(said: dict[str, Any], public_key: bytes, kid: str) -> str:
    """A token whose secret is the issuer's public key, which a careless reader would accept."""
    signed = f"{_part({'alg': 'HS256', 'kid': kid})}.{_part(said)}"
    signature = hmac.digest(public_key, signed.encode(), "sha256")
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def _part(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
