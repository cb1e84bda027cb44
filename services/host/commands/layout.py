"""`palimpsest layout`."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from qdrant_client import AsyncQdrantClient
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from palimpsest.model.errors import PermanentError
from palimpsest.model.scope import Layout, Namespace
from palimpsest_server.runtime.configured_models import build_embedder
from palimpsest_server.runtime.settings import Settings, VectorsBackend
from palimpsest_server.runtime.vector_backends import build_qdrant_client, build_vector_layouts
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.vector_layouts import MongoVectorLayouts, RecordedLayout
from palimpsest_server.stores.namespaces import MongoNamespaces
from palimpsest_server.stores.qdrant.collections import QdrantCollections
from palimpsest_server.stores.qdrant.moves import NamespaceMover
from palimpsest_server.stores.qdrant.namespace_sizes import count_pooled_points
from palimpsest_server.stores.qdrant.vectors import QdrantVectorStore
from palimpsest_server.stores.vector_layouts import DEFAULT_TIMES
from services.host.command_connections import find_running_settings, open_command_database
from services.host.options import JsonOption, load_quiet_settings
from services.host.wrapped_tables import build_wrapped_table

NAMESPACES_PER_MOVE = 256
"""Namespaces moved together: the waits between steps are the same for many as for one."""

app = typer.Typer(help="Say where the vectors of users and agents are on Qdrant, and move them.")

DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Only say what would be moved.")]


@app.command()
def show(*, as_json: JsonOption = False) -> None:
    """Say who has a collection of their own, and who is on the way."""
    settings = load_quiet_settings()
    records = asyncio.run(_recorded(settings))
    own = [record for record in records if record.slot is not None]
    if as_json:
        found = {
            "default": settings.layout.value,
            "maximum": settings.qdrant_maximum_collections,
            "namespaces": [_told(record) for record in records],
        }
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    table = build_wrapped_table("user", "agent", "collection", "under way")
    for record in own:
        told = _told(record)
        table.add_row(
            told["user_id"] or "", told["agent_id"] or "", record.physical_name, told["under_way"]
        )
    Console().print(table if own else "All share the pooled collection.")
    typer.echo(
        f"{len(own)} of at most {settings.qdrant_maximum_collections} have a collection of their own."
    )


@app.command()
def move(
    *,
    to: Annotated[Layout, typer.Option(help="Where to.")],
    user: Annotated[str | None, typer.Option(help="This user's.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only with this agent.")] = None,
    everybody: Annotated[bool, typer.Option("--everybody", help="All there are.")] = False,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Move vectors to collections of their own, or to the pooled one, beside running services.

    Nothing is missing or found twice meanwhile. If it is ended on the way, `finish` goes on.
    """
    if (user is None) is not everybody:
        raise typer.BadParameter("name a user, or say --everybody")
    settings = load_quiet_settings()

    async def chosen(server: "_Server") -> list[str]:
        return await server.find_namespaces(user, agent, leaving=to)

    _report(
        asyncio.run(_move(settings, chosen, to, dry_run=dry_run, shown=not as_json)),
        as_json=as_json,
    )


@app.command()
def promote(
    *,
    heaviest: Annotated[int, typer.Option(min=1, help="So many that have most in the pooled one.")],
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Give those who have most a collection of their own, beside running services."""
    settings = load_quiet_settings()

    async def chosen(server: "_Server") -> list[str]:
        sizes = await count_pooled_points(server.client, server.collections, limit=heaviest)
        return list(sizes)

    done = _move(settings, chosen, Layout.PER_AGENT, dry_run=dry_run, shown=not as_json)
    _report(asyncio.run(done), as_json=as_json)


@app.command()
def finish(*, dry_run: DryRunOption = False, as_json: JsonOption = False) -> None:
    """Finish moves that were ended on the way."""
    settings = load_quiet_settings()

    async def none_more(_: "_Server") -> list[str]:
        return []

    done = _move(settings, none_more, settings.layout, dry_run=dry_run, shown=not as_json)
    _report(asyncio.run(done), as_json=as_json)


@dataclass(frozen=True)
class _Server:
    """A Qdrant server, and the record of namespaces on it."""

    client: AsyncQdrantClient
    collections: QdrantCollections
    layouts: MongoVectorLayouts
    registry: MongoNamespaces

    async def find_namespaces(
        self, user: str | None, agent: str | None, *, leaving: Layout
    ) -> list[str]:
        """Find namespaces, of one user or of all, that are not in this layout."""
        records = {record.physical_name: record for record in await self.layouts.recorded()}
        known = {
            namespace.physical_name: namespace.namespace
            for namespace in await self.registry.everything()
        }
        known |= {
            name: layout.namespace
            for name, layout in records.items()
            if layout.namespace is not None
        }
        if user is not None:
            named = Namespace(user_id=user, agent_id=agent)
            known = {named.physical_name: named} | ({} if agent else known)
        return sorted(
            name
            for name, namespace in known.items()
            if user in (None, namespace.user_id)
            and (records[name].where.layout if name in records else self.layouts.default)
            is not leaving
        )


@dataclass(frozen=True)
class _Moved:
    names: Sequence[str]
    to: Layout
    finished: Sequence[str]
    dry_run: bool


async def _move(
    settings: Settings, choose: Any, target: Layout, *, dry_run: bool, shown: bool
) -> _Moved:
    async with _open(settings) as server:
        records = await server.layouts.recorded()
        unfinished = {
            layout: [
                recorded_layout.physical_name
                for recorded_layout in records
                if _destination(recorded_layout) is layout
            ]
            for layout in Layout
        }
        begun = [name for names in unfinished.values() for name in names]
        names = [name for name in await choose(server) if name not in begun]
        done = _Moved(names, target, begun, dry_run)
        if dry_run:
            return done
        for name in names:
            await server.layouts.record(name)
        plan = [*unfinished.items(), (target, names)]
        await _carry_out(server, plan, len(begun) + len(names), shown=shown)
        return done


async def _carry_out(
    server: _Server, plan: Sequence[tuple[Layout, Sequence[str]]], total: int, *, shown: bool
) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(stderr=True), disable=not shown
    ) as progress:
        task = progress.add_task("moved", total=total)

        async def wait() -> None:
            progress.update(task, description="waiting for all processes to know")
            await asyncio.sleep(DEFAULT_TIMES.grace)
            progress.update(task, description="moving")

        def step(_name: str, done: str) -> None:
            progress.update(task, advance=int(done == "moved"))

        mover = NamespaceMover(server.client, server.collections, server.layouts, wait=wait)
        for target, names in plan:
            for start in range(0, len(names), NAMESPACES_PER_MOVE):
                part = names[start : start + NAMESPACES_PER_MOVE]
                await mover.move(part, target, progress=step)


@asynccontextmanager
async def _open(settings: Settings) -> AsyncIterator[_Server]:
    reached = find_running_settings(settings)
    if reached is None or reached.vectors is not VectorsBackend.QDRANT:
        raise PermanentError("There is no Qdrant server here: all vectors are in one place.")
    async with open_command_database(reached) as database:
        await database.ensure_indexes()
        model = build_embedder(reached).model
        layouts = build_vector_layouts(reached, database)
        client = build_qdrant_client(reached)
        store = QdrantVectorStore(client, model, layouts=layouts)
        try:
            await store.open()
            registry = MongoNamespaces(database, layout=reached.layout, model=model.slug)
            yield _Server(client, store.collections, layouts, registry)
        finally:
            await store.close()


async def _recorded(settings: Settings) -> list[RecordedLayout]:
    reached = find_running_settings(settings)
    if reached is None:
        return []
    async with open_command_database(reached) as database:
        return await _read_records(reached, database)


async def _read_records(settings: Settings, database: MongoDatabase) -> list[RecordedLayout]:
    return await build_vector_layouts(settings, database).recorded()


def _destination(record: RecordedLayout) -> Layout | None:
    """Return where an unfinished move leads; None for a namespace at rest."""
    if len(record.where.held) == 1:
        return None
    return record.where.moving_to or record.where.layout


def _told(record: RecordedLayout) -> dict[str, Any]:
    where, namespace = record.where, record.namespace
    if where.moving_to is not None:
        under_way = f"to {where.moving_to.value}"
    else:
        under_way = "" if where.leaving is None else f"leaves {where.leaving.value}"
    return {
        "name": record.physical_name,
        "user_id": None if namespace is None else namespace.user_id,
        "agent_id": None if namespace is None else namespace.agent_id,
        "layout": where.layout.value,
        "under_way": under_way,
    }


def _report(done: _Moved, *, as_json: bool) -> None:
    if as_json:
        told = {"to": done.to.value, "moved": list(done.names), "finished": list(done.finished)}
        typer.echo(json.dumps({**told, "dry_run": done.dry_run}, ensure_ascii=False, indent=2))
        return
    would = "would be" if done.dry_run else "are"
    for name in done.names:
        typer.echo(name)
    typer.echo(f"{len(done.names)} {would} moved to {done.to.value}.")
    if done.finished:
        typer.echo(f"{len(done.finished)} that were on their way {would} moved as well.")
