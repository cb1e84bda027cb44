"""`palimpsest usage` and `palimpsest extract`: what models took, and having them look now."""

from datetime import date
from typing import Annotated

import typer

from palimpsest.model.usage import UsageSum
from services.host.options import JsonOption
from services.host.service_calls import AgentOption, UrlOption, UserOption, call_services

_MILLIONTHS = 1_000_000
_UNIT = "in the currency of PALIMPSEST_MODEL_PRICES"


def _day(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise typer.BadParameter(f"{written} is no day, such as 2026-03-31") from None


DayOption = Annotated[
    date | None, typer.Option(parser=_day, metavar="YYYY-MM-DD", help="Of UTC, included.")
]


def usage(
    user: UserOption,
    agent: AgentOption = None,
    since: DayOption = None,
    until: DayOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Show the usage of language models for a user by day, task and model, in the last 30 days."""
    found = call_services(
        url,
        lambda client: client.usage(
            user,
            agent_id=agent,
            since=since,
            until=until,
        ),
    )
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
        return
    for row in found.rows:
        typer.echo(f"{row.day}  {row.task:<10}  {row.model}  {_words(row.sum)}")
    total = f"{_words(found.total)}, {_UNIT}" if found.rows else "no calls of a language model"
    typer.echo(f"{found.since} to {found.until}: {total}")


def extract(
    session: Annotated[str, typer.Argument(help="The session's id.")],
    user: UserOption,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Have what was said in a session so far understood now."""
    found = call_services(url, lambda client: client.extract(session, user_id=user))
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
        return
    for window in found.windows:
        turns = _counted(window.turns, "turn")
        if window.change_set_id is None:
            typer.echo(f"{turns}: chit-chat, of which nothing follows.")
        else:
            typer.echo(
                f"{turns}: sent to be understood. What follows is the change"
                f" {window.change_set_id}, once `palimpsest changes list --user {user}` shows it."
            )
    if found.on_their_way:
        on_their_way = _counted(found.on_their_way, "turn")
        typer.echo(f"{on_their_way}: accepted and still on the way. Ask again in a moment.")
    elif not found.windows:
        typer.echo(f"Nothing that {user} said in the session {session} waits to be understood.")


def _words(taken: UsageSum) -> str:
    failed = f", {taken.failed_calls} failed" if taken.failed_calls else ""
    return (
        f"{_counted(taken.calls, 'call')}{failed}; {taken.input_tokens} tokens in"
        f" ({taken.cached_input_tokens} cached), {taken.output_tokens} out;"
        f" cost {taken.cost_millionths / _MILLIONTHS:.6f}"
    )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
