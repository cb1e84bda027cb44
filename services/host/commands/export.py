"""`palimpsest export` and `palimpsest agents`: all there is of a user, and who knows them."""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer
from rich.console import Console
from rich.status import Status

from palimpsest.api.exports import ExportEnded
from palimpsest.client import PalimpsestClient
from services.host.options import JsonOption
from services.host.service_calls import (
    UrlOption,
    UserOption,
    call_services,
    format_counts,
    print_json,
)

OutputFileOption = Annotated[
    Path | None, typer.Option(help="A file that only its owner reads; else it is printed.")
]

_TOLD_EVERY = 50


def export(user: UserOption, out: OutputFileOption = None, url: UrlOption = None) -> None:
    """Export all data of a user, one JSON object a line; purged memories are not in it."""
    console = Console(stderr=True)
    with _destination(out) as file, console.status("exporting") as progress:

        async def write(client: PalimpsestClient) -> ExportEnded:
            return await _written(client, user, file, progress)

        ended = call_services(url, write)
    console.print(
        f"{out or 'exported'}: {format_counts(ended.counts)}", markup=False, highlight=False
    )


async def _written(
    client: PalimpsestClient, user: str, file: TextIO, progress: Status
) -> ExportEnded:
    """Every line, and how far it is."""
    so_far: Counter[str] = Counter()
    async for line in client.export(user):
        print(line.model_dump_json(), file=file)
        if isinstance(line, ExportEnded):
            return line
        so_far[line.record] += 1
        if so_far.total() % _TOLD_EVERY == 0:
            progress.update(f"exporting: {format_counts(so_far)}")
    raise AssertionError("the client says itself where an export broke off")


@contextmanager
def _destination(out: Path | None) -> Iterator[TextIO]:
    """Open the destination; a broken-off export never stands under the requested name."""
    if out is None:
        yield sys.stdout
        return
    draft = out.with_name(f"{out.name}.part")
    try:
        private = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(private, "w", encoding="utf-8") as file:
            yield file
        draft.replace(out)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def agents(user: UserOption, url: UrlOption = None, *, as_json: JsonOption = False) -> None:
    """List the agents that have memories of a user, with counts; `--agent` takes their ids."""
    found = call_services(url, lambda client: client.agents(user))
    if as_json:
        print_json(found)
        return
    for agent in found.agents:
        typer.echo(f"{agent.agent_id or '(all of them)'}  {agent.memories}")
    if not found.agents:
        typer.echo("Nothing is remembered.")
