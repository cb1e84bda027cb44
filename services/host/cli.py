"""The `palimpsest` command. Only the part that is asked for is loaded: each takes its second."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Annotated

import typer
from rich.console import Console

from palimpsest_server.embedders.gc_pause import pause_garbage_collection

INTERRUPTED_EXIT_CODE = 130
"""As shells name it: 128 and the signal's number."""

_COMMANDS = {
    "run": "services.host.commands.run:run",
    "serve": "services.host.commands.run:serve",
    "demo": "services.host.commands.demo:demo",
    "doctor": "services.host.commands.doctor:doctor",
    "dead-letters": "services.host.commands.dead_letters:app",
    "reindex": "services.host.commands.reindex:reindex",
    "rewrap-keys": "services.host.commands.rewrap_keys:rewrap_keys",
    "calibrate": "services.host.commands.calibrate:calibrate",
    "tune": "services.host.commands.tune:tune",
    "maintain": "services.host.commands.maintain:maintain",
    "recall": "services.host.commands.recall:recall",
    "context": "services.host.commands.recall:context",
    "memories": "services.host.commands.memories:app",
    "todos": "services.host.commands.todos:app",
    "profile": "services.host.commands.profile:profile",
    "agents": "services.host.commands.export:agents",
    "export": "services.host.commands.export:export",
    "changes": "services.host.commands.changes:app",
    "projects": "services.host.commands.erasure:projects",
    "forget-topic": "services.host.commands.erasure:forget_topic",
    "forget-everything": "services.host.commands.erasure:forget_everything",
    "set-tier": "services.host.commands.erasure:set_tier",
    "traces": "services.host.commands.traces:traces",
    "usage": "services.host.commands.usage:usage",
    "extract": "services.host.commands.usage:extract",
    "import": "palimpsest_lab.cli.benchmarks:import_conversations",
    "bench": "palimpsest_lab.cli.benchmarks:app",
    "simulate": "palimpsest_lab.cli.benchmarks:simulate",
    "asyncapi": "services.host.commands.specifications:asyncapi",
    "openapi": "services.host.commands.specifications:openapi",
    "topics": "services.host.commands.tables:topics",
    "acls": "services.host.commands.tables:acls",
    "settings": "services.host.commands.tables:settings",
    "collections": "services.host.commands.tables:collections",
}


def build_command_line(arguments: Sequence[str]) -> typer.Typer:
    """The command that these arguments begin with; all of them where they name none."""
    app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)
    app.callback()(_palimpsest)
    asked = [name for name in arguments[:1] if name in _COMMANDS]
    for name in asked or ([] if arguments[:1] == ["--version"] else _COMMANDS):
        module, _, attribute = _COMMANDS[name].partition(":")
        found = getattr(import_module(module), attribute)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name)
        else:
            app.command(name)(found)
    return app


def _say_version(asked: bool) -> None:  # noqa: FBT001 - as typer calls it
    if asked:
        typer.echo(f"palimpsest {version('palimpsest-server')}")
        raise typer.Exit


def _palimpsest(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Which one this is."),
    ] = False,
) -> None:
    """Long-term memory for AI agents, as a stream."""


def main() -> None:
    """Run the command. Errors that people can mend are told in words, without a traceback."""
    try:
        with pause_garbage_collection():
            command = build_command_line(sys.argv[1:])
        command()
    except KeyboardInterrupt:
        # While code is still loaded, which takes its second: nothing was begun yet.
        sys.exit(INTERRUPTED_EXIT_CODE)
    except Exception as error:
        from services.host.error_messages import explain_error  # noqa: PLC0415 - only when needed

        words = explain_error(error)
        if words is None:
            raise
        Console(stderr=True, soft_wrap=True, highlight=False).print("Error:", words, markup=False)
        sys.exit(1)
