"""`palimpsest dead-letters list|replay`."""

import asyncio
from typing import Annotated

import typer
from prometheus_client import CollectorRegistry

from palimpsest.api.operations import MAXIMUM_REPLAYED
from palimpsest.model.clock import system_clock
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.delivery.dead_letter_replay import (
    ReplayReport,
    explain_replay_refusal,
    replay_dead_letters,
)
from palimpsest_server.delivery.event_encryption import EventEncryption
from palimpsest_server.runtime.kafka_settings import build_kafka_settings
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.dead_letters import DeadLetter, MongoDeadLetters
from services.host.command_connections import (
    open_command_database,
    require_kafka_settings,
    start_database_if_needed,
)
from services.host.options import JsonOption, load_quiet_settings

app = typer.Typer(
    help="What was set aside: look at it, and have it read again.", no_args_is_help=True
)

_KAFKA_SECONDS = 15.0

StageOption = Annotated[str | None, typer.Option(help="Only of this stage, such as ingest.")]
DeadLetterReasonOption = Annotated[
    str | None, typer.Option(help="Only with this reason, such as invalid_event.")
]
DeadLetterLimitOption = Annotated[
    int, typer.Option(help="At most so many.", min=1, max=MAXIMUM_REPLAYED)
]


@app.command("list")
def list_(
    stage: StageOption = None,
    reason: DeadLetterReasonOption = None,
    limit: DeadLetterLimitOption = 50,
    *,
    as_json: JsonOption = False,
) -> None:
    """List dead letters that wait for a replay, latest first.

    Content is redacted, and only in JSON.
    """
    letters = asyncio.run(_list(load_quiet_settings(), stage, reason, limit))
    if as_json:
        typer.echo("[" + ",\n ".join(letter.model_dump_json() for letter in letters) + "]")
        return
    for letter in letters:
        typer.echo(format_dead_letter(letter))
    if not letters:
        typer.echo("No dead letters.")


def format_dead_letter(letter: DeadLetter) -> str:
    """Format a dead letter with its id alone on a line, so that it can be copied from any terminal."""
    about = [letter.stage, letter.reason, *([letter.event_type] if letter.event_type else [])]
    replayed = explain_replay_refusal(letter)
    return "\n".join(
        [
            letter.id,
            f"    {letter.failed_at:%Y-%m-%d %H:%M:%S}  {', '.join(about)}",
            f"    {letter.message}",
            f"    {f'not to be replayed: {replayed}' if replayed else 'can be replayed'}",
        ]
    )


@app.command()
def replay(
    ids: Annotated[
        list[str] | None, typer.Argument(help="These; otherwise all that match.")
    ] = None,
    stage: StageOption = None,
    reason: DeadLetterReasonOption = None,
    limit: DeadLetterLimitOption = MAXIMUM_REPLAYED,
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Give letters to their topics again, once what was wrong with them was put right.

    Exits with 1 where an id was given that no waiting letter has.
    """
    report = asyncio.run(_replay(load_quiet_settings(), ids, stage, reason, limit, dry_run=dry_run))
    result = report.summarize(ids)
    if as_json:
        typer.echo(result.model_dump_json(indent=2))
        raise typer.Exit(int(bool(result.unknown)))
    typer.echo(f"{len(result.replayed)} {'would be ' if dry_run else ''}replayed")
    for refusal in result.refused:
        typer.echo(f"{refusal.id} is not: {refusal.why}")
    for letter_id in result.unknown:
        typer.echo(f"{letter_id} is not: no letter of this id waits here", err=True)
    raise typer.Exit(int(bool(result.unknown)))


async def _list(
    settings: Settings, stage: str | None, reason: str | None, limit: int
) -> list[DeadLetter]:
    async with (
        start_database_if_needed(settings) as reached,
        open_command_database(reached) as database,
    ):
        store = MongoDeadLetters(database)
        return list(await store.list(stage=stage, reason=reason, limit=limit))


async def _replay(
    settings: Settings,
    ids: list[str] | None,
    stage: str | None,
    reason: str | None,
    limit: int,
    *,
    dry_run: bool,
) -> ReplayReport:
    reached = require_kafka_settings(settings)
    async with open_command_database(reached) as database:
        store = MongoDeadLetters(database)
        bus = Bus(
            "dead-letters",
            settings=build_kafka_settings(reached),
            dead_letters=store,
            registry=CollectorRegistry(),
            clock=system_clock,
            sealing=None if database.sealing is None else EventEncryption(database.sealing),
        )
        try:
            await _reach(bus, reached)
            return await replay_dead_letters(
                store,
                bus.publisher,
                clock=system_clock,
                stage=stage,
                reason=reason,
                ids=ids or None,
                limit=limit,
                dry_run=dry_run,
            )
        finally:
            await bus.stop()


async def _reach(bus: Bus, settings: Settings) -> None:
    try:
        async with asyncio.timeout(_KAFKA_SECONDS):
            await bus.start()
    except TimeoutError:
        raise TransientError(
            f"Kafka at {settings.kafka_bootstrap_servers} does not answer."
        ) from None
