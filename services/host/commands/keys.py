"""`palimpsest keys`: who else may ask, and what of."""

import re
from datetime import datetime, timedelta
from typing import Annotated

import typer

from palimpsest.api.access_keys import AccessKey, IssuedKey
from palimpsest.model.clock import system_clock
from palimpsest.model.permissions import EVERYDAY_PERMISSIONS, Permission
from services.host.options import JsonOption
from services.host.service_calls import UrlOption, call_services, print_json

app = typer.Typer(help="Keys of services, users and agents.", no_args_is_help=True)

_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
_DURATION = re.compile(r"(\d{1,5})([mhd])")


def _duration(text: str) -> timedelta:
    """Read a duration such as `30d`, `12h` or `5m`."""
    match = _DURATION.fullmatch(text)
    if match is None:
        raise typer.BadParameter("a number with m, h or d, such as 30d")
    return int(match[1]) * _UNITS[match[2]]


NameArgument = Annotated[str, typer.Argument(help="For people: the program that will hold it.")]
KeyIdArgument = Annotated[str, typer.Argument(help="The key's id, as `keys list` shows it.")]
OfUserOption = Annotated[
    str | None, typer.Option("--user", help="The only user it opens; else it opens all of them.")
]
OfAgentOption = Annotated[
    str | None, typer.Option("--agent", help="The only agent of that user it opens; else all.")
]
AllowOption = Annotated[
    list[Permission] | None,
    typer.Option("--allow", help="May be given more than once. [default: read, write]"),
]
ExpiresOption = Annotated[
    timedelta | None,
    typer.Option("--expires-in", parser=_duration, metavar="30d", help="Else it never does."),
]
GraceOption = Annotated[
    timedelta | None,
    typer.Option(
        "--grace", parser=_duration, metavar="5m", help="So long the former secret works as well."
    ),
]


@app.command()
def create(
    name: NameArgument,
    user: OfUserOption = None,
    agent: OfAgentOption = None,
    allow: AllowOption = None,
    expires_in: ExpiresOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Make a key and show its secret, this once."""
    if agent is not None and user is None:
        raise typer.BadParameter("the key of an agent needs --user as well")
    issued = call_services(
        url,
        lambda client: client.keys.create(
            name,
            user_id=user,
            agent_id=agent,
            permissions=allow or tuple(EVERYDAY_PERMISSIONS),
            expires_at=None if expires_in is None else system_clock() + expires_in,
        ),
    )
    _print_issued(issued, as_json=as_json)


@app.command("list")
def list_(url: UrlOption = None, *, as_json: JsonOption = False) -> None:
    """Show every key with what it opens and when it was last used; secrets are not kept."""
    found = call_services(url, lambda client: client.keys.list())
    if as_json:
        print_json(found)
        return
    now = system_clock()
    for key in found.keys:
        typer.echo(_line(key, now))
    if not found.keys:
        typer.echo("There are no keys yet. `palimpsest keys create` makes one.")


@app.command()
def revoke(key_id: KeyIdArgument, url: UrlOption = None, *, as_json: JsonOption = False) -> None:
    """Revoke a key for good, and the tokens that it made."""
    revoked = call_services(url, lambda client: client.keys.revoke(key_id))
    if as_json:
        print_json(revoked)
    else:
        typer.echo(_line(revoked, system_clock()))


@app.command()
def rotate(
    key_id: KeyIdArgument,
    grace: GraceOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Give a key another secret and show it, this once."""
    seconds = int(grace.total_seconds()) if grace else 0
    issued = call_services(url, lambda client: client.keys.rotate(key_id, grace_seconds=seconds))
    _print_issued(issued, as_json=as_json)


def _print_issued(issued: IssuedKey, *, as_json: bool) -> None:
    if as_json:
        print_json(issued)
        return
    typer.echo(_line(issued.key, system_clock()))
    typer.echo(issued.secret)
    typer.echo("This secret is shown once: only a hash of it is kept.", err=True)


def _line(key: AccessKey, now: datetime) -> str:
    whose = " ".join(part for part in (key.user_id, key.agent_id) if part)
    allows = ", ".join(permission for permission in Permission if permission in key.permissions)
    opens = f"{key.kind} {whose}".strip()
    return f"{key.id}  [{opens}: {allows}; {_state(key, now)}]  {key.name}"


def _state(key: AccessKey, now: datetime) -> str:
    if key.revoked_at is not None:
        return f"revoked {key.revoked_at:%Y-%m-%d %H:%M} UTC"
    if not key.opens(now):
        return f"expired {key.expires_at:%Y-%m-%d %H:%M} UTC"
    used = f"used {key.last_used_at:%Y-%m-%d %H:%M} UTC" if key.last_used_at else "never used"
    return used if key.expires_at is None else f"{used}, until {key.expires_at:%Y-%m-%d %H:%M} UTC"
