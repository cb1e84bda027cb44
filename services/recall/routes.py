"""`POST /v1/recall`."""

from fastapi import APIRouter

from palimpsest.contracts.recall import RecallRequest, RecallResponse
from palimpsest.runtime.http import Permission, needs
from services.recall.recalling import Recalling


def routes(recalling: Recalling) -> APIRouter:
    router = APIRouter(tags=["recall"])

    @router.post(
        "/v1/recall",
        summary="What matters to a question, best first",
        openapi_extra=needs(Permission.READ),
    )
    async def recall(request: RecallRequest) -> RecallResponse:
        return await recalling.recall(request)

    return router
