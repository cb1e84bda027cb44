"""Memories as tools over HTTP, by the Model Context Protocol: each request stands for itself.

No session is kept, so that any process answers any request, and a key is asked for with each.
"""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from fastapi import Request, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from palimpsest.model.errors import CommandRefused
from palimpsest.model.scope import Scope as MemoryScope
from palimpsest_server.delivery.supervisor import Supervisor
from services.console.services_connection import ServicesConnection

if TYPE_CHECKING:
    from palimpsest.mcp.memory_tools import MemoryCaller

_caller: "ContextVar[MemoryCaller]" = ContextVar("caller of memory tools")


class McpEndpoint:
    """Answers requests of MCP. The protocol's library is loaded with the first of them."""

    def __init__(
        self, connect: ServicesConnection, supervisor: Supervisor, instructions: str
    ) -> None:
        self._connect = connect
        self._supervisor = supervisor
        self._instructions = instructions
        self._answers: asyncio.Future[ASGIApp] | None = None

    async def answer(self, request: Request, scope: MemoryScope) -> Response:
        """Return what calls the tools when it is sent.

        Raises:
            CommandRefused: the extra `mcp` is not installed.
        """
        if find_spec("mcp") is None:
            raise CommandRefused(
                "memories as tools need the extra mcp: uv sync --extra mcp",
                reason="extra_not_installed",
            )
        if self._answers is None:
            self._answers = asyncio.get_running_loop().create_future()
            self._supervisor.start("memory tools", self._serve)
        answers = await asyncio.shield(self._answers)
        return _ToolResponse(answers, self._connect, request, scope)

    async def _serve(self) -> None:
        # A library of half a second that few instances need: the loop goes on meanwhile.
        build, any_name = await asyncio.to_thread(_load_builder)
        server = build(_caller.get, instructions=self._instructions)
        # A key is asked for, and where none is, only this machine is answered: see `LocalRequestsOnly`.
        # The library would answer to the names of this machine alone, behind an ingress to nobody.
        server.streamable_http_app(
            json_response=True,
            stateless_http=True,
            transport_security=any_name,
        )
        answers = server.session_manager
        if self._answers is None or self._answers.done():
            self._answers = asyncio.get_running_loop().create_future()
        async with answers.run():
            self._answers.set_result(answers.handle_request)
            await asyncio.Event().wait()


class _ToolResponse(Response):
    def __init__(
        self, answer: ASGIApp, connect: ServicesConnection, request: Request, scope: MemoryScope
    ) -> None:
        super().__init__()
        self._answer = answer
        self._connect = connect
        self._request = request
        self._scope = scope

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from palimpsest.mcp.memory_tools import MemoryCaller  # noqa: PLC0415 - loaded by now

        async with self._connect(self._request) as client:
            _caller.set(MemoryCaller(client, self._scope))
            await self._answer(scope, receive, send)


def _load_builder() -> tuple[Callable[..., Any], Any]:
    """Load what builds a server, and settings with which it answers by any name."""
    from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415 - an extra

    from palimpsest.mcp.memory_tools import build_shared_memory_server  # noqa: PLC0415 - an extra

    any_name = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return build_shared_memory_server, any_name
