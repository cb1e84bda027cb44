"""`palimpsest forget-topic`, `forget-everything` and `projects`: what is over, and what goes for good."""

from typing import Annotated

import typer

from palimpsest.contracts.command_requests import TopicForgotten
from palimpsest.domain.errors import PermanentError
from services.host.asking import (
    DryRun,
    Url,
    User,
    Yes,
    also_said,
    asked,
    counts,
    erased,
    meant,
    show,
    show_json,
)
from services.host.options import AsJson

projects = typer.Typer(help="Projects that are over.", no_args_is_help=True)

ProjectId = Annotated[str, typer.Argument(help="The project's id.")]
OneAgent = Annotated[str | None, typer.Option("--agent", help="Only what this agent has of it.")]


def forget_topic(
    topic: Annotated[str, typer.Argument(help="A name, or some words; it is stored nowhere.")],
    user: User,
    at_least: Annotated[
        float, typer.Option(help="How sure it must be that something is on the topic.")
    ] = 0.9,
    url: Url = None,
    *,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Erase for good what was said and is remembered on a topic, by all agents."""
    if dry_run or not yes:
        look = asked(
            url,
            lambda client: client.forget_topic(
                topic, user_id=user, at_least=at_least, dry_run=True
            ),
        )
        if dry_run and as_json:
            show_json(look)
        else:
            typer.echo(_found(look, at_least), err=not dry_run)
        if dry_run:
            return
        meant("What is marked goes.")
    done = asked(url, lambda client: client.forget_topic(topic, user_id=user, at_least=at_least))
    if as_json:
        show_json(done)
    elif done.result is not None:
        typer.echo(_found(done, at_least))


def _found(answer: TopicForgotten, at_least: float) -> str:
    lines = [
        f"{'*' if one.sure >= at_least else ' '} {one.sure:.2f} {one.because:<8}"
        f" {one.record:<11} {one.id}  {one.beginning}"
        for one in answer.topic.found
    ]
    lines += also_said(answer.also_said)
    if not answer.topic.by_meaning:
        lines.append("Only names and words were looked at: there are no vectors here.")
    return "\n".join(lines) or "Nothing is known on this."


def forget_everything(
    user: User,
    confirm_user: Annotated[
        str | None, typer.Option(help="The user's id once more, instead of being asked.")
    ] = None,
    url: Url = None,
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Erase for good all there is of a user. Nothing brings it back."""
    if confirm_user not in (None, user):
        raise PermanentError("--confirm-user is not the id of the user.")
    if dry_run or confirm_user is None:
        look = asked(url, lambda client: client.forget_everything(user, dry_run=True))
        if dry_run and as_json:
            show_json(look)
            return
        going = counts(look.kept.counts if look.kept else {})
        if dry_run:
            typer.echo(f"would go: {going}")
            return
        meant(f"All of {user} goes: {going}.")
    done = asked(url, lambda client: client.forget_everything(user))
    if done.result is not None:
        show(done.result, as_json=as_json, for_good=True)


def set_tier(
    user: User,
    tier: Annotated[str, typer.Argument(help="seed, growth, scale, enterprise, or `default`.")],
    url: Url = None,
    *,
    as_json: AsJson = False,
) -> None:
    """How much is kept for each agent of a user."""
    named = None if tier == "default" else tier
    show(asked(url, lambda client: client.set_tier(user, named)), as_json=as_json)


@projects.command()
def close(
    project_id: ProjectId,
    user: User,
    agent: OneAgent = None,
    url: Url = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Archive what is remembered of it, 500 memories at once."""
    done = asked(url, lambda client: client.close_project(project_id, user_id=user, agent_id=agent))
    show(done, as_json=as_json)


@projects.command()
def delete(
    project_id: ProjectId,
    user: User,
    agent: OneAgent = None,
    url: Url = None,
    *,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Erase for good what was said and remembered in it, 500 memories at once."""
    erased(
        url,
        lambda client, only_look: client.delete_project(
            project_id, user_id=user, agent_id=agent, dry_run=only_look
        ),
        lambda look: f"Of the project {project_id} goes: {counts(look.would_go or {})}.",
        dry_run=dry_run,
        yes=yes,
        as_json=as_json,
    )
