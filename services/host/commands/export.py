"""`palimpsest export` and `palimpsest agents`: all there is of a user, and who knows them."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TextIO

import typer
from rich.console import Console
from rich.status import Status

from palimpsest.api.exports import ExportEnded, ExportLine
from palimpsest.client import PalimpsestClient
from services.host.exports.write_archive import ArchiveSpool
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


class ExportFormat(StrEnum):
    """The forms of an export."""

    LINES = "lines"
    """One JSON object a line, as the services answer it."""
    ARCHIVE = "archive"
    """A zip file with a manifest, JSON Lines and Markdown, which `palimpsest import` takes."""


def export(
    user: UserOption,
    out: OutputFileOption = None,
    format: Annotated[  # noqa: A002 - the option's name
        ExportFormat | None,
        typer.Option(
            help="`archive`, a zip file that `palimpsest import` takes, or `lines`, one JSON object a"
            " line. Without it by the name of the file: an archive for .zip."
        ),
    ] = None,
    url: UrlOption = None,
) -> None:
    """Export all data of a user; purged memories are not in it."""
    console = Console(stderr=True)
    written = format or _guess_format(out)
    with console.status("exporting") as progress:
        if written is ExportFormat.ARCHIVE:
            ended = _export_archive(user, out, url, progress)
        else:
            with _destination(out) as file:
                write = _Writer(lambda line: print(line.model_dump_json(), file=file), progress)
                ended = call_services(url, lambda client: write.write(client, user))
    console.print(
        f"{out or 'exported'}: {format_counts(ended.counts)}", markup=False, highlight=False
    )


def _guess_format(out: Path | None) -> ExportFormat:
    is_archive = out is not None and out.suffix == ".zip"
    return ExportFormat.ARCHIVE if is_archive else ExportFormat.LINES


def _export_archive(user: str, out: Path | None, url: str | None, progress: Status) -> ExportEnded:
    if out is None:
        raise typer.BadParameter("an archive needs a file: --out ada.zip")
    with TemporaryDirectory() as directory, ArchiveSpool(Path(directory) / "lines") as spool:
        write = _Writer(spool.add, progress)
        ended = call_services(url, lambda client: write.write(client, user))
        progress.update("packing")
        with _draft(out) as draft:
            spool.write(draft)
    return ended


class _Writer:
    """Hands on every line of an export, and says how far it is."""

    def __init__(self, take: Callable[[ExportLine], None], progress: Status) -> None:
        self._take = take
        self._progress = progress

    async def write(self, client: PalimpsestClient, user: str) -> ExportEnded:
        so_far: Counter[str] = Counter()
        ended: ExportEnded | None = None
        # Read to its end: a response that is left before is closed by nobody.
        async for line in client.export(user):
            self._take(line)
            ended = line if isinstance(line, ExportEnded) else None
            so_far[line.record] += 1
            if so_far.total() % _TOLD_EVERY == 0:
                self._progress.update(f"exporting: {format_counts(so_far)}")
        if ended is None:
            raise AssertionError("the client says itself where an export broke off")
        return ended


@contextmanager
def _destination(out: Path | None) -> Iterator[TextIO]:
    """Open the destination; a broken-off export never stands under the requested name."""
    if out is None:
        yield sys.stdout
        return
    with _draft(out) as draft, draft.open("w", encoding="utf-8") as file:
        yield file


@contextmanager
def _draft(out: Path) -> Iterator[Path]:
    """Yield a file that only its owner reads, and name it as requested once it is whole."""
    draft = out.with_name(f"{out.name}.part")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        yield draft
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
