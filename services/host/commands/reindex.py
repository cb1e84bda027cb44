"""`palimpsest reindex`."""

import asyncio
import dataclasses
import json
from contextlib import AsyncExitStack

import typer
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from palimpsest.api.recall import RecordType
from palimpsest.model.errors import PermanentError
from palimpsest_server.runtime.settings import Settings, VectorsBackend
from palimpsest_server.runtime.vector_backends import build_vector_store
from palimpsest_server.stores.migrations.database_version import MongoDatabaseVersion
from services.embedder.app import build_reindex_sources
from services.embedder.reindex import ReindexCounts
from services.embedder.reindex import reindex_vectors as make_again
from services.host.command_connections import start_database_exclusively
from services.host.database_preparation import require_known_version
from services.host.embedder_warmup import warm_up_embedder
from services.host.options import JsonOption, load_quiet_settings
from services.host.platform import build_platform

_NEEDED = ("embedder", "consolidator")


def reindex(*, as_json: JsonOption = False) -> None:
    """Make all vectors again from MongoDB, and put them in the place of the old.

    Also the way to another embedding model: set PALIMPSEST_EMBEDDER, then reindex. Stop what
    writes first: what changes meanwhile would be missing. The old vectors serve until the end.
    """
    settings = load_quiet_settings()
    done = asyncio.run(_reindex(settings))
    if as_json:
        typer.echo(json.dumps(dataclasses.asdict(done), indent=2))
        return
    typer.echo(
        f"{done.memories} memories and {done.turns} turns have new vectors, "
        f"and {done.summaries} summaries of sessions."
    )


async def _reindex(settings: Settings) -> ReindexCounts:
    if settings.vectors is VectorsBackend.NONE:
        raise PermanentError("There are no vectors here: PALIMPSEST_VECTORS is none.")
    async with AsyncExitStack() as stack:
        reached = await stack.enter_async_context(start_database_exclusively(settings))
        embedder = await stack.enter_async_context(warm_up_embedder(reached, _NEEDED))
        platform = build_platform(reached, _NEEDED, embedder)
        stack.callback(platform.database.close)
        await platform.database.ping()
        await require_known_version(platform.database)
        await platform.database.ensure_indexes()
        await embedder.start()
        vectors = build_vector_store(
            reached, platform.embedder.model, platform.database, searching=True
        )
        assert vectors is not None  # noqa: S101 - refused above
        columns = TextColumn("{task.description}"), TextColumn("{task.completed}")
        progress = stack.enter_context(
            Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True))
        )
        tasks = {record: progress.add_task(record.value, total=None) for record in RecordType}
        done = await make_again(
            build_reindex_sources(platform),
            vectors,
            platform.embedder,
            progress=lambda record, count: progress.update(tasks[record], completed=count),
        )
        await MongoDatabaseVersion(platform.database).note_vectors(reached.vectors.value)
        return done
