"""Short-lived tokens that a service key makes for one user, signed with a secret of the deployment."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from hmac import digest
from typing import Any
from uuid import uuid4

from joserfc import jwt
from joserfc.jwk import OctKey
from pydantic import SecretStr, ValidationError

from palimpsest.api.access_keys import IssuedToken, TokenRequest
from palimpsest.model.errors import PermissionMissing, Unauthenticated
from palimpsest.model.permissions import Permission
from palimpsest.model.value_types import Identifier, Instant, Value
from palimpsest_server.domain.access.grant import Grant
from palimpsest_server.runtime.access.signed_tokens import verify_token

OWN_ISSUER = "palimpsest"
_ALGORITHM = "HS256"
_PURPOSE = b"palimpsest tokens"


class OwnClaims(Value):
    """Claims of our own token: the key that made it, and its grant."""

    key: str
    user_id: Identifier
    agent_id: Identifier | None = None
    permissions: frozenset[Permission]


@dataclass(frozen=True)
class OwnTokens:
    _key: OctKey

    @classmethod
    def signed_with(cls, secret: SecretStr) -> "OwnTokens":
        """Derive the signing key from a secret, so that tokens reveal nothing of the secret."""
        return cls(OctKey.import_key(digest(secret.get_secret_value().encode(), _PURPOSE, sha256)))

    def issue(self, maker: Grant, request: TokenRequest, now: Instant) -> IssuedToken:
        """Make a token.

        Raises:
            PermissionMissing: the token would allow more than the key that makes it.
        """
        lacking = sorted(request.permissions - maker.permissions)
        if lacking:
            raise PermissionMissing(f"this key cannot pass on what it lacks: {', '.join(lacking)}")
        until = (now + timedelta(seconds=request.expires_in_seconds)).replace(microsecond=0)
        own = OwnClaims(
            key=maker.holder,
            user_id=request.user_id,
            agent_id=request.agent_id,
            permissions=request.permissions,
        )
        claims = {
            **own.model_dump(mode="json", exclude_none=True),
            "permissions": sorted(own.permissions),
            "iss": OWN_ISSUER,
            "aud": OWN_ISSUER,
            "iat": int(now.timestamp()),
            "exp": int(until.timestamp()),
            "jti": str(uuid4()),
        }
        return IssuedToken(
            token=jwt.encode({"alg": _ALGORITHM}, claims, self._key, algorithms=[_ALGORITHM]),
            user_id=request.user_id,
            agent_id=request.agent_id,
            permissions=request.permissions,
            expires_at=until,
        )

    def read(self, token: str, now: Instant) -> OwnClaims:
        """Return the claims of our own token.

        Raises:
            Unauthenticated: the token is not ours, or has expired.
        """
        claims = verify_token(
            token,
            self._key,
            algorithms=[_ALGORITHM],
            issuer=OWN_ISSUER,
            audience=OWN_ISSUER,
            now=now,
            leeway_seconds=0,
        )
        return _own(claims)


def _own(claims: Mapping[str, Any]) -> OwnClaims:
    try:
        return OwnClaims.model_validate(
            {name: claims[name] for name in OwnClaims.model_fields if name in claims}
        )
    except ValidationError:
        raise Unauthenticated("the token was made by another version; ask for a new one") from None
