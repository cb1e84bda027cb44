"""Calls that manage keys and make short-lived tokens, over HTTP with a service key."""

from collections.abc import Collection
from datetime import datetime

from palimpsest.api.access_keys import (
    AccessKey,
    AccessKeyList,
    IssuedKey,
    IssuedToken,
    KeyRequest,
    RotationRequest,
    TokenRequest,
)
from palimpsest.client.connections import ClientConnections
from palimpsest.client.request_validation import build_valid_request, encode_path_id
from palimpsest.model.permissions import EVERYDAY_PERMISSIONS, Permission
from palimpsest.model.value_types import Value

_NO_PARAMETERS = Value()


class AccessKeyCalls:
    """`client.keys`. A secret is returned only once, because only hashes of keys are stored."""

    def __init__(self, connections: ClientConnections) -> None:
        self._connections = connections

    async def create(
        self,
        name: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        permissions: Collection[Permission | str] = tuple(EVERYDAY_PERMISSIONS),
        expires_at: datetime | None = None,
    ) -> IssuedKey:
        """Make a key for a user, or for one agent of a user; without either, a service key."""
        request = build_valid_request(
            KeyRequest,
            name=name,
            user_id=user_id,
            agent_id=agent_id,
            permissions=permissions,
            expires_at=expires_at,
        )
        return await self._connections.console.command(
            "POST", "/v1/keys", _NO_PARAMETERS, request, IssuedKey
        )

    async def list(self) -> AccessKeyList:
        """List every key, without secrets."""
        return await self._connections.console.command(
            "GET", "/v1/keys", _NO_PARAMETERS, None, AccessKeyList
        )

    async def revoke(self, key_id: str) -> AccessKey:
        """Revoke a key and its tokens; every process knows within a second.

        Raises:
            NotFound: there is no key of this id.
        """
        return await self._connections.console.command(
            "DELETE", _path(key_id), _NO_PARAMETERS, None, AccessKey
        )

    async def rotate(self, key_id: str, *, grace_seconds: int = 0) -> IssuedKey:
        """Give a key another secret; the former one works on for `grace_seconds`.

        Raises:
            NotFound: there is no key of this id.
            Conflict: it was revoked.
        """
        request = build_valid_request(RotationRequest, grace_seconds=grace_seconds)
        return await self._connections.console.command(
            "POST", f"{_path(key_id)}/rotate", _NO_PARAMETERS, request, IssuedKey
        )

    async def create_token(
        self,
        user_id: str,
        *,
        agent_id: str | None = None,
        permissions: Collection[Permission | str] = tuple(EVERYDAY_PERMISSIONS),
        expires_in_seconds: int = 900,
    ) -> IssuedToken:
        """Make a short-lived token for one user, which a browser or an agent may hold."""
        request = build_valid_request(
            TokenRequest,
            user_id=user_id,
            agent_id=agent_id,
            permissions=permissions,
            expires_in_seconds=expires_in_seconds,
        )
        return await self._connections.console.command(
            "POST", "/v1/tokens", _NO_PARAMETERS, request, IssuedToken
        )


def _path(key_id: str) -> str:
    return f"/v1/keys/{encode_path_id(key_id)}"
