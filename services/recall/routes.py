"""`POST /v1/recall` and `POST /v1/context`."""

from fastapi import APIRouter, Response

from palimpsest.contracts.context import ContextRequest, ContextResponse
from palimpsest.contracts.recall import RecallRequest, RecallResponse
from palimpsest.runtime.http import Permission, needs
from services.recall.contexts import Contexts
from services.recall.recalling import Recalling


def routes(recalling: Recalling, contexts: Contexts) -> APIRouter:
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

    @router.post(
        "/v1/context",
        summary="What is known and matters now, written down for a prompt",
        response_model=ContextResponse,
        openapi_extra=needs(Permission.READ),
    )
    async def context(request: ContextRequest) -> Response:
        answer = await contexts.context(request)
        return Response(answer.model_dump_json(), media_type="application/json")

    return router
