"""`palimpsest rewrap-keys`."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from palimpsest.model.errors import PermanentError
from palimpsest_server.runtime.database import load_master_keys
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.collections import KEYS
from palimpsest_server.stores.encryption.key_rotation import (
    RewrapProgress,
    count_keys,
    rewrap_user_keys,
)
from services.host.command_connections import open_command_database, start_database_if_needed
from services.host.options import JsonOption, load_quiet_settings


def rewrap_keys(
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Wrap every user's key by PALIMPSEST_ENCRYPTION_KEY that an older master key wraps.

    Beside running services, as often as you like: what it did before it was ended is done. Exits
    with 1 where keys are left that no master key here opens.
    """
    settings = load_quiet_settings()
    done = asyncio.run(_rewrap(settings, dry_run=dry_run, shown=not as_json))
    typer.echo(json.dumps(_told(done), indent=2) if as_json else _words(done, dry_run=dry_run))
    raise typer.Exit(int(bool(done.unreadable)))


async def _rewrap(settings: Settings, *, dry_run: bool, shown: bool) -> RewrapProgress:
    masters = load_master_keys(settings)
    if masters is None:
        raise PermanentError("Nothing is encrypted here: there is no PALIMPSEST_ENCRYPTION_KEY.")
    async with (
        start_database_if_needed(settings) as reached,
        open_command_database(reached) as database,
    ):
        keys = database.collection(KEYS)
        async with _shown(await count_keys(keys), shown=shown) as step:
            return await rewrap_user_keys(keys, masters, dry_run=dry_run, step=step)


@asynccontextmanager
async def _shown(total: int, *, shown: bool) -> AsyncIterator[Callable[[RewrapProgress], None]]:
    """Show progress on standard error, beside what is written to standard output."""
    columns = (TextColumn("keys"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not shown) as progress:
        task = progress.add_task("", total=total)
        yield lambda done: progress.update(task, completed=done.seen)


def _told(done: RewrapProgress) -> dict[str, Any]:
    return {
        "current": done.current,
        "rewrapped": done.rewrapped,
        "gone": done.gone,
        "unreadable": dict(done.unreadable),
    }


def _words(done: RewrapProgress, *, dry_run: bool) -> str:
    what = "would be" if dry_run else "are"
    lines = [
        f"{done.rewrapped} keys {what} rewrapped, {done.current} were so already.",
    ]
    if done.gone:
        lines.append(f"{done.gone} were destroyed or rewrapped by others meanwhile.")
    if done.unreadable:
        names = ", ".join(f"{count} by {name}" for name, count in done.unreadable.items())
        lines.append(
            f"{done.unreadable.total()} stay as they are, for no master key here opens them: {names}."
        )
    elif not dry_run:
        lines.append("No key needs PALIMPSEST_ENCRYPTION_OLDER_KEYS any more.")
    return "\n".join(lines)
