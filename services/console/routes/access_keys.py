"""`/v1/keys` and `/v1/tokens`: who else may ask, and for how long."""

from typing import Annotated

from fastapi import APIRouter, Depends

from palimpsest.api.access_keys import (
    AccessKey,
    AccessKeyList,
    IssuedKey,
    IssuedToken,
    KeyRequest,
    RotationRequest,
    TokenRequest,
)
from palimpsest.model.value_types import Identifier
from palimpsest_server.domain.access.grant import Grant
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.runtime.http import Permission, declare_permission, get_request_grant
from services.console.access_keys import KeyRegister
from services.console.command_responses import CONFLICT_RESPONSE, NOT_FOUND_RESPONSE

_ADMIN = declare_permission(Permission.ADMIN, service_alone=True)


def build_router(keys: KeyRegister, access: AccessControl) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["access"])

    @router.post("/keys", status_code=201, openapi_extra=_ADMIN)
    async def create(request: KeyRequest) -> IssuedKey:
        """Make a key. Its secret is in this answer alone: only a hash of it is kept."""
        return await keys.create(request)

    @router.get("/keys", openapi_extra=_ADMIN)
    async def list_() -> AccessKeyList:
        """List every key with its reach, permissions, expiry and last use; secrets are not kept."""
        return await keys.list()

    @router.delete("/keys/{key_id}", openapi_extra=_ADMIN, responses={404: NOT_FOUND_RESPONSE})
    async def revoke(key_id: Identifier) -> AccessKey:
        """Revoke a key for good, and the tokens it made. Every process hears of it in a second."""
        return await keys.revoke(key_id)

    @router.post(
        "/keys/{key_id}/rotate",
        openapi_extra=_ADMIN,
        responses={404: NOT_FOUND_RESPONSE, 409: CONFLICT_RESPONSE},
    )
    async def rotate(key_id: Identifier, request: RotationRequest | None = None) -> IssuedKey:
        """Give a key another secret; the former one works on for `grace_seconds`."""
        grace = (request or RotationRequest()).grace_seconds
        return await keys.rotate(key_id, grace_seconds=grace)

    @router.post(
        "/tokens",
        status_code=201,
        openapi_extra=declare_permission(None, service_alone=True),
        responses={409: CONFLICT_RESPONSE},
    )
    async def issue(
        request: TokenRequest, maker: Annotated[Grant, Depends(get_request_grant)]
    ) -> IssuedToken:
        """Make a short-lived token for one user, which a browser or an agent may hold.

        It allows no more than the key that makes it, and ends with that key.
        """
        return access.issue_token(maker, request)

    return router
