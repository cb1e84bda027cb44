"""Embedded mode: broker, database and all services, with one process and one port to the outside."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import NoReturn

import structlog
from pydantic import SecretStr

from palimpsest.events.kafka_security import SecurityProtocol
from palimpsest.model.clock import system_clock
from palimpsest.model.errors import PalimpsestError
from palimpsest.model.scope import Layout
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.embedded import instance
from palimpsest_server.embedded.embedded_servers import BROKER_PORT, DATABASE_PORT, EmbeddedServers
from palimpsest_server.extraction.local_extractor_pool import LocalExtractorPool
from palimpsest_server.runtime.http.authentication import check_service_key
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.settings import Mode, Settings, VectorsBackend
from services.host.embedded_workspace import start_workspace
from services.host.embedder_warmup import warm_up_embedder
from services.host.http_server import bind_http_port, format_socket_url
from services.host.page_front import PageFront
from services.host.platform import open_platform, renew_platform
from services.host.service_lifecycle import Say, run_services
from services.host.service_registry import SERVICES, build_services, load_services
from services.host.simulated_time import SimulatedTime

_SWEEP_EVERY = timedelta(minutes=10)
"""Time between deletions of expired documents: no document expires in less than days."""

_log = structlog.get_logger("palimpsest.host")


class EmbeddedServersLost(PalimpsestError):
    """The embedded servers ended more often than restarts can repair."""


@dataclass(frozen=True)
class EmbeddedApplication:
    """The running application; everything in it is ready."""

    settings: Settings
    http_url: str
    servers: EmbeddedServers
    platform: Platform


EMBEDDED_OVERRIDES: dict[str, object] = {
    "mode": Mode.EMBEDDED,
    "kafka_replication_factor": 1,
    # One process reads all partitions. Polling twelve of each topic would be half of the idle load.
    "kafka_partitions": 1,
    # BrokerLimit.NO_FETCH_WAKE_UP: each hop takes half of this on average.
    "kafka_fetch_maximum_wait_milliseconds": 15,
    # The broker lets the first member of a group wait for half of this.
    "kafka_session_timeout_milliseconds": 6_000,
    # BrokerLimit.NO_IDEMPOTENT_PRODUCER
    "kafka_idempotent_producer": False,
    # BrokerLimit.LOG_IN_MEMORY
    "kafka_volatile": True,
    "kafka_security_protocol": SecurityProtocol.PLAINTEXT,
    "kafka_user": None,
    "kafka_ca_file": None,
    "kafka_certificate_file": None,
    "kafka_key_file": None,
    "vectors": VectorsBackend.EDGE,
    "layout": Layout.POOLED,
}
"""Settings that embedded mode decides, whatever was set for servers."""

EmbeddedReadyCallback = Callable[[EmbeddedApplication], None]
"""Called each time everything is ready."""


@dataclass(frozen=True)
class _OpenServers:
    """Everything that is opened once: port, servers, and the platform with database, vectors and model."""

    listening: socket.socket
    servers: EmbeddedServers
    platform: Platform
    tasks: Supervisor
    page: PageFront


@asynccontextmanager
async def start_embedded(
    settings: Settings,
    *,
    say: Say,
    time: SimulatedTime | None = None,
) -> AsyncIterator[EmbeddedApplication]:
    """Start everything, and stop it in reverse order.

    Args:
        settings: a given HTTP port is taken or refused. If it is 0, any free ports are taken for
            HTTP,
            broker and database; otherwise broker and database prefer their usual ports. A given
            port of the broker is taken or refused.
        say: called with lines that tell the progress.
        time: simulated time, which is moved over HTTP; None for real time.

    Raises:
        HttpPortTaken: the HTTP port is taken.
        BrokerPortTaken: the given port of the broker is taken.
        DataDirectoryInUse: another instance works on the data directory.
        ChildServerFailed: the broker or the database would not start.
        PalimpsestError: anything else that keeps a service from starting.
    """
    async with (
        _open_servers(settings, say=say, time=time) as opened,
        _serve(opened, settings, say=say, time=time) as everything,
    ):
        yield everything


@asynccontextmanager
async def _open_servers(
    settings: Settings, *, say: Say, time: SimulatedTime | None
) -> AsyncIterator[_OpenServers]:
    check_service_key(settings)
    async with AsyncExitStack() as stack:
        listening = stack.enter_context(
            bind_http_port(
                settings.http_host,
                settings.http_port,
                reserved={BROKER_PORT, DATABASE_PORT, settings.embedded_kafka_port or BROKER_PORT},
            )
        )
        servers = EmbeddedServers(
            settings.data_directory,
            broker_port=BROKER_PORT if settings.http_port else None,
            broker_port_asked=settings.embedded_kafka_port,
            database_port=DATABASE_PORT if settings.http_port else None,
            http_port=settings.http_port,
            say=say,
        )
        stack.push_async_callback(servers.stop)
        servers.claim()
        embedder = await stack.enter_async_context(warm_up_embedder(settings, SERVICES))
        say(f"starting a broker and a database on {settings.data_directory}")
        # The services' code is loaded while the servers load theirs in processes of their own.
        await asyncio.gather(servers.start(), asyncio.to_thread(load_services, SERVICES))
        say(f"the broker listens on {servers.kafka_bootstrap}")
        derived = derive_embedded_settings(settings, servers)
        clock = time or system_clock
        platform = await stack.enter_async_context(
            open_platform(derived, SERVICES, embedder, say=say, clock=clock)
        )
        rules = LocalExtractorPool(settings.extractor_rules_processes)
        stack.push_async_callback(rules.stop)
        platform = replace(platform, rules=rules)
        tasks = platform.supervise("the embedded host")
        stack.push_async_callback(tasks.stop)
        tasks.start("sweep", partial(_sweep, platform))
        page = PageFront(
            settings.services_url or format_socket_url(listening),
            asks_for_keys=settings.asks_for_keys,
            clock=clock,
        )
        stack.push_async_callback(page.close)
        yield _OpenServers(listening, servers, platform, tasks, page)


@asynccontextmanager
async def _serve(
    opened: _OpenServers, settings: Settings, *, say: Say, time: SimulatedTime | None
) -> AsyncIterator[EmbeddedApplication]:
    """Build the services on the current servers, and serve until the context is left."""
    servers = opened.servers
    derived = derive_embedded_settings(settings, servers)
    platform = renew_platform(opened.platform, derived, servers.log_generation)
    built = [*build_services(SERVICES, platform), *([time] if time else [])]
    workspace = platform.supervise("the workspace")
    supervised = [opened.tasks, servers.supervisor, workspace]
    async with AsyncExitStack() as stack:
        listening = stack.enter_context(opened.listening.dup())
        http = await stack.enter_async_context(
            run_services(
                built, platform, listening, say=say, supervised=supervised, page=opened.page
            )
        )
        instance.announce_instance(
            settings.data_directory,
            http_url=http.url,
            kafka_bootstrap_servers=servers.kafka_bootstrap,
            mongodb_url=servers.mongodb_url,
        )
        stack.push_async_callback(workspace.stop)
        start_workspace(workspace, settings, http.url, say)
        try:
            yield EmbeddedApplication(derived, http.url, servers, platform)
        except BaseException:
            # It stops for good: new connections are refused instead of waiting for other services.
            opened.listening.close()
            raise
        finally:
            instance.withdraw_instance(settings.data_directory)


async def _sweep(platform: Platform) -> NoReturn:
    """Delete expired documents again and again, until cancelled: `DatabaseLimit.NO_EXPIRY`."""

    async def sweep() -> None:
        await platform.database.delete_expired(platform.clock())

    await run_periodically(
        sweep,
        every=_SWEEP_EVERY,
        log=_log,
        failure="what is over could not be deleted, and is tried again",
        at_once=False,
    )


async def run_embedded(
    settings: Settings, *, say: Say, ready: EmbeddedReadyCallback, time: SimulatedTime | None = None
) -> NoReturn:
    """Run until cancelled. A broker that ends is restarted with the services, a few times.

    The broker's log is lost with it, but no acknowledged event: events that were stored and not
    finished are published again at every start. A broker that has grown too large is therefore
    simply restarted, without a limit. HTTP port, database, vectors and model stay open meanwhile,
    so requests wait.

    Raises:
        EmbeddedServersLost: the broker ended too often.
        PalimpsestError: anything that keeps it from starting.
    """
    async with _open_servers(settings, say=say, time=time) as opened:
        while True:
            async with _serve(opened, settings, say=say, time=time) as everything:
                ready(everything)
                loss = await opened.servers.lost()
                if loss.final:
                    break
                say(f"{loss.words} Beginning anew; nothing that was acknowledged is lost.")
                if not loss.planned:
                    everything.platform.give_up_kafka()
            await opened.servers.empty_broker()
    raise EmbeddedServersLost(
        f"{loss.words} What was acknowledged is stored:"
        f" see {settings.data_directory / 'logs'} for the cause, and start again."
    )


def derive_embedded_settings(settings: Settings, servers: EmbeddedServers) -> Settings:
    """Derive embedded settings: the addresses of these servers and the overrides of embedded mode."""
    addresses = {
        "kafka_bootstrap_servers": servers.kafka_bootstrap,
        "mongodb_url": SecretStr(servers.mongodb_url),
    }
    return settings.model_copy(update=EMBEDDED_OVERRIDES | addresses)
