"""Signed tokens (JWT): signature, time, issuer and audience are checked before a claim is used."""

from collections.abc import Mapping, Sequence
from typing import Any

from joserfc import jwt
from joserfc.errors import ExpiredTokenError, JoseError
from joserfc.jwk import Key, KeySet

from palimpsest.model.errors import Unauthenticated
from palimpsest.model.value_types import Instant

SHARED_SECRET_ALGORITHMS = ("HS256", "HS384", "HS512")
PUBLIC_KEY_ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "Ed25519", "EdDSA"),
)
"""Never combined with shared-secret algorithms, so that a public key cannot pass for a secret."""

LEEWAY_SECONDS = 30
"""Allowed difference of other issuers' clocks, in seconds."""


def verify_token(
    token: str,
    key: Key | KeySet,
    *,
    algorithms: Sequence[str],
    issuer: str,
    audience: str,
    now: Instant,
    leeway_seconds: int = LEEWAY_SECONDS,
) -> Mapping[str, Any]:
    """Return the claims of a token.

    Raises:
        Unauthenticated: the token is forged, unsigned, expired, not valid yet, or for another audience.
    """
    claims = jwt.JWTClaimsRegistry(
        now=int(now.timestamp()),
        leeway=leeway_seconds,
        iss={"essential": True, "value": issuer},
        aud={"essential": True, "value": audience},
        exp={"essential": True},
    )
    try:
        found = jwt.decode(token, key, algorithms=algorithms)
        claims.validate(found.claims)
    except ExpiredTokenError:
        raise Unauthenticated("the token has expired; ask for a new one") from None
    except (JoseError, ValueError) as error:
        # Only the error's class, because its message may quote the token.
        raise Unauthenticated(f"the token is not valid here ({type(error).__name__})") from None
    return found.claims
