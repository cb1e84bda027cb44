"""The `palimpsest` command."""

import sys

import typer
from pydantic import ValidationError
from rich.console import Console

from palimpsest.bench import cli as bench
from palimpsest.delivery.failures import is_transient, words_of
from palimpsest.domain.errors import PalimpsestError
from palimpsest.runtime.settings import Settings
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
    """What people can put right is said in words, not in traces."""
    try:
        app()
    except Exception as error:
        words = words_for_people(error)
        if words is None:
            raise
        Console(stderr=True, soft_wrap=True, highlight=False).print("Error:", words, markup=False)
        sys.exit(1)


def words_for_people(error: Exception) -> str | None:
    """What is wrong with the settings, a file or a server; None where it is a bug of ours.

    Values of settings are never repeated: some are secret.
    """
    if isinstance(error, PalimpsestError):
        return str(error)
    if isinstance(error, ValidationError):
        return _wrong_settings(error) if error.title == Settings.__name__ else None
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if is_transient(error):
        return f"a server is away ({words_of(error)}); `palimpsest doctor` says which"
    return None


def _wrong_settings(error: ValidationError) -> str:
    prefix = Settings.model_config["env_prefix"]
    return "; ".join(
        f"{prefix}{'.'.join(map(str, each['loc'])).upper()}: {each['msg']}"
        for each in error.errors(include_input=False, include_context=False, include_url=False)
    )
