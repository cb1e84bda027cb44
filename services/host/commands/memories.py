"""`palimpsest memories`: what is remembered of a user, and changing it by hand."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from palimpsest.events.command_properties import MemoryAction
from palimpsest.events.command_registry import PEOPLES_COMMANDS
from palimpsest.model.errors import PermanentError
from services.host.options import JsonOption
from services.host.service_calls import (
    AgentOption,
    DryRunOption,
    ProjectOption,
    ReasonOption,
    UrlOption,
    UserOption,
    YesOption,
    build_scope_fields,
    call_services,
    describe_empty_result,
    erase_after_confirmation,
    format_counts,
    format_memory,
    list_repeating_messages,
    print_command_result,
    print_json,
)

app = typer.Typer(help="What is remembered, and changing it by hand.", no_args_is_help=True)

MemoryIdArgument = Annotated[str, typer.Argument(help="The memory's id.")]
SummaryOption = Annotated[str | None, typer.Option(help="What it says in a few words.")]
KindOption = Annotated[str | None, typer.Option(help="Such as preference, fact, goal, decision.")]
ImportanceOption = Annotated[float | None, typer.Option(min=0, max=1)]
TagOption = Annotated[list[str] | None, typer.Option(help="May be given more than once.")]
EntityOption = Annotated[list[str] | None, typer.Option(help="Who or what it names; also several.")]


@app.command("list")
def list_(
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    status: Annotated[list[str] | None, typer.Option(help="Such as pending, forgotten.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=500)] = 50,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Active ones where no status is asked for, the newest first."""
    whose = build_scope_fields(user, agent, project)
    found = call_services(
        url, lambda client: client.list(**whose, status=status or None, limit=limit)
    )
    if as_json:
        print_json(found)
        return
    for memory in found.memories:
        typer.echo(format_memory(memory))
    if not found.memories:
        typer.echo(describe_empty_result("Nothing is remembered here.", agent))


@app.command("show")
def show_(
    memory_id: MemoryIdArgument,
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Show one memory and its history."""
    whose = build_scope_fields(user, agent, project)
    found = call_services(url, lambda client: client.get(memory_id, **whose))
    if as_json:
        print_json(found)
        return
    typer.echo(format_memory(found.memory))
    for revision in found.history:
        typer.echo(
            f"{revision.decided_at:%Y-%m-%d %H:%M}  {revision.change_set_id}  {revision.actor}: {revision.reason}"
        )


@app.command()
def add(  # noqa: PLR0913, PLR0917 - its options
    content: Annotated[str, typer.Argument(help="What is to be remembered.")],
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    kind: KindOption = None,
    summary: SummaryOption = None,
    importance: ImportanceOption = None,
    tag: TagOption = None,
    entity: EntityOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Remember this, as it is stated."""
    whose = build_scope_fields(user, agent, project)
    fields = _given(kind=kind, summary=summary, importance=importance, tags=tag, entities=entity)
    print_command_result(
        call_services(url, lambda client: client.add(content, **whose, **fields)), as_json=as_json
    )


@app.command()
def edit(  # noqa: PLR0913 - its options
    memory_id: MemoryIdArgument,
    content: Annotated[
        str | None, typer.Argument(help="What it is to say.", show_default=False)
    ] = None,
    *,
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    kind: KindOption = None,
    summary: SummaryOption = None,
    importance: ImportanceOption = None,
    tag: TagOption = None,
    entity: EntityOption = None,
    clear: Annotated[
        list[str] | None,
        typer.Option(help="subject, attribute, value, valid_until or expires_at; also several."),
    ] = None,
    version: Annotated[int | None, typer.Option(help="Only if this version stands.")] = None,
    url: UrlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change what it says; what it said before stays in its history."""
    whose = build_scope_fields(user, agent, project)
    fields = _given(
        content=content,
        kind=kind,
        summary=summary,
        importance=importance,
        tags=tag,
        entities=entity,
        version=version,
    )
    cleared: dict[str, Any] = dict.fromkeys(clear or ())
    if not fields.keys() - {"version"} and not cleared:
        raise PermanentError(
            "Say what is to change: what it says, after its id, or an option such as --kind."
        )
    print_command_result(
        call_services(url, lambda client: client.edit(memory_id, **whose, **fields, **cleared)),
        as_json=as_json,
    )


def _plainly(name: str) -> Callable[..., None]:
    """A command that needs no more than to know which memory is meant."""

    def command(
        memory_id: MemoryIdArgument,
        user: UserOption,
        agent: AgentOption = None,
        project: ProjectOption = None,
        url: UrlOption = None,
        *,
        as_json: JsonOption = False,
    ) -> None:
        _tell(name, memory_id, build_scope_fields(user, agent, project), url, as_json=as_json)

    return command


def _with_reason(name: str) -> Callable[..., None]:
    def command(
        memory_id: MemoryIdArgument,
        user: UserOption,
        agent: AgentOption = None,
        project: ProjectOption = None,
        reason: ReasonOption = None,
        url: UrlOption = None,
        *,
        as_json: JsonOption = False,
    ) -> None:
        whose = {**build_scope_fields(user, agent, project), "reason": reason}
        _tell(name, memory_id, whose, url, as_json=as_json)

    return command


def _tell(
    name: str, memory_id: str, whose: Mapping[str, Any], url: str | None, *, as_json: bool
) -> None:
    print_command_result(
        call_services(url, lambda client: getattr(client, name)(memory_id, **whose)),
        as_json=as_json,
    )


def _action_example(action: MemoryAction) -> str:
    return f"Example: palimpsest {action.terminal} MEMORY_ID --user ada"


def _add_actions() -> None:
    for command in PEOPLES_COMMANDS:
        build = _with_reason if command.PROPERTIES.takes_reason_alone else _plainly
        for action in command.PROPERTIES.memory_actions:
            app.command(action.name, help=action.description, epilog=_action_example(action))(
                build(action.client_call)
            )


_add_actions()


@app.command()
def merge(
    memory_ids: Annotated[list[str], typer.Argument(help="The first stays.")],
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    content: Annotated[str | None, typer.Option(help="What the one says then.")] = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Make one of several of one scope: evidence and tags united, the others archived."""
    whose = build_scope_fields(user, agent, project)
    print_command_result(
        call_services(url, lambda client: client.merge(*memory_ids, content=content, **whose)),
        as_json=as_json,
    )


@app.command()
def purge(
    memory_id: MemoryIdArgument,
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    url: UrlOption = None,
    *,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Erase it for good, with its history and the messages that it quotes."""
    whose = build_scope_fields(user, agent, project)
    erase_after_confirmation(
        url,
        lambda client, only_look: client.purge(memory_id, dry_run=only_look, **whose),
        lambda look: "\n".join(
            [
                format_memory(look.memory) if look.memory else memory_id,
                f"With it goes: {format_counts(look.would_go or {})}.",
                *(f"It stays: {format_memory(memory)}" for memory in look.also_said),
                *list_repeating_messages(look.repeated_by),
            ]
        ),
        dry_run=dry_run,
        yes=yes,
        as_json=as_json,
    )


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
