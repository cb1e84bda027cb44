"""A service that does nothing but be started, asked and stopped."""

import asyncio
from collections.abc import Mapping, Sequence

from fastapi import APIRouter

from palimpsest.model.errors import TransientError
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.runtime.service import ReadinessCheck


class TinyService:
    name = "tiny"

    def __init__(self) -> None:
        router = APIRouter()
        self.entered = asyncio.Event()
        self.let_go = asyncio.Event()
        self.started = False
        self.stopped = False
        self.ready = True
        self.fails_to_start: Exception | None = None
        self.fails_to_stop: Exception | None = None
        self.routers: Sequence[APIRouter] = (router,)

        @router.get("/v1/slow", openapi_extra=declare_permission(Permission.READ))
        async def slow() -> str:
            self.entered.set()
            await self.let_go.wait()
            return "done"

    @property
    def checks(self) -> Mapping[str, ReadinessCheck]:
        return {"itself": self._check}

    async def start(self) -> None:
        if self.fails_to_start:
            raise self.fails_to_start
        self.started = True

    async def stop(self) -> None:
        if self.fails_to_stop:
            raise self.fails_to_stop
        self.stopped = True

    async def _check(self) -> None:
        if not self.ready:
            raise TransientError("it is not ready yet")
