"""`POST /v1/recall`."""

from fastapi import APIRouter, Response

from palimpsest.contracts.recall import RecallRequest, RecallResponse
from palimpsest.runtime.http import Permission, needs
from services.recall.recalling import Recalling


def routes(recalling: Recalling) -> APIRouter:
    router = APIRouter(tags=["recall"])

    @router.post(
        "/v1/recall",
        summary="What matters to a question, best first",
        response_model=RecallResponse,
        openapi_extra=needs(Permission.READ),
    )
    async def recall(request: RecallRequest) -> Response:
        answer = await recalling.recall(request)
        # Made here and so valid: the framework would check every result of it once more.
        return Response(answer.model_dump_json(), media_type="application/json")

    return router
