"""Embedded mode: broker, database and every service, one process and one port to the outside."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
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
from palimpsest_server.embedded import instance
from palimpsest_server.embedded.embedded_servers import BROKER_PORT, DATABASE_PORT, EmbeddedServers
from palimpsest_server.runtime.http.service_key import check_service_key
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.settings import Mode, Settings, VectorsBackend
from services.host.embedder_warmup import warm_up_embedder
from services.host.http_server import bind_http_port
from services.host.platform import open_platform
from services.host.service_lifecycle import Say, run_services
from services.host.service_registry import SERVICES, build_services, load_services
from services.host.simulated_time import SimulatedTime

_RESTARTS = 3
"""A broker that ends this often in one run has a trouble that beginning anew does not mend."""


_SWEEP_EVERY = timedelta(minutes=10)
"""Nothing is over in less than days."""

_log = structlog.get_logger("palimpsest.host")


class EmbeddedServersLost(PalimpsestError):
    """The embedded servers ended more often than beginning anew could mend."""


@dataclass(frozen=True)
class EmbeddedApplication:
    """The running application, with everything ready."""

    settings: Settings
    http_url: str
    servers: EmbeddedServers


EMBEDDED_OVERRIDES: dict[str, object] = {
    "mode": Mode.EMBEDDED,
    "kafka_replication_factor": 1,
    # One process reads them all, and asking after twelve for each topic is half the idle load.
    "kafka_partitions": 1,
    # BrokerLimit.NO_FETCH_WAKE_UP: a hop takes half of this.
    "kafka_fetch_maximum_wait_milliseconds": 15,
    # It lets a group's first member wait for half of this.
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
"""What embedded mode decides, whatever was set for servers."""

EmbeddedReadyCallback = Callable[[EmbeddedApplication], None]
"""Told each time that everything is ready."""


@asynccontextmanager
async def start_embedded(
    settings: Settings,
    *,
    say: Say,
    time: SimulatedTime | None = None,
) -> AsyncIterator[EmbeddedApplication]:
    """Start everything, and stop it in reverse.

    Args:
        settings: the HTTP port among them is taken as it is, or refused; where it is 0, any
            free one is taken, and so for the broker and the database, else their usual ones first;
            the broker's port is taken as it is, too, where one is set.
        say: told what is going on.
        time: of a simulation, moved over HTTP; real time without it.

    Raises:
        PortTaken: the HTTP port.
        BrokerPortTaken: the broker's, where one is set.
        DataDirectoryInUse: another instance works on the data directory.
        ChildFailed: the broker or the database would not start.
        PalimpsestError: whatever keeps a service from starting.
    """
    check_service_key(settings)
    async with AsyncExitStack() as stack:
        listening = stack.enter_context(bind_http_port(settings.http_host, settings.http_port))
        servers = EmbeddedServers(
            settings.data_directory,
            broker_port=BROKER_PORT if settings.http_port else None,
            broker_port_asked=settings.embedded_kafka_port,
            database_port=DATABASE_PORT if settings.http_port else None,
            say=say,
        )
        stack.push_async_callback(servers.stop)
        servers.claim()
        embedder = await stack.enter_async_context(warm_up_embedder(settings, SERVICES))
        say(f"starting a broker and a database on {settings.data_directory}")
        # Their code is loaded while the servers do the same in processes of their own.
        await asyncio.gather(servers.start(), asyncio.to_thread(load_services, SERVICES))
        say(f"the broker listens on {servers.kafka_bootstrap}")
        derived = derive_embedded_settings(settings, servers)
        clock = time or system_clock
        platform = await stack.enter_async_context(
            open_platform(derived, SERVICES, embedder, say=say, clock=clock)
        )
        built = [*build_services(SERVICES, platform), *([time] if time else [])]
        sweeper = platform.supervise("the embedded host")
        stack.push_async_callback(sweeper.stop)
        sweeper.start("sweep", partial(_sweep, platform))
        http = await stack.enter_async_context(run_services(built, platform, listening, say=say))
        instance.announce_instance(
            settings.data_directory,
            http_url=http.url,
            kafka_bootstrap_servers=servers.kafka_bootstrap,
            mongodb_url=servers.mongodb_url,
        )
        stack.callback(instance.withdraw_instance, settings.data_directory)
        yield EmbeddedApplication(settings=derived, http_url=http.url, servers=servers)


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
    """Run until cancelled. When the broker ends, everything begins anew, some times.

    The broker's log is lost with it, but nothing acknowledged: what was
    stored and not finished is published again at every start. So a broker
    that has grown too large is simply begun anew as well, as often as it does.

    Raises:
        ServersLost: it happened too often.
        PalimpsestError: whatever keeps it from starting.
    """
    failures = 0
    while failures <= _RESTARTS:
        async with start_embedded(settings, say=say, time=time) as everything:
            ready(everything)
            loss = await everything.servers.lost()
            failures += not loss.planned
            if failures <= _RESTARTS:
                say(f"{loss.words} Beginning anew; nothing that was acknowledged is lost.")
    raise EmbeddedServersLost(
        f"The broker or the database ended {_RESTARTS + 1} times. What was acknowledged is stored:"
        f" see {settings.data_directory / 'logs'} for the cause, and start again."
    )


def derive_embedded_settings(settings: Settings, servers: EmbeddedServers) -> Settings:
    """Derive embedded settings from the servers, overriding those meant for other servers."""
    addresses = {
        "kafka_bootstrap_servers": servers.kafka_bootstrap,
        "mongodb_url": SecretStr(servers.mongodb_url),
    }
    return settings.model_copy(update=EMBEDDED_OVERRIDES | addresses)
