"""`palimpsest import`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from palimpsest_server.runtime.settings import Settings
from services.host.cli import INTERRUPTED_EXIT_CODE
from services.host.imports import publish_conversations
from services.host.imports.import_formats import ImportFormat, guess_format, read_conversations
from services.host.imports.instance_addresses import find_instance_addresses
from services.host.imports.publish_conversations import ConversationImport, ImportedConversation
from services.host.options import JsonOption
from services.host.signals import run_until_signalled


def import_conversations(
    file: Annotated[Path, typer.Argument(help="The conversations.")],
    format: Annotated[  # noqa: A002 - the option's name
        ImportFormat | None,
        typer.Option(
            help="How the file is written: `events`, one a line as POST /v1/events takes them, or"
            " `locomo`. Without it `events` for .jsonl, else `locomo`."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many conversations.")] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Import conversations through Kafka, giving way to live traffic.

    Goes to the instance that runs on the data directory of the settings, else
    to the Kafka and the HTTP address of the settings. Importing again changes nothing. A message
    of more than 64 KiB is imported in parts, each of which answers the one before it.
    """
    conversations = read_conversations(file, format or guess_format(file), limit)
    imported = _import(conversations)
    if imported is None:
        typer.echo(
            "Interrupted: what was published by then is taken in all the same."
            " Import the file again for the rest; nothing happens twice.",
            err=True,
        )
        raise typer.Exit(INTERRUPTED_EXIT_CODE)
    parts = sum(conversation.parts for conversation in conversations)
    if as_json:
        figures = {
            "turns": imported.turns,
            "parts": parts,
            "users": len(conversations),
            "seconds": imported.seconds,
        }
        typer.echo(json.dumps(figures, indent=2))
        return
    typer.echo(
        f"Imported {imported.turns} turns of {len(conversations)} users, all of them recallable, "
        f"in {imported.seconds:.1f} s: {imported.turns_per_second:.0f} a second."
    )
    if parts:
        typer.echo(f"{parts} of the turns are further parts of messages longer than 64 KiB.")


def _import(conversations: Sequence[ImportedConversation]) -> ConversationImport | None:
    """Import them; None if a signal ended it."""
    finished: list[ConversationImport] = []
    turns = sum(len(conversation.messages) for conversation in conversations)
    columns = TextColumn("importing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("importing", total=turns)

        async def work() -> None:
            finished.append(
                await publish_conversations.import_conversations(
                    find_instance_addresses(Settings()),
                    conversations,
                    progress=lambda more: progress.advance(task, more),
                )
            )

        run_until_signalled(work())
    return finished[0] if finished else None
