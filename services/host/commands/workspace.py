"""`palimpsest workspace`: memories as files that people read and edit."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from palimpsest.client import PalimpsestClient
from palimpsest.model.errors import PermanentError
from palimpsest.workspace.describe_report import (
    build_report_fields,
    describe_plan,
    describe_report,
)
from palimpsest.workspace.follow_workspace import WorkspaceFollower, WorkspaceReach
from palimpsest.workspace.place_sync import SyncReport
from palimpsest.workspace.workspace_folder import WorkspaceFolder
from services.host.options import JsonOption, load_quiet_settings
from services.host.service_calls import AgentOption, UrlOption, explain_call_errors, find_address
from services.host.signals import run_until_signalled

FolderArgument = Annotated[
    Path | None, typer.Argument(help="The folder; else PALIMPSEST_WORKSPACE.")
]
OnlyUserOption = Annotated[
    str | None, typer.Option("--user", help="Only this user; left out, all users.")
]
OnceOption = Annotated[bool, typer.Option("--once", help="Do it once and end.")]
PlanOption = Annotated[
    bool, typer.Option("--dry-run", help="Only say what would be sent and written.")
]
ConfirmOption = Annotated[
    bool,
    typer.Option(
        "--confirm-deletions",
        help="What the files say is meant: forget all that is gone from them. With --once.",
    ),
]


def workspace(
    folder: FolderArgument = None,
    user: OnlyUserOption = None,
    agent: AgentOption = None,
    url: UrlOption = None,
    *,
    once: OnceOption = False,
    dry_run: PlanOption = False,
    confirm_deletions: ConfirmOption = False,
    as_json: JsonOption = False,
) -> None:
    """Keep memories as Markdown files that people read and edit, until you press Ctrl-C."""
    settings = load_quiet_settings()
    root = folder or settings.workspace
    if root is None:
        raise PermanentError("Say in which folder: as an argument, or by PALIMPSEST_WORKSPACE.")
    if confirm_deletions and not (once or dry_run):
        raise PermanentError("--confirm-deletions is for one time: give --once as well.")
    if user is None and (agent is not None or once or dry_run):
        raise PermanentError("--agent, --once and --dry-run are of one user: give --user as well.")
    key = settings.api_key.get_secret_value() if settings.api_key else None
    address = url or find_address(settings)
    progress = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)

    async def work() -> None:
        place = WorkspaceFolder(root)
        with nullcontext() if dry_run else place.claim():
            async with PalimpsestClient(http_url=address, api_key=key) as client:
                follower = WorkspaceFollower(
                    client,
                    place,
                    WorkspaceReach(user, agent),
                    report=_choose_report(dry_run=dry_run, as_json=as_json),
                    say=progress.print,
                )
                if user is not None and (once or dry_run):
                    await follower.run_once(user, confirmed=confirm_deletions, dry_run=dry_run)
                    return
                progress.print(f"Looking after {place.root}; Ctrl-C ends it.")
                await follower.run()

    with explain_call_errors(address, key):
        run_until_signalled(work())


def _choose_report(*, dry_run: bool, as_json: bool) -> Callable[[SyncReport], None]:
    describe = describe_plan if dry_run else describe_report

    def report(done: SyncReport) -> None:
        if as_json:
            typer.echo(json.dumps(build_report_fields(done), ensure_ascii=False))
        else:
            for line in describe(done):
                typer.echo(line)

    return report
