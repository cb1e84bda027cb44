"""`palimpsest recall` and `palimpsest context`: what a chat service would be told."""

from collections.abc import Iterator
from typing import Annotated

import typer

from palimpsest.contracts.context import DEFAULT_TOKEN_BUDGET
from palimpsest.contracts.recall import FellOut, Include, Recalled, RecallResponse, ScoreParts
from palimpsest.model.context_format import FormatName
from palimpsest.model.ranking_policy import PolicyName
from services.host.asking import (
    Agent,
    Project,
    Url,
    User,
    asked,
    nothing,
    seen_from,
    show_json,
)
from services.host.options import AsJson

Explained = Annotated[
    bool, typer.Option("--explain", help="What each score is made of, and what fell out.")
]
Limit = Annotated[
    int | None, typer.Option(min=1, max=100, help="At most so many; else as the policy says.")
]
Session = Annotated[
    str | None, typer.Option(help="Of this conversation: its last messages come along.")
]


def recall(  # noqa: PLR0913 - its options
    question: Annotated[str, typer.Argument(help="In the words of whoever asks.")],
    user: User,
    agent: Agent = None,
    project: Project = None,
    policy: Annotated[PolicyName, typer.Option(help="By which it is ranked.")] = PolicyName.DEFAULT,
    limit: Limit = None,
    url: Url = None,
    *,
    explain: Explained = False,
    as_json: AsJson = False,
) -> None:
    """What matters for a question, best first. It is not counted as an access."""
    whose = seen_from(user, agent, project)
    include = [Include.EXPLANATION] if explain else []
    found = asked(
        url,
        lambda client: client.recall(
            question, **whose, policy=policy, limit=limit, include=include, preview=True
        ),
    )
    if as_json:
        show_json(found)
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
    user: User,
    agent: Agent = None,
    project: Project = None,
    format_: Annotated[
        FormatName | None, typer.Option("--format", help="How it is written.")
    ] = None,
    session: Session = None,
    token_budget: Annotated[int, typer.Option(min=1, max=100_000)] = DEFAULT_TOKEN_BUDGET,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """What is known and matters now, as it stands in a prompt."""
    whose = seen_from(user, agent, project)
    usual = FormatName.PROFILE if question is None else FormatName.DEFAULT
    found = asked(
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
        show_json(found)
    elif not found.memory_enabled:
        typer.echo(_OFF)
    else:
        typer.echo(found.text or nothing("There is nothing to say.", agent))


_OFF = "Memory is off for this user."


def _lines(found: RecallResponse) -> Iterator[str]:
    for one in found.results:
        yield f"{one.score:6.3f}  {one.id}  [{_what(one)}, {one.occurred_at:%Y-%m-%d}]  {one.content}"
        if one.parts is not None:
            yield f"{'':8}{_made_of(one.parts)}"
    if found.gate_margin is not None:
        yield f"the gate: {found.gate_margin:+.3f}"
    for other in found.fell_out:
        yield _fell_out(other)


def _what(one: Recalled) -> str:
    return str(one.kind or one.record)


def _made_of(parts: ScoreParts) -> str:
    """Those that there are, and count."""
    return ", ".join(
        f"{name} {value:.3f}" for name, value in parts if isinstance(value, float) and value
    )


def _fell_out(other: FellOut) -> str:
    score = "" if other.score is None else f" at {other.score:.3f}"
    return f"fell out: {other.record} {other.id}{score}: {other.why}"


def _why_nothing(found: RecallResponse, agent: str | None) -> str:
    if not found.memory_enabled:
        return _OFF
    words = "Nothing is near enough to that." if found.gated else "Nothing is remembered here."
    return nothing(words, agent)
