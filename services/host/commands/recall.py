"""`palimpsest recall` and `palimpsest context`: what a chat service would be told."""

from collections.abc import Iterator
from typing import Annotated

import typer

from palimpsest.api.context import DEFAULT_TOKEN_BUDGET
from palimpsest.api.recall import Excluded, RecallDetail, RecallResponse, RecallResult, ScoreParts
from palimpsest.model.context_format import FormatName
from palimpsest.model.ranking_policy import PolicyName
from services.host.options import JsonOption
from services.host.service_calls import (
    AgentOption,
    ProjectOption,
    UrlOption,
    UserOption,
    build_scope_fields,
    call_services,
    describe_empty_result,
    print_json,
)

ExplainOption = Annotated[
    bool, typer.Option("--explain", help="What each score is made of, and what fell out.")
]
RecallLimitOption = Annotated[
    int | None, typer.Option(min=1, max=100, help="At most so many; else as the policy says.")
]
SessionOption = Annotated[
    str | None, typer.Option(help="Of this conversation: its last messages come along.")
]


def recall(  # noqa: PLR0913 - its options
    question: Annotated[str, typer.Argument(help="In the words of whoever asks.")],
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    policy: Annotated[PolicyName, typer.Option(help="By which it is ranked.")] = PolicyName.DEFAULT,
    limit: RecallLimitOption = None,
    url: UrlOption = None,
    *,
    explain: ExplainOption = False,
    as_json: JsonOption = False,
) -> None:
    """Recall what matters for a question, best first. It is not counted as an access."""
    whose = build_scope_fields(user, agent, project)
    include = [RecallDetail.EXPLANATION] if explain else []
    found = call_services(
        url,
        lambda client: client.recall(
            question, **whose, policy=policy, limit=limit, include=include, preview=True
        ),
    )
    if as_json:
        print_json(found)
        return
    for line in _lines(found):
        typer.echo(line)
    if not found.results:
        typer.echo(_why_nothing(found, agent))


def context(  # noqa: PLR0913 - its options
    question: Annotated[
        str | None,
        typer.Argument(help="Left out: what a conversation starts with.", show_default=False),
    ] = None,
    *,
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    format_: Annotated[
        FormatName | None, typer.Option("--format", help="How it is written.")
    ] = None,
    session: SessionOption = None,
    token_budget: Annotated[int, typer.Option(min=1, max=100_000)] = DEFAULT_TOKEN_BUDGET,
    url: UrlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the context block that would stand in a prompt now."""
    whose = build_scope_fields(user, agent, project)
    usual = FormatName.PROFILE if question is None else FormatName.DEFAULT
    found = call_services(
        url,
        lambda client: client.context(
            question,
            **whose,
            format=format_ or usual,
            session_id=session,
            token_budget=token_budget,
        ),
    )
    if as_json:
        print_json(found)
    elif not found.memory_enabled:
        typer.echo(_OFF)
    else:
        typer.echo(found.text or describe_empty_result("There is nothing to say.", agent))


_OFF = "Memory is off for this user."


def _lines(found: RecallResponse) -> Iterator[str]:
    for result in found.results:
        yield f"{result.score:6.3f}  {result.id}  [{_what(result)}, {result.occurred_at:%Y-%m-%d}]  {result.content}"
        if result.parts is not None:
            yield f"{'':8}{_made_of(result.parts)}"
    if found.intent is not None:
        yield f"asks for: {found.intent.replace('_', ' ')}"
    if found.gate_margin is not None:
        yield f"the gate: {found.gate_margin:+.3f}"
    for other in found.fell_out:
        yield _fell_out(other)


def _what(result: RecallResult) -> str:
    return str(result.kind or result.record)


def _made_of(parts: ScoreParts) -> str:
    """Format the parts of a score that are not 0."""
    return ", ".join(
        f"{name} {value:.3f}" for name, value in parts if isinstance(value, float) and value
    )


def _fell_out(other: Excluded) -> str:
    score = "" if other.score is None else f" at {other.score:.3f}"
    return f"fell out: {other.record} {other.id}{score}: {other.why}"


def _why_nothing(found: RecallResponse, agent: str | None) -> str:
    if not found.memory_enabled:
        return _OFF
    words = "Nothing is near enough to that." if found.gated else "Nothing is remembered here."
    return describe_empty_result(words, agent)
