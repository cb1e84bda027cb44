"""`palimpsest reindex`."""

import asyncio
import dataclasses
import json
from contextlib import AsyncExitStack

import typer
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from palimpsest.contracts.recall import Record
from palimpsest.domain.errors import PermanentError
from palimpsest.runtime.settings import Settings, VectorsBackend
from services.embedder.app import reindexing
from services.embedder.reindex import Reindexed
from services.embedder.reindex import reindex as make_again
from services.host.options import AsJson, quiet_settings
from services.host.platform import platform_of, vector_store
from services.host.reaching import alone
from services.host.warming import warming

_NEEDED = ("embedder", "consolidator")


def reindex(*, as_json: AsJson = False) -> None:
    """Make all vectors again from MongoDB, and put them in the place of the old.

    Also the way to another embedding model: set PALIMPSEST_EMBEDDER, then reindex. Stop what
    writes first: what changes meanwhile would be missing. The old vectors serve until the end.
    """
    settings = quiet_settings()
    done = asyncio.run(_reindex(settings))
    if as_json:
        typer.echo(json.dumps(dataclasses.asdict(done), indent=2))
        return
    typer.echo(
        f"{done.memories} memories and {done.turns} turns have new vectors, "
        f"and {done.summaries} summaries of sessions."
    )


async def _reindex(settings: Settings) -> Reindexed:
    if settings.vectors is VectorsBackend.NONE:
        raise PermanentError("There are no vectors here: PALIMPSEST_VECTORS is none.")
    async with AsyncExitStack() as stack:
        reached = await stack.enter_async_context(alone(settings))
        embedder = await stack.enter_async_context(warming(reached, _NEEDED))
        platform = platform_of(reached, _NEEDED, embedder)
        stack.callback(platform.database.close)
        await platform.database.ping()
        await platform.database.ensure_indexes()
        await embedder.start()
        vectors = vector_store(reached, platform.embedder.model, searching=True)
        assert vectors is not None  # noqa: S101 - refused above
        columns = TextColumn("{task.description}"), TextColumn("{task.completed}")
        progress = stack.enter_context(
            Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True))
        )
        tasks = {record: progress.add_task(record.value, total=None) for record in Record}
        return await make_again(
            reindexing(platform),
            vectors,
            platform.embedder,
            progress=lambda record, count: progress.update(tasks[record], completed=count),
        )
