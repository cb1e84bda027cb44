"""An HTTP application of one small service, as every service builds it."""

from collections.abc import Mapping, Sequence

from fastapi import APIRouter, FastAPI, WebSocket
from prometheus_client import CollectorRegistry

from palimpsest.api.recall import RecallRequest, RecallResponse
from palimpsest_server.runtime.http import build_http_application
from palimpsest_server.runtime.service import ReadinessCheck
from palimpsest_server.runtime.settings import Settings

KEY = "k" * 20


class Desk:
    name = "desk"

    def __init__(self) -> None:
        router = APIRouter()

        @router.post("/v1/recall")
        async def recall(request: RecallRequest) -> RecallResponse:
            return RecallResponse(recall_id=request.query, results=(), took_ms=0.1)

        @router.websocket("/v1/live")
        async def live(socket: WebSocket) -> None:
            await socket.accept()
            await socket.close()

        self.routers: Sequence[APIRouter] = [router]
        self.checks: Mapping[str, ReadinessCheck] = {}

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


def application(**settings: object) -> FastAPI:
    made = Settings.model_validate(settings)
    return build_http_application([Desk()], settings=made, registry=CollectorRegistry())
