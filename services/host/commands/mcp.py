"""`palimpsest mcp`: the memories of one user as tools, for an agent that starts this command."""

import asyncio
import json
import shutil
import sys
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from palimpsest.client import PalimpsestClient
from palimpsest.client.request_validation import encode_path_id
from palimpsest.model.errors import PermanentError
from palimpsest.model.scope import Scope
from services.host.options import load_quiet_settings
from services.host.service_calls import (
    AgentOption,
    ProjectOption,
    UrlOption,
    UserOption,
    build_scope_fields,
    find_address,
)


class AgentProgram(StrEnum):
    """Programs whose configuration can be printed."""

    CLAUDE_DESKTOP = "claude-desktop"
    CLAUDE_CODE = "claude-code"
    CURSOR = "cursor"


KEY_PLACES = {
    AgentProgram.CLAUDE_DESKTOP: "YOUR_KEY",
    AgentProgram.CLAUDE_CODE: "${PALIMPSEST_API_KEY}",
    AgentProgram.CURSOR: "${env:PALIMPSEST_API_KEY}",
}
"""How each program names a key of the environment; Claude Desktop reads none."""


HttpOption = Annotated[
    bool,
    typer.Option("--http", help="In it, name the address of the services: nothing is started."),
]


def mcp(
    user: UserOption,
    agent: AgentOption = None,
    project: ProjectOption = None,
    url: UrlOption = None,
    instructions: Annotated[
        str,
        typer.Option(
            envvar="PALIMPSEST_MCP_INSTRUCTIONS", help="Your own words to the model, after ours."
        ),
    ] = "",
    print_config: Annotated[
        AgentProgram | None,
        typer.Option("--print-config", help="Print the JSON for this program instead."),
    ] = None,
    http: HttpOption = False,  # noqa: FBT002 - as a command line has it
) -> None:
    """Serve memories as MCP tools over stdin and stdout; the key is PALIMPSEST_API_KEY."""
    if find_spec("mcp") is None:
        raise PermanentError("`palimpsest mcp` needs the extra mcp: uv sync --extra mcp")
    settings = load_quiet_settings()
    key = settings.api_key.get_secret_value() if settings.api_key else None
    address = url or find_address(settings)
    whose = build_scope_fields(user, agent, project)
    if print_config is None:
        asyncio.run(_serve(address, key, Scope(**whose), instructions))
        return
    if http:
        entry = _build_http_entry(print_config, address, Scope(**whose), with_key=key is not None)
        _print(entry)
        return
    arguments = ["mcp", "--url", address]
    for option, value in (
        ("--user", user),
        ("--agent", agent),
        ("--project", project),
        ("--instructions", instructions),
    ):
        arguments += [option, value] if value else []
    entry = _build_entry(print_config, arguments, with_key=key is not None)
    _print(entry)


def _print(entry: dict[str, Any]) -> None:
    written = {"mcpServers": {"palimpsest": entry}}
    typer.echo(json.dumps(written, indent=2, ensure_ascii=False))


def _build_http_entry(
    program: AgentProgram, address: str, scope: Scope, *, with_key: bool
) -> dict[str, Any]:
    if program is AgentProgram.CLAUDE_DESKTOP:
        raise typer.BadParameter("Claude Desktop reads no addresses in this file: leave --http out")
    if scope.project_id is not None:
        raise typer.BadParameter("an address names a user and an agent: leave --project out")
    whose = [encode_path_id(each) for each in (scope.user_id, scope.agent_id) if each]
    entry: dict[str, Any] = {"type": "http", "url": "/".join([f"{address}/mcp", *whose])}
    if with_key:
        entry["headers"] = {"Authorization": f"Bearer {KEY_PLACES[program]}"}
    return entry


def _build_entry(program: AgentProgram, arguments: list[str], *, with_key: bool) -> dict[str, Any]:
    beside = Path(sys.executable).parent
    command = shutil.which("palimpsest", path=str(beside)) or "palimpsest"
    entry: dict[str, Any] = {"command": command, "args": arguments}
    if program is not AgentProgram.CLAUDE_DESKTOP:
        entry = {"type": "stdio", **entry}
    if with_key:
        entry["env"] = {"PALIMPSEST_API_KEY": KEY_PLACES[program]}
    return entry


async def _serve(address: str, key: str | None, scope: Scope, instructions: str) -> None:
    from palimpsest.mcp.memory_tools import build_memory_server  # noqa: PLC0415 - an extra

    async with PalimpsestClient(http_url=address, api_key=key) as client:
        await build_memory_server(client, scope, instructions=instructions).run_stdio_async()
