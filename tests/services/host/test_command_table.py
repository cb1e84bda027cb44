"""The table of commands: every command stands in a panel and has an example that parses."""

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from palimpsest.model.errors import PermanentError
from services.host import command_table
from services.host.cli import build_command_line
from services.host.command_table import list_commands

EXAMPLES = {
    name: arguments
    for entry in list_commands().values()
    for name, arguments in entry.examples.items()
}


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield every command that does something, by its full name."""
    if hasattr(command, "commands"):
        for name, child in command.commands.items():
            yield from leaves(child, (*path, name))
    else:
        yield " ".join(path), command


COMMANDS = dict(leaves(typer.main.get_command(build_command_line([]))))
EXAMPLES |= {
    name: str(command.epilog).removeprefix(f"Example: palimpsest {name}").strip()
    for name, command in COMMANDS.items()
    if name not in EXAMPLES and str(command.epilog).startswith(f"Example: palimpsest {name} ")
}
"""Examples of the table, and of commands on one memory that bring their own: see `MemoryAction`."""


def test_every_command_has_one_example_and_every_example_a_command() -> None:
    assert COMMANDS.keys() == EXAMPLES.keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_is_shown_in_the_help_and_parses(name: str) -> None:
    command = COMMANDS[name]
    assert command.epilog == f"Example: palimpsest {name} {EXAMPLES[name]}".rstrip()
    command.make_context(name, shlex.split(EXAMPLES[name]))


def test_without_the_lab_its_commands_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_table, "find_spec", lambda _: None)
    offered = list_commands()
    assert "recall" in offered
    assert not {"bench", "simulate"} & offered.keys()
    with pytest.raises(PermanentError, match="uv sync --extra lab"):
        build_command_line(["bench", "recall"])
