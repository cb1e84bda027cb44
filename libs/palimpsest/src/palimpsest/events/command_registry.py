"""The registry of commands, for everything that must know all commands.

A command is a subclass of `CommandEvent` with a `type` of its own. It registers itself when one of
the modules imported here defines it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeAlias

from palimpsest.events import feedback, maintenance
from palimpsest.events.command_properties import CommandGiver, CommandProperties
from palimpsest.events.commands import CommandEvent
from palimpsest.events.envelope import Event

CommandTable: TypeAlias = Mapping[str, type[CommandEvent]]
"""Commands by their `type`, aliases included."""

_DEFINED_IN = (feedback, maintenance)
"""Imported for their commands, beside `palimpsest.events.commands`."""


class CommandIncomplete(RuntimeError):
    """A command is not handled somewhere. The program must not start with it."""


def find_command_types(base: type[CommandEvent] = CommandEvent) -> Iterator[type[CommandEvent]]:
    """Yield all commands that are defined by now, in the order of their definition."""
    for command in base.__subclasses__():
        if command.__module__.startswith("palimpsest.") and get_command_name(command):
            yield command
        yield from find_command_types(command)


def get_command_name(command: type[CommandEvent]) -> str | None:
    """Return the `type` of a command; None for a class that several commands share."""
    name = command.model_fields["type"].default
    return name if isinstance(name, str) else None


def build_command_table(commands: Iterable[type[CommandEvent]]) -> CommandTable:
    """Build the table of these commands.

    Raises:
        CommandIncomplete: a command states no properties, or two share a name.
    """
    table: dict[str, type[CommandEvent]] = {}
    for command in commands:
        if not isinstance(vars(command).get("PROPERTIES"), CommandProperties):
            raise CommandIncomplete(f"{command.__name__} states no PROPERTIES")
        for name in (get_command_name(command) or "", *command.ALIASES):
            if table.setdefault(name, command) is not command:
                raise CommandIncomplete(f"{command.__name__} has the name {name} of another")
    return table


COMMAND_TABLE = build_command_table(find_command_types())


def select_commands(
    has: Callable[[CommandProperties], bool] = lambda _: True,
) -> tuple[type[CommandEvent], ...]:
    """Select the commands with this property, in the order of their definition."""
    return tuple(one for one in dict.fromkeys(COMMAND_TABLE.values()) if has(one.PROPERTIES))


def select_command_names(has: Callable[[CommandProperties], bool]) -> frozenset[str]:
    """Select the names of the commands with this property, with the aliases that may be stored."""
    return frozenset(name for name, one in COMMAND_TABLE.items() if has(one.PROPERTIES))


def require_commands(
    where: str,
    taken_up: Collection[type[Event]],
    has: Callable[[CommandProperties], bool] = lambda _: True,
) -> None:
    """Refuse to start if a command with this property is not handled.

    Raises:
        CommandIncomplete: names the commands, and where they are missing.
    """
    missing = [command.__name__ for command in select_commands(has) if command not in taken_up]
    if missing:
        raise CommandIncomplete(f"{where} lacks {', '.join(missing)}")


def require_surfaces(where: str, missing: Collection[str]) -> None:
    """Refuse to start if a command is missing where its properties say that people find it.

    Raises:
        CommandIncomplete: names the surfaces, and where they are missing.
    """
    if missing:
        raise CommandIncomplete(f"{where} lacks {', '.join(missing)}")


PEOPLES_COMMANDS = select_commands(lambda command: command.given_by_people)
"""Commands that come in at the console."""

CONSOLIDATED_COMMANDS = select_commands(
    lambda command: command.given_by is not CommandGiver.CHAT_SERVICES
)
"""Commands that the console or a service sends to the one writer; ingest sends the others."""
