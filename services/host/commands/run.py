"""`palimpsest run` and `palimpsest serve`."""

import asyncio
import socket
from contextlib import AsyncExitStack
from datetime import datetime
from typing import Annotated

import typer

from palimpsest.model.clock import system_clock
from palimpsest.model.value_types import to_instant
from palimpsest_server.runtime.http.authentication import check_service_key
from palimpsest_server.runtime.kafka_settings import build_kafka_security
from palimpsest_server.runtime.log_configuration import configure_logging
from palimpsest_server.runtime.settings import Mode, Settings
from palimpsest_server.runtime.unknown_settings import describe_unknown_settings
from services.host.embedded_mode import EmbeddedApplication, EmbeddedReadyCallback, run_embedded
from services.host.embedder_warmup import warm_up_embedder
from services.host.http_server import bind_http_port, format_socket_url
from services.host.interpreter import freeze_loaded_objects
from services.host.narration import Narrator
from services.host.platform import open_platform
from services.host.service_lifecycle import run_services
from services.host.service_processes import (
    build_process_command,
    check_multiple_processes,
    run_processes,
)
from services.host.service_registry import SERVICES, build_services, check_service_names
from services.host.signals import run_until_signalled
from services.host.simulated_time import SimulatedTime

_HEADER = "-H 'content-type: application/json'"
_KEY = '-H "authorization: Bearer $PALIMPSEST_API_KEY"'
# The name of the variable, not its value: this text may go into a log.
_REMEMBER = (
    """{"type": "RememberRequested", "user_id": "ada", "occurred_at": "2026-03-01T09:00:00Z","""
    """ "content": "Ada drinks her coffee without milk."}"""
)
_ASK = """{"user_id": "ada", "query": "How does Ada take her coffee?"}"""


def _moment(text: str) -> datetime:
    return to_instant(datetime.fromisoformat(text))


SimulatedFromOption = Annotated[
    datetime | None,
    typer.Option(
        parser=_moment, hidden=True, help="For simulations: a clock that only its route moves."
    ),
]


def build_example_commands(url: str, *, with_key: bool) -> tuple[str, str, str]:
    """Build example commands to be copied, with `PALIMPSEST_API_KEY` if there is a key."""
    curl = f"curl -s {_KEY} " if with_key else "curl -s "
    return (
        f"{curl}{url}/v1/events {_HEADER} -d '{_REMEMBER}'",
        f"{curl}{url}/v1/recall {_HEADER} -d '{_ASK}'",
        f"{curl}'{url}/v1/memories?user_id=ada'",
    )


def run(
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="The HTTP port; 0 takes any free one. [default: 8000]"),
    ] = None,
    simulated_from: SimulatedFromOption = None,
) -> None:
    """Run everything in one process, with a broker and a database of its own."""
    settings = _with_quiet_logs(_at(Settings(mode=Mode.EMBEDDED), port))
    configure_logging(settings)
    narrator = _narrator()
    time = SimulatedTime(simulated_from) if simulated_from else None
    run_until_signalled(
        run_embedded(settings, say=narrator.say, ready=_welcome(narrator), time=time)
    )
    narrator.say("stopped")


def serve(
    services: Annotated[list[str], typer.Argument(help=f"Of {', '.join(SERVICES)}.")],
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The HTTP port. [default: 8000]")
    ] = None,
    processes: Annotated[
        int,
        typer.Option(
            min=1,
            help="So many of them behind the port, each at one of its own besides: the next ones.",
        ),
    ] = 1,
    also_accept_from: Annotated[int | None, typer.Option(hidden=True)] = None,
    simulated_from: SimulatedFromOption = None,
) -> None:
    """Run one or several services against the Kafka, MongoDB and Qdrant of the settings."""
    check_service_names(services)
    settings = _at(Settings(mode=Mode.SERVER), port)
    configure_logging(settings)
    narrator = _narrator()
    time = SimulatedTime(simulated_from) if simulated_from else None
    # What is wrong with these is said before any server is waited for.
    check_service_key(settings)
    build_kafka_security(settings).options()
    if processes > 1:
        check_multiple_processes(settings, services)
        run_until_signalled(_serve_in_several(settings, services, processes, narrator))
    else:
        shared = [] if also_accept_from is None else [socket.socket(fileno=also_accept_from)]
        run_until_signalled(_serve(settings, services, narrator, time, shared))
    narrator.say("stopped")


async def _serve_in_several(
    settings: Settings, names: list[str], count: int, narrator: Narrator
) -> None:
    with bind_http_port(settings.http_host, settings.http_port) as listening:
        narrator.say(f"starting {count} processes that answer at {format_socket_url(listening)}")
        commands = build_process_command(names, settings.http_port, listening.fileno())
        await run_processes(commands, count, listening, say=narrator.say)


async def _serve(
    settings: Settings,
    names: list[str],
    narrator: Narrator,
    time: SimulatedTime | None,
    shared: list[socket.socket],
) -> None:
    async with AsyncExitStack() as stack:
        listening = stack.enter_context(bind_http_port(settings.http_host, settings.http_port))
        embedder = await stack.enter_async_context(warm_up_embedder(settings, names))
        platform = await stack.enter_async_context(
            open_platform(settings, names, embedder, say=narrator.say, clock=time or system_clock)
        )
        services = [*build_services(names, platform), *([time] if time else [])]
        http = await stack.enter_async_context(
            run_services(services, platform, listening, say=narrator.say, shared=shared)
        )
        freeze_loaded_objects()
        narrator.say(f"ready: {http.url}")
        await asyncio.Event().wait()


def _narrator() -> Narrator:
    narrator = Narrator()
    for words in describe_unknown_settings():
        narrator.say(words)
    return narrator


def _welcome(narrator: Narrator) -> EmbeddedReadyCallback:
    def ready(everything: EmbeddedApplication) -> None:
        freeze_loaded_objects()
        narrator.say(f"[bold green]ready[/bold green] on {everything.http_url}")
        with_key = everything.settings.asks_for_keys
        if not with_key:
            narrator.say("no keys are asked for, so only this machine is answered")
        narrator.plain()
        narrator.plain(f"The page is at {everything.http_url}/")
        narrator.plain("Try next:")
        for line in build_example_commands(everything.http_url, with_key=with_key):
            narrator.plain("  " + line)
        narrator.plain()
        narrator.plain(f"Chat services publish to Kafka at {everything.servers.kafka_bootstrap}.")
        narrator.plain("Ctrl-C stops everything.")

    return ready


def _at(settings: Settings, port: int | None) -> Settings:
    return settings if port is None else settings.model_copy(update={"http_port": port})


def _with_quiet_logs(settings: Settings) -> Settings:
    """The narration tells the progress, and the log only errors, unless more is configured."""
    asked = "log_level" in settings.model_fields_set
    return settings if asked else settings.model_copy(update={"log_level": "WARNING"})
