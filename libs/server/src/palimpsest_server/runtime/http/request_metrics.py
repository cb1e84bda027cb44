"""Count and time requests by the matched route, never by the requested path.

A stream of events counts as answered at its first byte, because its length depends on the reader.
"""

from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SECONDS = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.4, 1.0, 2.0, 5.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestMetrics:
    """ASGI middleware. It uses a route's template, because paths contain ids."""

    def __init__(self, app: ASGIApp, *, registry: CollectorRegistry) -> None:
        self._app = app
        self._requests = Counter(
            "palimpsest_http_requests",
            "Requests answered, by route and status.",
            ("method", "route", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "palimpsest_http_request_duration_seconds",
            "From the first byte of a request to the last of its answer.",
            ("method", "route"),
            buckets=_SECONDS,
            registry=registry,
        )
        self._in_flight = Gauge(
            "palimpsest_http_requests_in_flight",
            "Requests that are being answered.",
            registry=registry,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, answered = 0, False

        async def send_and_see(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if is_event_stream(message):
                    end()
            await send(message)

        def end() -> None:
            nonlocal answered
            if answered:
                return
            answered = True
            self._in_flight.dec()
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = get_route_template(scope)
            self._requests.labels(method, route, str(status)).inc()
            self._seconds.labels(method, route).observe(perf_counter() - started)

        started = perf_counter()
        self._in_flight.inc()
        try:
            await self._app(scope, receive, send_and_see)
        finally:
            end()


def get_route_template(scope: Scope) -> str:
    """Return the template of the matched route."""
    return getattr(scope.get("route"), "path", "unmatched")


def is_event_stream(start: Message) -> bool:
    """Return whether this is the beginning of a stream of events."""
    return any(
        name == b"content-type" and value.startswith(b"text/event-stream")
        for name, value in start.get("headers", ())
    )
