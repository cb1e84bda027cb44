"""`palimpsest page`: the page alone, as a client of services that run elsewhere."""

import asyncio
from typing import Annotated

import typer

from palimpsest.model.errors import PermanentError
from palimpsest_server.runtime.http.authentication import is_loopback
from palimpsest_server.runtime.log_configuration import configure_logging
from palimpsest_server.runtime.settings import Settings
from services.host.http_server import HttpServer, bind_http_port
from services.host.narration import Narrator
from services.host.page_front import guard_page, play_example
from services.host.service_calls import UrlOption, find_address
from services.host.signals import run_until_signalled

DEFAULT_PORT = 8080

KeylessOption = Annotated[
    bool, typer.Option("--keyless", help="The services ask for no keys: for this machine alone.")
]


def page(
    url: UrlOption = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port of the page; 0 takes any free one.")
    ] = DEFAULT_PORT,
    keyless: KeylessOption = False,  # noqa: FBT002 - as a command line has it
) -> None:
    """Serve the page on its own; visitors sign in with a key or token of the services."""
    settings = Settings()
    configure_logging(settings)
    if keyless and not is_loopback(settings.http_host):
        raise PermanentError(
            f"Others can reach {settings.http_host}, so visitors must show a key: leave --keyless"
            " out, or listen on 127.0.0.1."
        )
    narrator = Narrator()
    address = url or find_address(settings)
    run_until_signalled(_serve(settings.http_host, port, address, narrator, keyless=keyless))
    narrator.say("stopped")


async def _serve(host: str, port: int, address: str, narrator: Narrator, *, keyless: bool) -> None:
    from services.page.app import PageApplication  # noqa: PLC0415 - this command alone needs it
    from services.page.page_settings import PageSettings  # noqa: PLC0415

    application = PageApplication(
        PageSettings(address, asks_for_keys=not keyless, play_example=play_example)
    )
    with bind_http_port(host, port) as listening:
        served = guard_page(application, asks_for_keys=not keyless)
        server = HttpServer(served, listening, end_streams=[application.end_streams])
        server.start()
        narrator.say(f"ready: {server.url}/ shows what {address} remembers")
        try:
            await asyncio.Event().wait()
        finally:
            await server.stop()
            await application.close()
