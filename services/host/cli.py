"""The `palimpsest` command."""

import sys

import typer
from rich.console import Console

from palimpsest.domain.errors import PalimpsestError
from services.host.commands import run, tables

app = typer.Typer(
    help="Long-term memory for AI agents, as a stream.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(run.run)
app.command()(run.serve)
app.command()(tables.topics)
app.command()(tables.collections)


def main() -> None:
    """Errors that we raise on purpose are words for people, not traces."""
    try:
        app()
    except PalimpsestError as error:
        Console(stderr=True).print(f"[bold red]Error:[/bold red] {error}", highlight=False)
        sys.exit(1)
