"""A real HTTP server whose service does as a test tells it."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from prometheus_client import CollectorRegistry

from palimpsest.api.recall import RecallRequest, RecallResponse
from palimpsest.api.resources import (
    CommandResult,
    EventBatch,
    EventResult,
    EventResults,
    MemoryList,
    SettingsUpdate,
    UsageQuery,
    UserUsage,
)
from palimpsest.events.conversations import MessageAdded
from palimpsest.model.turn import Role
from palimpsest.model.usage import UsageSum
from palimpsest_server.runtime.http import build_http_application, declare_permission
from palimpsest_server.runtime.settings import Settings

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Server:
    """Takes whatever it is given and answers, after what it was told to raise first."""

    name = "server"

    def __init__(self) -> None:
        self.raising: list[Exception] = []
        self.answering: Callable[[list[dict[str, Any]]], EventResults | Response] = accepted
        self.bodies: list[list[dict[str, Any]]] = []
        self.requests: list[Request] = []
        self.hanging: asyncio.Event | None = None
        router = APIRouter()
        any_key = declare_permission(None)

        @router.post("/v1/events", response_model=None, openapi_extra=any_key)
        async def events(batch: EventBatch, request: Request) -> EventResults | Response:
            await self._meet(request)
            self.bodies.append(batch.events)
            return self.answering(batch.events)

        @router.post("/v1/recall", openapi_extra=any_key)
        async def recall(question: RecallRequest, request: Request) -> RecallResponse:
            await self._meet(request)
            return RecallResponse(recall_id=question.query, results=(), took_ms=0.1)

        @router.get("/v1/memories", openapi_extra=any_key)
        async def memories(request: Request) -> MemoryList:
            await self._meet(request)
            return MemoryList(memories=())

        @router.post("/v1/memories/{memory_id}/forget", openapi_extra=any_key)
        async def forget(memory_id: str, request: Request) -> CommandResult:
            await self._meet(request)
            return CommandResult(command_id=memory_id, applied=True)

        @router.put("/v1/settings", openapi_extra=any_key)
        async def settings(update: SettingsUpdate, request: Request) -> CommandResult:
            await self._meet(request)
            return CommandResult(command_id=update.time_zone or "", applied=True)

        @router.get("/v1/usage", openapi_extra=any_key)
        async def usage(query: Annotated[UsageQuery, Query()], request: Request) -> UserUsage:
            await self._meet(request)
            day = query.since or NOON.date()
            return UserUsage(
                user_id=query.user_id, since=day, until=day, rows=(), total=UsageSum(calls=3)
            )

        self.routers = [router]
        self.checks: dict[str, Any] = {}

    async def _meet(self, request: Request) -> None:
        self.requests.append(request)
        if self.hanging is not None:
            await self.hanging.wait()
        if self.raising:
            raise self.raising.pop(0)

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


def accepted(events: list[dict[str, Any]]) -> EventResults:
    return EventResults(
        results=tuple(
            EventResult(status=202, event_id=event.get("event_id"), outcome="accepted")
            for event in events
        )
    )


def message(number: int, text: str = "hello") -> MessageAdded:
    return MessageAdded(
        occurred_at=NOON + timedelta(milliseconds=number),
        user_id="ann",
        session_id="s1",
        message_id=str(number),
        role=Role.USER,
        text=text,
    )


def application_of(server: Server) -> Any:
    return build_http_application([server], settings=Settings(), registry=CollectorRegistry())
