"""The `palimpsest` command."""

import sys

import typer
from rich.console import Console

from palimpsest.bench import cli as bench
from palimpsest.domain.errors import PalimpsestError
from services.host.commands import dead_letters, demo, doctor, reindex, run, specifications, tables

app = typer.Typer(
    help="Long-term memory for AI agents, as a stream.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(run.run)
app.command()(run.serve)
app.command()(demo.demo)
app.command()(doctor.doctor)
app.add_typer(dead_letters.app, name="dead-letters", no_args_is_help=True)
app.command()(reindex.reindex)
app.command("import")(bench.import_conversations)
app.add_typer(bench.app, name="bench")
app.command()(specifications.asyncapi)
app.command()(specifications.openapi)
app.command()(tables.topics)
app.command()(tables.collections)


def main() -> None:
    """Errors that we raise on purpose are words for people, not traces."""
    try:
        app()
    except PalimpsestError as error:
        Console(stderr=True, soft_wrap=True, highlight=False).print(
            "Error:", str(error), markup=False
        )
        sys.exit(1)
