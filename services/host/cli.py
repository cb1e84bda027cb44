"""The `palimpsest` command. Only the called part is loaded: loading a part takes about a second."""

import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Annotated

import typer
from rich.console import Console
from typer.models import CommandInfo

from palimpsest.model.errors import PermanentError
from palimpsest_server.embedders.gc_pause import pause_garbage_collection
from services.host.command_table import CommandEntry, is_of_missing_lab, list_commands

INTERRUPTED_EXIT_CODE = 130
"""Exit code after an interrupt: 128 and the signal's number, as shells use it."""


def build_command_line(arguments: Sequence[str]) -> typer.Typer:
    """Build the command that these arguments call; all commands if they name none."""
    app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)
    app.callback()(_palimpsest)
    commands = list_commands()
    if arguments[:1] and is_of_missing_lab(arguments[0]):
        raise PermanentError(
            f"`palimpsest {arguments[0]}` needs palimpsest-lab: uv sync --extra lab"
        )
    asked = [name for name in arguments[:1] if name in commands]
    for name in asked or ([] if arguments[:1] == ["--version"] else commands):
        _add_command(app, name, commands[name])
    if not arguments:
        _check_peoples_commands(app)
    return app


def _check_peoples_commands(app: typer.Typer) -> None:
    """Refuse a command line that leaves out a command of people.

    Raises:
        CommandIncomplete: names the command and its name in the terminal.
    """
    from palimpsest.events.command_registry import (  # noqa: PLC0415 - one command alone needs none
        PEOPLES_COMMANDS,
        require_surfaces,
    )

    offered = {_name_of(command) for command in app.registered_commands} | {
        f"{group.name} {_name_of(command)}"
        for group in app.registered_groups
        if group.typer_instance is not None
        for command in _commands_of(group.typer_instance)
    }
    require_surfaces(
        "the command line",
        [
            f"`palimpsest {surface.terminal}` of {command.__name__}"
            for command in PEOPLES_COMMANDS
            for surface in command.PROPERTIES.surfaces
            if surface.terminal is not None and surface.terminal not in offered
        ],
    )


def _add_command(app: typer.Typer, name: str, entry: CommandEntry) -> None:
    module, _, attribute = entry.target.partition(":")
    found = getattr(import_module(module), attribute)
    if isinstance(found, typer.Typer):
        for command in _commands_of(found):
            command.epilog = _example(f"{name} {_name_of(command)}", entry) or command.epilog
        app.add_typer(found, name=name, rich_help_panel=entry.panel)
    else:
        app.command(name, epilog=_example(name, entry), rich_help_panel=entry.panel)(found)


def _commands_of(group: typer.Typer) -> Iterator[CommandInfo]:
    """Yield the commands of a group and of the groups that are joined into it."""
    yield from group.registered_commands
    for joined in group.registered_groups:
        if joined.typer_instance is not None:
            yield from _commands_of(joined.typer_instance)


def _name_of(command: CommandInfo) -> str:
    """Return the name by which typer offers a command of a group."""
    function = command.callback.__name__ if command.callback else ""
    return command.name or function.strip("_").replace("_", "-")


def _example(name: str, entry: CommandEntry) -> str | None:
    if name not in entry.examples:
        return None
    return f"Example: palimpsest {name} {entry.examples[name]}".rstrip()


def _say_version(asked: bool) -> None:  # noqa: FBT001 - as typer calls it
    if asked:
        typer.echo(f"palimpsest {version('palimpsest-server')}")
        raise typer.Exit


def _palimpsest(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Long-term memory for AI agents, as a stream."""


def list_asked_words() -> list[str]:
    """Return the words behind the command; those typed so far if a shell asks how they go on."""
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS")
    return sys.argv[1:] if typed is None else typed.split()[1:]


def main() -> None:
    """Run the command. Errors that people can mend are told in words, without a traceback."""
    try:
        with pause_garbage_collection():
            command = build_command_line(list_asked_words())
        command()
    except KeyboardInterrupt:
        # Interrupted while code is loaded, which takes a second: nothing was begun.
        sys.exit(INTERRUPTED_EXIT_CODE)
    except Exception as error:
        from services.host.error_messages import explain_error  # noqa: PLC0415 - only when needed

        words = explain_error(error)
        if words is None:
            raise
        Console(stderr=True, soft_wrap=True, highlight=False).print("Error:", words, markup=False)
        sys.exit(1)
