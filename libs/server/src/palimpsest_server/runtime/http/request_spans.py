"""A span for every request, named by its route and part of the trace that its header names."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from palimpsest_server.delivery.memory_operations import ROUTE_OPERATIONS, describe_operation
from palimpsest_server.delivery.tracing import Tracing
from palimpsest_server.runtime.http.request_metrics import get_route_template


class RequestSpans:
    """ASGI middleware, added only if traces are configured. Probes and metrics are not traced."""

    def __init__(self, app: ASGIApp, *, tracing: Tracing) -> None:
        self._app = app
        self._tracing = tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/v1/"):
            await self._app(scope, receive, send)
            return
        trace = Headers(scope=scope).get("traceparent")
        with self._tracing.span("http", trace, server=True) as span:
            try:
                await self._app(scope, receive, send)
            finally:
                route = get_route_template(scope)
                span.call(f"{scope['method']} {route}")
                span.describe(describe_operation(ROUTE_OPERATIONS.get((scope["method"], route))))
