"""Calls from the terminal to running services over HTTP, answered in words or as JSON."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

import typer
from pydantic import BaseModel
from rich.console import Console

from palimpsest.api.resources import CommandResult, RepeatingMessage
from palimpsest.client import PalimpsestClient
from palimpsest.client.errors import Conflict, NotAllowed, PermissionDenied, TimedOut, Unavailable
from palimpsest.client.transport_http import parse_http_address
from palimpsest.model.errors import PermanentError, TransientError
from palimpsest.model.memory import Memory
from palimpsest_server.embedded import instance
from palimpsest_server.runtime.settings import Mode, Settings
from services.host.options import load_quiet_settings

UserOption = Annotated[str, typer.Option("--user", help="Whose memories.")]
AgentOption = Annotated[str | None, typer.Option("--agent", help="As this agent sees them.")]
ProjectOption = Annotated[str | None, typer.Option("--project", help="From within this project.")]
ReasonOption = Annotated[str | None, typer.Option(help="Why, for the history.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask whether it is meant.")]


def _address_given(url: str | None) -> str | None:
    """Refuse an invalid address at once, before any attempt to connect."""
    try:
        return url and str(parse_http_address(url))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


UrlOption = Annotated[
    str | None,
    typer.Option(
        "--url",
        callback=_address_given,
        help="Of the services; else what runs here, by the settings.",
    ),
]

_ADVICE = "Start it with `palimpsest run`, or say where one is with --url."

AnswerT = TypeVar("AnswerT", bound=BaseModel)


def call_services(
    url: str | None, ask: Callable[[PalimpsestClient], Awaitable[AnswerT]]
) -> AnswerT:
    """Call the services and return their answer.

    Raises:
        PermanentError: nothing runs here and no address is given, or the command is refused.
        TransientError: nobody answers at the address.
        ClientError: any other refusal of the services.
    """
    settings = load_quiet_settings()
    key = settings.api_key.get_secret_value() if settings.api_key else None

    address = url or find_address(settings)

    async def answer() -> AnswerT:
        async with PalimpsestClient(http_url=address, api_key=key) as client:
            return await ask(client)

    with explain_call_errors(address, key):
        return asyncio.run(answer())


@contextmanager
def explain_call_errors(address: str, key: str | None) -> Iterator[None]:
    """Raise errors of calls in words that say what to do.

    Raises:
        PermanentError: the key is refused, or a later change is in the way.
        TransientError: nobody answers at the address.
        ClientError: any other refusal of the services.
    """
    try:
        yield
    except Unavailable as error:
        # The deadline may cut off the last attempt, also if nobody is there.
        if error.reason != "unreachable" and not isinstance(error, TimedOut):
            raise
        raise TransientError(f"Nobody answers at {address} ({error}). {_ADVICE}") from error
    except PermissionDenied:
        # The key is known; the error names the missing permission.
        raise
    except NotAllowed as error:
        raise PermanentError(f"{error}. {_of_key(key)}") from error
    except Conflict as error:
        later = error.change_set_id
        if later is None:
            raise
        raise PermanentError(f"{error} (the later change is {later})") from None


def _of_key(key: str | None) -> str:
    """Return advice on a refused key."""
    if key is None:
        return "Set PALIMPSEST_API_KEY to the key that they were started with, or to one of `keys create`."
    return "PALIMPSEST_API_KEY is set here, to another key than they know."


def find_address(settings: Settings) -> str:
    """Return the address of the services by the settings.

    Raises:
        PermanentError: nothing runs here.
    """
    if settings.mode is Mode.SERVER:
        return f"http://{settings.http_host}:{settings.http_port}"
    running = instance.find_instance(settings.data_directory)
    if running is None:
        raise PermanentError(f"No Palimpsest is running on {settings.data_directory}. {_ADVICE}")
    return running.http_url


def build_scope_fields(user: str, agent: str | None, project: str | None) -> dict[str, Any]:
    """Build the fields of the scope of a request."""
    return {"user_id": user, "agent_id": agent, "project_id": project}


def print_json(found: BaseModel) -> None:
    """Print a value as JSON without unset fields."""
    typer.echo(found.model_dump_json(exclude_none=True, indent=2))


def describe_empty_result(words: str, agent: str | None) -> str:
    """Print that nothing was found, and where there may be more."""
    return words if agent else f"{words} What an agent has of its own is seen with --agent."


def print_command_result(result: CommandResult, *, as_json: bool, for_good: bool = False) -> None:
    """Print the result of a command; with `for_good` no undo is offered."""
    if as_json:
        print_json(result)
    elif result.would_go is not None:
        typer.echo(f"would go: {format_counts(result.would_go)}")
        _say(list_remaining_memories(result.also_said))
        _say(list_repeating_messages(result.repeated_by))
    elif not result.applied:
        typer.echo(f"accepted, and under way: {result.command_id}")
    else:
        typer.echo(_done(result, for_good=for_good))
        if result.memory is not None:
            typer.echo(format_memory(result.memory))
        _say(list_remaining_memories(result.also_said))


def list_repeating_messages(messages: Sequence[RepeatingMessage]) -> list[str]:
    """Return lines on other messages that repeat the memory, and whether they are erased too."""
    return [
        f"{'it goes too' if message.goes else 'it stays'}, and repeats it: {message.beginning}"
        for message in messages
    ]


def list_remaining_memories(memories: Sequence[Memory]) -> list[str]:
    """Return lines on memories that stay though their evidence is erased."""
    if not memories:
        return []
    return [
        "resting on the same messages, and staying:",
        *(format_memory(memory) for memory in memories),
    ]


def _say(lines: Sequence[str]) -> None:
    for line in lines:
        typer.echo(line)


def _done(result: CommandResult, *, for_good: bool) -> str:
    if for_good:
        return "gone for good"
    if result.settings is None and not result.changed:
        return "changed nothing"
    changed = f"changed {result.changed}" if result.changed else "changed the settings"
    return f"{changed}; undo by {result.change_set_id}"


def format_memory(memory: Memory) -> str:
    """Format one memory in one line."""
    pinned = ", pinned" if memory.pinned else ""
    return f"{memory.id}  [{memory.kind}, {memory.status}{pinned}]  {memory.content}"


def format_counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in found.items() if count) or "nothing"


def confirm_erasure(what: str) -> None:
    """Ask before an erasure; end the command if the answer is no."""
    Console(stderr=True, soft_wrap=True).print(what, markup=False, highlight=False)
    typer.confirm("For good?", abort=True, err=True)


def erase_after_confirmation(
    url: str | None,
    erase: Callable[[PalimpsestClient, bool], Awaitable[CommandResult]],
    going: Callable[[CommandResult], str],
    *,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Erase after a preview and a confirmation. `erase` is called with True for the preview alone."""
    if dry_run or not yes:
        look = call_services(url, lambda client: erase(client, True))  # noqa: FBT003 - only look
        if dry_run:
            print_command_result(look, as_json=as_json)
            return
        confirm_erasure(going(look))
    done = call_services(url, lambda client: erase(client, False))  # noqa: FBT003
    print_command_result(done, as_json=as_json, for_good=True)
