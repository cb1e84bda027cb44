"""An HTTP application of one small service, as every service builds it."""

from collections.abc import Mapping, Sequence

from fastapi import APIRouter, FastAPI
from prometheus_client import CollectorRegistry

from palimpsest.api.recall import RecallRequest, RecallResponse
from palimpsest_server.runtime.http import Permission, build_http_application, declare_permission
from palimpsest_server.runtime.service import ReadinessCheck
from palimpsest_server.runtime.settings import Settings

KEY = "k" * 20


class Desk:
    name = "desk"

    def __init__(self) -> None:
        router = APIRouter()

        @router.post("/v1/recall", openapi_extra=declare_permission(Permission.READ))
        async def recall(request: RecallRequest) -> RecallResponse:
            return RecallResponse(recall_id=request.query, results=(), took_ms=0.1)

        self.routers: Sequence[APIRouter] = [router]
        self.checks: Mapping[str, ReadinessCheck] = {}

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


def application(**settings: object) -> FastAPI:
    made = Settings.model_validate(settings)
    return build_http_application([Desk()], settings=made, registry=CollectorRegistry())
