"""`palimpsest profile`: what is known of a user in a few paragraphs."""

from typing import Annotated

import typer

from palimpsest.model.profile import Profile
from palimpsest.model.user import Language
from services.host.options import JsonOption
from services.host.service_calls import (
    AgentOption,
    UrlOption,
    UserOption,
    call_services,
    print_json,
)

ProfileLanguageOption = Annotated[
    Language | None,
    typer.Option(help="Of the words for knowing nothing yet; else the user's own."),
]
ProfileVersionsOption = Annotated[
    int | None, typer.Option(min=1, max=100, help="So many versions, the latest first.")
]


def profile(
    user: UserOption,
    agent: AgentOption = None,
    language: ProfileLanguageOption = None,
    versions: ProfileVersionsOption = None,
    url: UrlOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Show a user's profile in a few paragraphs, as it stands or as it stood before."""
    if versions is None:
        found = call_services(
            url, lambda client: client.profile(user, agent_id=agent, language=language)
        )
        if as_json:
            print_json(found)
        else:
            typer.echo(_written(found))
        return
    history = call_services(
        url, lambda client: client.profile_versions(user, agent_id=agent, limit=versions)
    )
    if as_json:
        print_json(history)
        return
    typer.echo("\n\n".join(map(_written, history.versions)) or "There is no version of it yet.")


def _written(found: Profile) -> str:
    if found.version == 0:
        return found.narrative
    basic = ", ".join(f"{name}: {value}" for name, value in found.basic_info.items())
    made = f"version {found.version}, {found.made_at:%Y-%m-%d %H:%M} UTC, by {found.made_by}"
    return "\n".join([made, *([basic] if basic else []), found.narrative])
