"""`palimpsest forget-topic`, `forget-everything` and `projects`: what is over, and what goes for good."""

from typing import Annotated

import typer

from palimpsest.api.command_requests import ForgetTopicResult
from palimpsest.model.errors import PermanentError
from services.host.options import JsonOption
from services.host.service_calls import (
    DryRunOption,
    UrlOption,
    UserOption,
    YesOption,
    call_services,
    confirm_erasure,
    erase_after_confirmation,
    format_counts,
    list_remaining_memories,
    print_command_result,
    print_json,
)

projects = typer.Typer(help="Projects that are over.", no_args_is_help=True)

ProjectIdArgument = Annotated[str, typer.Argument(help="The project's id.")]
ProjectAgentOption = Annotated[
    str | None, typer.Option("--agent", help="Only what this agent has of it.")
]


def forget_topic(
    topic: Annotated[str, typer.Argument(help="A name, or some words; it is stored nowhere.")],
    user: UserOption,
    at_least: Annotated[
        float, typer.Option(help="How sure it must be that something is on the topic.")
    ] = 0.9,
    url: UrlOption = None,
    *,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Erase for good what was said and is remembered on a topic, by all agents."""
    if dry_run or not yes:
        look = call_services(
            url,
            lambda client: client.forget_topic(
                topic, user_id=user, at_least=at_least, dry_run=True
            ),
        )
        if dry_run and as_json:
            print_json(look)
        else:
            typer.echo(_found(look, at_least), err=not dry_run)
        if dry_run:
            return
        confirm_erasure("What is marked goes.")
    done = call_services(
        url, lambda client: client.forget_topic(topic, user_id=user, at_least=at_least)
    )
    if as_json:
        print_json(done)
    elif done.result is not None:
        typer.echo(_found(done, at_least))


def _found(answer: ForgetTopicResult, at_least: float) -> str:
    lines = [
        f"{'*' if hit.sure >= at_least else ' '} {hit.sure:.2f} {hit.because:<8}"
        f" {hit.record:<11} {hit.id}  {hit.beginning}"
        for hit in answer.topic.found
    ]
    lines += list_remaining_memories(answer.also_said)
    if not answer.topic.by_meaning:
        lines.append("Only names and words were looked at: there are no vectors here.")
    return "\n".join(lines) or "Nothing is known on this."


def forget_everything(
    user: UserOption,
    confirm_user: Annotated[
        str | None, typer.Option(help="The user's id once more, instead of being call_services.")
    ] = None,
    url: UrlOption = None,
    *,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Erase for good all there is of a user. Nothing brings it back."""
    if confirm_user not in (None, user):
        raise PermanentError("--confirm-user is not the id of the user.")
    if dry_run or confirm_user is None:
        look = call_services(url, lambda client: client.forget_everything(user, dry_run=True))
        if dry_run and as_json:
            print_json(look)
            return
        going = format_counts(look.kept.counts if look.kept else {})
        if dry_run:
            typer.echo(f"would go: {going}")
            return
        confirm_erasure(f"All of {user} goes: {going}.")
    done = call_services(url, lambda client: client.forget_everything(user))
    if done.result is not None:
        print_command_result(done.result, as_json=as_json, for_good=True)


def set_tier(
    user: UserOption,
    tier: Annotated[str, typer.Argument(help="seed, growth, scale, enterprise, or `default`.")],
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Set how much is kept for each agent of a user."""
    named = None if tier == "default" else tier
    print_command_result(
        call_services(url, lambda client: client.set_tier(user, named)), as_json=as_json
    )


@projects.command()
def close(
    project_id: ProjectIdArgument,
    user: UserOption,
    agent: ProjectAgentOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Archive what is remembered of it, 500 memories at once."""
    done = call_services(
        url, lambda client: client.close_project(project_id, user_id=user, agent_id=agent)
    )
    print_command_result(done, as_json=as_json)


@projects.command()
def delete(
    project_id: ProjectIdArgument,
    user: UserOption,
    agent: ProjectAgentOption = None,
    url: UrlOption = None,
    *,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Erase for good what was said and remembered in it, 500 memories at once."""
    erase_after_confirmation(
        url,
        lambda client, only_look: client.delete_project(
            project_id, user_id=user, agent_id=agent, dry_run=only_look
        ),
        lambda look: f"Of the project {project_id} goes: {format_counts(look.would_go or {})}.",
        dry_run=dry_run,
        yes=yes,
        as_json=as_json,
    )
