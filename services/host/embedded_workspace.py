"""The workspace of embedded mode: files of all users, beside the services in one process."""

import asyncio
from functools import partial
from pathlib import Path
from typing import NoReturn

from palimpsest.client import PalimpsestClient
from palimpsest.client.errors import ClientError
from palimpsest.model.errors import PermanentError
from palimpsest.workspace.describe_report import describe_report
from palimpsest.workspace.follow_workspace import WorkspaceFollower, WorkspaceReach
from palimpsest.workspace.place_sync import SyncReport
from palimpsest.workspace.workspace_folder import WorkspaceFolder
from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.runtime.settings import Settings
from services.host.service_lifecycle import Say

RETRY_SECONDS = 30.0
"""Time after which a folder that could not be used is tried again."""


def start_workspace(tasks: Supervisor, settings: Settings, http_url: str, say: Say) -> None:
    """Start to look after the folder of the settings, if they name one."""
    root = settings.workspace
    if root is None:
        return
    say(f"memories stand in files below {root}")
    key = settings.api_key.get_secret_value() if settings.api_key else None
    tasks.start("files of memories", partial(follow_embedded_workspace, root, http_url, key, say))


async def follow_embedded_workspace(
    root: Path, http_url: str, key: str | None, say: Say
) -> NoReturn:
    """Keep files and memories in the same state, until cancelled.

    A folder that cannot be used is said and tried again: the services go on without it.
    """
    folder = WorkspaceFolder(root)

    def report(done: SyncReport) -> None:
        for line in describe_report(done):
            say(line)

    while True:
        try:
            with folder.claim():
                async with PalimpsestClient(http_url=http_url, api_key=key) as client:
                    follower = WorkspaceFollower(
                        client,
                        folder,
                        WorkspaceReach(),
                        report=report,
                        say=say,
                    )
                    await follower.run()
        except (OSError, ClientError, PermanentError) as error:
            say(f"the workspace {root} is tried again later: {error}")
        await asyncio.sleep(RETRY_SECONDS)
