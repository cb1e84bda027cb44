"""The proxies of a console, one for each vendor, with their shared parts."""

from typing import Self

from fastapi import APIRouter
from pydantic import SecretStr

from palimpsest_server.runtime.platform import Platform
from services.console.chat_proxy.chat_dialects import AnthropicDialect, ChatDialect, OpenAiDialect
from services.console.chat_proxy.chat_proxy import ChatProxy
from services.console.chat_proxy.exchanges import ExchangeKeeper
from services.console.chat_proxy.upstream import Upstream
from services.console.metrics import ConsoleMetrics
from services.console.routes import chat_proxy
from services.console.services_connection import ServicesConnection


class ChatProxies:
    def __init__(
        self, router: APIRouter, keeper: ExchangeKeeper, upstreams: list[Upstream]
    ) -> None:
        self.router = router
        self._keeper = keeper
        self._upstreams = upstreams

    @classmethod
    def on_platform(
        cls, platform: Platform, services: ServicesConnection, metrics: ConsoleMetrics
    ) -> Self:
        settings, keeper = platform.settings, ExchangeKeeper(metrics, platform.clock)
        upstreams: list[Upstream] = []

        def build(dialect: ChatDialect, url: str | None, key: SecretStr | None) -> ChatProxy:
            if url is not None:
                upstreams.append(Upstream(dialect, url, key))
            return ChatProxy(
                dialect,
                upstreams[-1] if url is not None else None,
                connect=services,
                keeper=keeper,
                metrics=metrics,
                clock=platform.clock,
                recall_seconds=settings.proxy_recall_seconds,
                is_guarded=platform.access.is_guarded,
            )

        router = chat_proxy.build_router(
            build(OpenAiDialect(), settings.proxy_openai_url, settings.proxy_openai_api_key),
            build(
                AnthropicDialect(), settings.proxy_anthropic_url, settings.proxy_anthropic_api_key
            ),
        )
        return cls(router, keeper, upstreams)

    async def close(self) -> None:
        """Finish keeping exchanges, and close the upstreams."""
        await self._keeper.stop()
        for upstream in self._upstreams:
            await upstream.close()
