"""`palimpsest dead-letters list|replay`."""

import asyncio
import json
from typing import Annotated

import typer
from prometheus_client import CollectorRegistry

from palimpsest.delivery.bus import Bus
from palimpsest.delivery.replay import MAXIMUM_LETTERS, ReplayReport, replay_dead_letters, why_not
from palimpsest.delivery.sealing import EventSealing
from palimpsest.domain.clock import system_clock
from palimpsest.domain.errors import TransientError
from palimpsest.runtime.kafka_settings import kafka_settings
from palimpsest.runtime.settings import Settings
from palimpsest.stores.dead_letters import DeadLetter, MongoDeadLetters
from services.host.options import AsJson, quiet_settings
from services.host.reaching import opened, with_database, with_kafka

app = typer.Typer(
    help="What was set aside: look at it, and have it read again.", no_args_is_help=True
)

_KAFKA_SECONDS = 15.0

Stage = Annotated[str | None, typer.Option(help="Only of this stage, such as ingest.")]
Reason = Annotated[str | None, typer.Option(help="Only with this reason, such as invalid_event.")]
Limit = Annotated[int, typer.Option(help="At most so many.", min=1, max=MAXIMUM_LETTERS)]


@app.command("list")
def list_(
    stage: Stage = None,
    reason: Reason = None,
    limit: Limit = 50,
    *,
    as_json: AsJson = False,
) -> None:
    """Those that wait for somebody, the latest first. Content is redacted, and only in JSON."""
    letters = asyncio.run(_list(quiet_settings(), stage, reason, limit))
    if as_json:
        typer.echo("[" + ",\n ".join(letter.model_dump_json() for letter in letters) + "]")
        return
    for letter in letters:
        typer.echo(told(letter))
    if not letters:
        typer.echo("No dead letters.")


def told(letter: DeadLetter) -> str:
    """Its id on a line that nothing is put into, so that it can be copied from the narrowest terminal."""
    about = [letter.stage, letter.reason, *([letter.event_type] if letter.event_type else [])]
    replayed = why_not(letter)
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
    stage: Stage = None,
    reason: Reason = None,
    limit: Limit = MAXIMUM_LETTERS,
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be.")] = False,
    as_json: AsJson = False,
) -> None:
    """Give letters to their topics again, once what was wrong with them was put right.

    Exits with 1 where an id was given that no waiting letter has.
    """
    report = asyncio.run(_replay(quiet_settings(), ids, stage, reason, limit, dry_run=dry_run))
    unknown = _unknown(ids or [], report)
    if as_json:
        told = {**_reported(report), "unknown": unknown}
        typer.echo(json.dumps(told, ensure_ascii=False, indent=2))
        raise typer.Exit(int(bool(unknown)))
    typer.echo(f"{len(report.replayed)} {'would be ' if dry_run else ''}replayed")
    for refusal in report.refused:
        typer.echo(f"{refusal.letter.id} is not: {refusal.why}")
    for each in unknown:
        typer.echo(f"{each} is not: no letter of this id waits here", err=True)
    raise typer.Exit(int(bool(unknown)))


def _unknown(ids: list[str], report: ReplayReport) -> list[str]:
    met = {letter.id for letter in report.replayed} | {one.letter.id for one in report.refused}
    return [each for each in ids if each not in met]


def _reported(report: ReplayReport) -> dict[str, object]:
    return {
        "replayed": [letter.id for letter in report.replayed],
        "refused": [{"id": each.letter.id, "why": each.why} for each in report.refused],
    }


async def _list(
    settings: Settings, stage: str | None, reason: str | None, limit: int
) -> list[DeadLetter]:
    async with with_database(settings) as reached, opened(reached) as database:
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
    reached = with_kafka(settings)
    async with opened(reached) as database:
        store = MongoDeadLetters(database)
        bus = Bus(
            "dead-letters",
            settings=kafka_settings(reached),
            dead_letters=store,
            registry=CollectorRegistry(),
            clock=system_clock,
            sealing=None if database.sealing is None else EventSealing(database.sealing),
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
