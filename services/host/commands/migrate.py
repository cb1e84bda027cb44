"""`palimpsest migrate`."""

import asyncio
import dataclasses
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from palimpsest.model.clock import system_clock
from palimpsest_server.runtime.database import open_database
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.runtime.unknown_settings import describe_unknown_settings
from palimpsest_server.stores.collections import SET_ASIDE
from palimpsest_server.stores.migrations.database_version import MongoDatabaseVersion
from palimpsest_server.stores.migrations.migrate_database import (
    MigrationProgress,
    MigrationReport,
    StepReport,
    migrate_database,
    plan_migration,
)
from palimpsest_server.stores.migrations.steps import NEWEST_VERSION, STEPS
from services.host.command_connections import start_database_exclusively, start_database_if_needed
from services.host.database_preparation import (
    build_migration_context,
    name_lease_owner,
    name_program,
    verify_written_layout,
)
from services.host.options import JsonOption, load_quiet_settings


def migrate(
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be.")] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Only say which version the database is at.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Bring the documents and indexes of the database to the version of this program.

    Stop every service first, and make a backup. Ended in the middle, it goes on from there when it is
    called again; two at once never work. With --status it exits with 1 if the version is another.
    """
    settings = load_quiet_settings()
    if status:
        told = asyncio.run(_status(settings))
        typer.echo(json.dumps(told, indent=2) if as_json else _status_words(told))
        raise typer.Exit(int(told["version"] != told["newest"]))
    report = asyncio.run(_migrate(settings, dry_run=dry_run, shown=not as_json))
    told = {**dataclasses.asdict(report), "settings": list(describe_unknown_settings())}
    typer.echo(json.dumps(told, indent=2) if as_json else _words(report, dry_run=dry_run))


async def _migrate(settings: Settings, *, dry_run: bool, shown: bool) -> MigrationReport:
    open_servers = start_database_if_needed if dry_run else start_database_exclusively
    async with open_servers(settings) as reached:
        database = open_database(reached)
        try:
            await database.ping()
            await database.ensure_keys()
            await verify_written_layout(database, reached)
            context = build_migration_context(database, reached, system_clock)
            with _progress(shown=shown) as progress:
                if dry_run:
                    return await plan_migration(context, progress=progress)
                return await migrate_database(
                    context,
                    owner=name_lease_owner(reached),
                    program=name_program(),
                    progress=progress,
                )
        finally:
            database.close()


async def _status(settings: Settings) -> dict[str, Any]:
    async with start_database_if_needed(settings) as reached:
        database = open_database(reached)
        try:
            await database.ping()
            found, empty = await MongoDatabaseVersion(database).read_or_empty()
            version = NEWEST_VERSION if empty else found.version if found else 0
            return {
                "version": version,
                "newest": NEWEST_VERSION,
                "empty": empty,
                "applied": [step.model_dump(mode="json") for step in found.applied]
                if found
                else [],
                "pending": [{"step": step.number, "words": step.words} for step in STEPS[version:]],
                "migrating": found is not None and found.lease is not None,
                "set_aside": await database.raw(SET_ASIDE.name).count_documents({}),
                "settings": list(describe_unknown_settings()),
            }
        finally:
            database.close()


@contextmanager
def _progress(*, shown: bool) -> Iterator[MigrationProgress]:
    """Show a bar for each step on standard error, beside what is written to standard output."""
    columns = (
        *(TextColumn("step {task.fields[number]}"), BarColumn(), MofNCompleteColumn()),
        *(TimeElapsedColumn(), TextColumn("{task.description}")),
    )
    with Progress(*columns, console=Console(stderr=True), disable=not shown) as bars:
        tasks: dict[int, Any] = {}

        def tell(step: StepReport) -> None:
            if step.number not in tasks:
                tasks[step.number] = bars.add_task(step.words, total=step.total, number=step.number)
            # Counted beforehand, roughly: more may have come since.
            total = max(step.total, step.seen)
            bars.update(tasks[step.number], completed=step.seen, total=total)

        yield tell


def _words(report: MigrationReport, *, dry_run: bool) -> str:
    would = "would be" if dry_run else "were"
    lines = [
        f"step {step.number}: {step.changed} of {step.seen} documents {would} changed ({step.words})"
        for step in report.steps
    ]
    for index in report.indexes:
        names = ", ".join((*index.changed, *index.missing, *index.retired))
        lines.append(f"{index.collection}: the indexes {names} {would} built anew or dropped")
    lines += describe_unknown_settings()
    if dry_run:
        return "\n".join(
            (*lines, f"The database is at version {report.found} of {NEWEST_VERSION}.")
        )
    return "\n".join((*lines, f"The database is at version {report.version}, the newest."))


def _status_words(told: dict[str, Any]) -> str:
    if told["empty"]:
        return f"The database is empty: it will begin at version {told['newest']}."
    lines = [f"The database is at version {told['version']} of {told['newest']}."]
    lines += [
        f"step {each['step']} was done at {each['at']} by {each['program']}"
        for each in told["applied"]
    ]
    lines += [f"step {each['step']} is to be done: {each['words']}" for each in told["pending"]]
    if told["version"] > told["newest"]:
        lines.append("A newer program has written it: this one does not work on it.")
    if told["migrating"]:
        lines.append("A process migrates it, or was ended while it did.")
    if told["set_aside"]:
        lines.append(f"{told['set_aside']} documents are set aside, for ninety days each.")
    return "\n".join((*lines, *told["settings"]))
