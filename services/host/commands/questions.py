"""`palimpsest questions`: questions that are kept, with the answers that hold now."""

from contextlib import aclosing
from typing import Annotated

import typer

from palimpsest.api.standing_questions import StandingQuestion
from palimpsest.client import PalimpsestClient
from palimpsest.client.webhooks import NoAnswer
from services.host.options import JsonOption
from services.host.service_calls import (
    AgentOption,
    ProjectOption,
    UrlOption,
    UserOption,
    build_scope_fields,
    call_services,
    print_json,
)

app = typer.Typer(help="Questions that are kept, with their answers.", no_args_is_help=True)

QuestionIdArgument = Annotated[str, typer.Argument(help="The question's id, as `list` shows it.")]


@app.command()
def add(
    question: Annotated[str, typer.Argument(help="The question, in its own words.")],
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    limit: Annotated[int, typer.Option(min=1, max=50, help="The most memories of an answer.")] = 10,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Keep a question, and show the answer that holds now."""
    whose = build_scope_fields(user, agent, project)
    kept = call_services(url, lambda client: client.questions.add(question, limit=limit, **whose))
    _print(kept, as_json=as_json)


@app.command("list")
def list_(
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """The questions that are kept, with the answers that hold now."""
    whose = build_scope_fields(user, agent, project)
    found = call_services(url, lambda client: client.questions.list(**whose))
    if as_json:
        print_json(found)
        return
    for question in found.questions:
        _print(question, as_json=False)
    if not found.questions:
        typer.echo("No question is kept.")


@app.command()
def show(
    question_id: QuestionIdArgument,
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    url: UrlOption = None,
    *,
    follow: Annotated[
        bool, typer.Option("--follow", help="Show every other answer too, until Ctrl-C.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """A question with the answer that holds now."""
    whose = build_scope_fields(user, agent, project)

    async def ask(client: PalimpsestClient) -> StandingQuestion:
        if not follow:
            return await client.questions.get(question_id, **whose)
        async with aclosing(client.questions.watch(question_id, **whose)) as answers:
            async for question in answers:
                _print(question, as_json=as_json)
        raise AssertionError("a stream of changes has no end")

    _print(call_services(url, ask), as_json=as_json)


@app.command()
def delete(
    question_id: QuestionIdArgument,
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Delete a question. What is remembered stays."""
    whose = build_scope_fields(user, agent, project)

    async def ask(client: PalimpsestClient) -> NoAnswer:
        await client.questions.delete(question_id, **whose)
        return NoAnswer()

    answer = call_services(url, ask)
    if as_json:
        print_json(answer)
    else:
        typer.echo("deleted")


def _print(question: StandingQuestion, *, as_json: bool) -> None:
    if as_json:
        print_json(question)
        return
    changed = question.answer.changed_at
    typer.echo(f"{question.id}  {question.query}  (answered so since {changed:%Y-%m-%d %H:%M})")
    for line in question.answer.text.splitlines() or ["nothing is known of it"]:
        typer.echo(f"  {line}")
