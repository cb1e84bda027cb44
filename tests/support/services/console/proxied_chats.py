"""Proxies behind one port with stand-ins for recall and ingest, between an SDK and a vendor's server."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from openai import AsyncOpenAI
from prometheus_client import CollectorRegistry

from palimpsest.api.context import ContextRequest, ContextResponse
from palimpsest.api.resources import EventResult, EventResults
from palimpsest.model.errors import TransientError
from palimpsest_server.runtime.http import Permission, build_http_application, declare_permission
from palimpsest_server.runtime.service import ReadinessCheck
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.cached_user_states import StoredUserStates
from services.console.chat_proxy.chat_proxies import ChatProxies
from services.console.metrics import ConsoleMetrics
from services.console.services_connection import ServicesConnection
from tests.support.clock import SettableClock
from tests.support.platform import InMemoryPlatform, unreachable_database
from tests.support.services.recall.stand_ins import shared_embedder
from tests.support.serving import serving

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

BLOCK = "<palimpsest>\nAnn is allergic to peanuts.\n</palimpsest>"
ASKED: list[Any] = [{"role": "user", "content": "What can I eat?"}]
EXCHANGE = [("user", "What can I eat?"), ("agent", "Have an apple.")]
USER = {"X-Palimpsest-User": "ann", "X-Palimpsest-Session": "lunch"}


class ProxiedChats:
    """Keeps what the services were asked and told. A test may hold or break them."""

    name = "proxied chats"

    def __init__(self, **settings: Any) -> None:
        self.url = ""
        self.clients = AsyncExitStack()
        self.contexts: list[ContextRequest] = []
        self.told: list[Mapping[str, Any]] = []
        self.keys: list[str | None] = []
        self.block = BLOCK
        self.context_fails = False
        self.context_may_answer = asyncio.Event()
        self.context_may_answer.set()
        self.events_may_be_taken = asyncio.Event()
        self.events_may_be_taken.set()
        self.registry = CollectorRegistry()
        self.settings = Settings.model_validate(settings)
        clock = SettableClock()
        self.platform = InMemoryPlatform(
            settings=self.settings,
            clock=clock,
            embedder=shared_embedder(),
            vectors=None,
            registry=self.registry,
            user_states=StoredUserStates.in_database(unreachable_database()),
        )
        connection = ServicesConnection(
            None, is_guarded=self.platform.access.is_guarded, clock=clock, timeout_seconds=5
        )
        self.proxies = ChatProxies.on_platform(
            self.platform, connection, ConsoleMetrics(self.registry)
        )
        self.routers: Sequence[APIRouter] = [self.proxies.router, self._stand_ins()]
        self.checks: Mapping[str, ReadinessCheck] = {}

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    def _stand_ins(self) -> APIRouter:
        router = APIRouter()

        @router.post("/v1/context", openapi_extra=declare_permission(Permission.READ))
        async def context(asked: ContextRequest, request: Request) -> ContextResponse:
            self.contexts.append(asked)
            self.keys.append(request.headers.get("authorization"))
            await self.context_may_answer.wait()
            if self.context_fails:
                raise TransientError("no recall today")
            return ContextResponse(
                block=self.block, text="", system_prompt="", tokens=0, took_ms=0.1
            )

        @router.post(
            "/v1/events",
            status_code=202,
            openapi_extra=declare_permission(Permission.WRITE, events_in_body=True),
        )
        async def take(request: Request) -> EventResults:
            await self.events_may_be_taken.wait()
            events = (await request.json())["events"]
            self.told += events
            accepted = [EventResult(status=202, event_id="x", outcome="accepted") for _ in events]
            return EventResults(results=tuple(accepted))

        return router

    @property
    def dialogue(self) -> list[tuple[str, str]]:
        return [(event["role"], event["text"]) for event in self.told]

    def count(self, metric: str, **labels: str) -> float:
        name = f"palimpsest_console_proxied_{metric}_total"
        return self.registry.get_sample_value(name, labels) or 0.0


@asynccontextmanager
async def proxied_chats(upstream_url: str, **settings: Any) -> AsyncIterator[ProxiedChats]:
    chats = ProxiedChats(
        **{
            "proxy_openai_url": f"{upstream_url}/v1",
            "proxy_anthropic_url": upstream_url,
            "proxy_recall_seconds": 30,
            **settings,
        }
    )
    application = build_http_application(
        [chats], settings=chats.settings, registry=chats.registry, access=chats.platform.access
    )
    async with serving(application) as chats.url:
        try:
            yield chats
        finally:
            chats.context_may_answer.set()
            chats.events_may_be_taken.set()
            await chats.clients.aclose()
            await chats.proxies.close()


def openai(chats: ProxiedChats, **headers: str) -> AsyncOpenAI:
    client = AsyncOpenAI(
        base_url=f"{chats.url}/v1",
        api_key="of the vendor",
        default_headers=headers,
        max_retries=0,
    )
    chats.clients.push_async_callback(client.close)
    return client


def anthropic(chats: ProxiedChats, **headers: str) -> "AsyncAnthropic":
    from anthropic import AsyncAnthropic  # noqa: PLC0415 - each worker would load it

    client = AsyncAnthropic(
        base_url=chats.url, api_key="of the vendor", default_headers=headers, max_retries=0
    )
    chats.clients.push_async_callback(client.close)
    return client
