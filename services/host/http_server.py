"""The HTTP port: taken before anything else is started, served last, drained first."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import Callable, Collection, Iterator, Sequence

import uvicorn
from starlette.types import ASGIApp

from palimpsest.model.errors import PalimpsestError
from palimpsest_server.embedded.ports import is_port_free, suggest_port

_DRAIN_SECONDS = 5
"""Seconds that requests may take to finish at the stop."""
_KEEP_ALIVE_SECONDS = 75
"""Seconds that a connection may be idle. Clients and load balancers give theirs up after 5 to 60 s: were
the server the first to, a request that is just on its way would be lost.
"""


class HttpPortTaken(PalimpsestError):
    """The HTTP port cannot be bound; mostly another process listens on it."""


def bind_http_port(host: str, port: int, *, reserved: Collection[int] = ()) -> socket.socket:
    """Return a bound socket that does not listen yet; port 0 takes any free port.

    Raises:
        HttpPortTaken: says what to do. It suggests a free port that is none of the `reserved` ones,
            which other servers of this program will take.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
    except OSError as error:
        taken.close()
        if error.errno != errno.EADDRINUSE:
            raise HttpPortTaken(
                f"Cannot listen on {host}:{port} ({error.strerror}). PALIMPSEST_HTTP_HOST must be an"
                " address of this machine, and ports below 1024 are root's."
            ) from None
        another = suggest_port(port, reserved=reserved, is_free=lambda at: is_port_free(at, host))
        raise HttpPortTaken(
            f"Cannot listen on {host}:{port} ({error.strerror}). If another Palimpsest or another"
            f" program has the port, stop it, or choose another one: PALIMPSEST_HTTP_PORT={another}"
        ) from None
    return taken


def format_socket_url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class HttpServer:
    """Uvicorn without its signal handling; the host handles signals."""

    def __init__(
        self,
        application: ASGIApp,
        listening: socket.socket,
        shared: Sequence[socket.socket] = (),
        *,
        end_streams: Sequence[Callable[[], None]] = (),
    ) -> None:
        """Listen at a port of its own, and at ports shared with other processes.

        `end_streams` are called before requests are drained, because a stream never ends by itself.
        """
        self._end_streams = end_streams
        self.url = format_socket_url(listening)
        self._sockets = [listening, *shared]
        self._server = _QuietServer(
            uvicorn.Config(
                application,
                log_config=None,
                access_log=False,
                server_header=False,
                lifespan="off",
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=_DRAIN_SECONDS,
            )
        )
        self._serving: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._serving = asyncio.create_task(self._server.serve(sockets=self._sockets))

    async def stop(self) -> None:
        """Accept no new requests, and finish those under way."""
        if self._serving is not None:
            self._server.should_exit = True
            for end in self._end_streams:
                end()
            await self._serving
            self._serving = None


class _QuietServer(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
