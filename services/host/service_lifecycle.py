"""Runs services on an open platform: built, served at one port, started together, stopped in time."""

import asyncio
import itertools
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import structlog
from starlette.types import ASGIApp

from palimpsest_server.delivery.error_classification import describe_error
from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.delivery.write_behind import flush_buffers
from palimpsest_server.runtime.http import build_http_application
from palimpsest_server.runtime.http.probes import Readiness, check_readiness
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import Service, StreamingService
from services.host.host_tasks import HostTasks
from services.host.http_server import HttpServer
from services.host.loop_delay import LoopDelayWatch
from services.host.page_front import PageFront

_READY_POLL_SECONDS = 0.1
_SAY_WHY_SECONDS = 5.0
_STOP_SECONDS = 20.0
"""Seconds after which a stopping service is abandoned; its batch in hand is delivered again."""

_log = structlog.get_logger("palimpsest.host")

Say = Callable[[str], None]


@asynccontextmanager
async def run_services(
    services: Sequence[Service],
    platform: Platform,
    listening: socket.socket,
    *,
    say: Say,
    shared: Sequence[socket.socket] = (),
    supervised: Sequence[Supervisor] = (),
    page: PageFront | None = None,
) -> AsyncIterator[HttpServer]:
    """Run the services until the context is left; on entering, everything is ready.

    Args:
        services: the services.
        platform: the open platform that they share.
        listening: the bound socket, which is closed at the end.
        say: called with lines that tell the progress.
        shared: sockets that other processes accept from too.
        supervised: supervisors of further background tasks, which readiness checks.
        page: the page to serve at the same port; None for none.

    Raises:
        Exception: an error of a service's start.
    """
    names = ", ".join(service.name for service in services)
    supervisor = platform.supervise("the host")
    services = [*services, HostTasks([supervisor, *supervised])]
    application = build_http_application(
        services,
        settings=platform.settings,
        registry=platform.registry,
        access=platform.access,
    )
    async with AsyncExitStack() as stack:
        stack.push_async_callback(supervisor.stop)
        supervisor.start("loop delay", LoopDelayWatch(platform.registry).watch)
        supervisor.start("last uses of keys", platform.access.uses.run)
        stack.push_async_callback(flush_buffers, [platform.access.uses])
        streaming = [
            service.end_streams for service in services if isinstance(service, StreamingService)
        ]
        served: ASGIApp = application
        if page is not None:
            served = page.stand_before(application)
            # A stream of the page reads one of the API, which would end it as a failure.
            streaming.insert(0, page.end_streams)
        server = HttpServer(served, listening, shared, end_streams=streaming)
        stack.push_async_callback(_stop, services)
        stack.push_async_callback(server.stop)
        server.start()
        say(f"joining Kafka at {platform.settings.kafka_bootstrap_servers} as {names}")
        starting = asyncio.gather(*(service.start() for service in services))
        try:
            await _ready(services, starting, say)
            yield server
        finally:
            say("stopping")
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)


async def _ready(
    services: Sequence[Service], starting: asyncio.Future[list[None]], say: Say
) -> None:
    """Wait for every start and then for every check; say now and then what is missing."""
    while not starting.done():
        await asyncio.wait([starting], timeout=_SAY_WHY_SECONDS)
        if not starting.done():
            say(_missing(await check_readiness(services)))
    await starting
    polls_between_words = round(_SAY_WHY_SECONDS / _READY_POLL_SECONDS)
    for poll in itertools.count(1):
        answer = await check_readiness(services)
        if answer.ready:
            return
        if poll % polls_between_words == 0:
            say(_missing(answer))
        await asyncio.sleep(_READY_POLL_SECONDS)


def _missing(answer: Readiness) -> str:
    problems = dict.fromkeys(check.problem for check in answer.checks if check.problem)
    return "waiting: " + ("; ".join(problems) or "services are starting")


async def _stop(services: Sequence[Service]) -> None:
    stopping = [asyncio.ensure_future(service.stop()) for service in services]
    # A service that fails to stop must not keep the others from stopping.
    _, late = await asyncio.wait(stopping, timeout=_STOP_SECONDS)
    for service in late:
        service.cancel()
    for outcome in await asyncio.gather(*stopping, return_exceptions=True):
        if isinstance(outcome, BaseException):
            _log.warning("a service did not stop well", error=describe_error(outcome))
