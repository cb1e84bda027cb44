"""Connects to the other services as a caller does: over HTTP, with the key of the request."""

from fastapi import Request

from palimpsest.client import PalimpsestClient
from palimpsest.model.clock import Clock
from palimpsest_server.runtime.http.authentication import read_key


class ServicesConnection:
    """Opens clients with the permissions of a request's key, and no others."""

    def __init__(
        self,
        services_url: str | None,
        *,
        is_guarded: bool,
        clock: Clock,
        timeout_seconds: float = 30.0,
    ) -> None:
        """Without `services_url` requests go to the address at which the request came in."""
        self._services_url = services_url
        self._is_guarded = is_guarded
        self._timeout_seconds = timeout_seconds
        self._clock = clock

    def __call__(self, request: Request) -> PalimpsestClient:
        return PalimpsestClient(
            http_url=self._services_url or find_own_address(request),
            # Without access keys of ours, `Authorization` is meant for somebody else.
            api_key=read_key(request.headers) if self._is_guarded else None,
            timeout_seconds=self._timeout_seconds,
            clock=self._clock,
        )


def find_own_address(request: Request) -> str:
    """Return the address of the socket that a request came in at, whatever its `Host` header says."""
    host, port = request.scope["server"]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
