"""`palimpsest import`."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from palimpsest_server.runtime.settings import Settings
from services.host.cli import INTERRUPTED_EXIT_CODE
from services.host.imports import import_archive, publish_conversations
from services.host.imports.foreign_messages import ImportTarget
from services.host.imports.import_formats import (
    FOREIGN_READERS,
    ImportFormat,
    guess_format,
    read_conversations,
)
from services.host.imports.import_report import ImportReport
from services.host.imports.instance_addresses import find_instance_addresses
from services.host.imports.json_stream import ImportFile
from services.host.imports.publish_conversations import ConversationImport, ImportedConversation
from services.host.options import JsonOption
from services.host.signals import run_until_signalled

UserOfImportOption = Annotated[
    str | None,
    typer.Option("--user", help="Whose it is; `events` and `locomo` name their users themselves."),
]


@dataclass
class _Import:
    """One import: the file as it is read, and where it goes."""

    file: Path
    written: ImportFormat
    target: ImportTarget | None
    limit: int | None
    report: ImportReport = field(default_factory=ImportReport)

    @property
    def is_archive(self) -> bool:
        return self.written is ImportFormat.ARCHIVE

    def open(self) -> tuple[int, Iterator[ImportedConversation], ImportFile | None]:
        """Return the size of the whole, the conversations, and the file whose bytes tell progress."""
        reader = FOREIGN_READERS.get(self.written)
        if reader is None or self.target is None:
            known = read_conversations(self.file, self.written, self.limit)
            return (
                sum(len(imported_conversation.messages) for imported_conversation in known),
                self._counted(known),
                None,
            )
        file = ImportFile(self.file, members=reader.members)
        found = reader.read(file, self.target, self.report)
        return file.total_bytes(), _first(found, self.limit), file

    def _counted(self, known: Sequence[ImportedConversation]) -> Iterator[ImportedConversation]:
        for imported_conversation in known:
            self.report.taken["conversations"] += 1
            self.report.taken["messages"] += (
                len(imported_conversation.messages) - imported_conversation.parts
            )
            self.report.parts += imported_conversation.parts
            yield imported_conversation


def import_conversations(
    file: Annotated[Path, typer.Argument(help="What is to be imported.")],
    format: Annotated[  # noqa: A002 - the option's name
        ImportFormat | None,
        typer.Option(
            help="How the file is written: `events`, one a line as POST /v1/events takes them;"
            " `archive`, of `palimpsest export`; `messages`, lines of role, content and time;"
            " exports of `chatgpt`, `claude`, `mem0` or `zep`; or `locomo`. Without it `events`"
            " for .jsonl, `archive` for .zip, else `locomo`."
        ),
    ] = None,
    user: UserOfImportOption = None,
    agent: Annotated[str | None, typer.Option(help="As what this agent was told.")] = None,
    project: Annotated[str | None, typer.Option(help="In this project.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many conversations.")] = None,
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only read it, and say what would be taken.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Import conversations and memories, giving way to live traffic.

    Goes to the instance that runs on the data directory of the settings, else
    to the Kafka and the HTTP address of the settings. Importing again changes nothing. A message
    of more than 64 KiB is imported in parts, each of which answers the one before it. What is
    left out is told, with the reason.
    """
    written = format or guess_format(file)
    if user is None and (written in FOREIGN_READERS or written is ImportFormat.ARCHIVE):
        raise typer.BadParameter("say whose it is: --user")
    target = ImportTarget(user_id=user, agent_id=agent, project_id=project) if user else None
    job = _Import(file, written, target, limit)
    imported = _read_only(job) if dry_run else _run(job)
    if imported is None:
        typer.echo(
            "Interrupted: what was published by then is taken in all the same."
            " Import the file again for the rest; nothing happens twice.",
            err=True,
        )
        raise typer.Exit(INTERRUPTED_EXIT_CODE)
    if as_json:
        typer.echo(json.dumps(_figures(job.report, imported, dry_run=dry_run), indent=2))
        return
    for line in _describe(job.report, imported, dry_run=dry_run):
        typer.echo(line)


def _first(
    found: Iterator[ImportedConversation], limit: int | None
) -> Iterator[ImportedConversation]:
    for number, imported_conversation in enumerate(found):
        if limit is not None and number >= limit:
            return
        yield imported_conversation


def _read_only(job: _Import) -> ConversationImport:
    with _bar() as progress:
        task = progress.add_task("reading")
        if job.is_archive and job.target is not None:
            import_archive.count_archive(job.file, job.report)
            return ConversationImport(job.report.taken["messages"], 0.0)
        total, conversations, file = job.open()
        progress.update(task, total=total)
        if file is not None:
            file.progress = lambda more: progress.advance(task, more)
        turns, users = 0, set[str]()
        for imported_conversation in conversations:
            turns += len(imported_conversation.messages)
            users.add(imported_conversation.user_id)
            if file is None:
                progress.advance(task, len(imported_conversation.messages))
    return ConversationImport(turns, 0.0, users=len(users))


def _run(job: _Import) -> ConversationImport | None:
    """Import it; None if a signal ended it."""
    finished: list[ConversationImport] = []
    addresses = find_instance_addresses(Settings())
    with _bar() as progress:
        task = progress.add_task("importing")
        advance: Callable[[int], None] = lambda more: progress.advance(task, more)  # noqa: E731

        async def work() -> None:
            if job.is_archive and job.target is not None:
                done = await import_archive.import_archive(
                    addresses,
                    job.file,
                    job.target.user_id,
                    job.report,
                    started=lambda total: progress.update(task, total=total),
                    progress=advance,
                )
                finished.append(done)
                return
            total, conversations, file = job.open()
            progress.update(task, total=total)
            if file is not None:
                file.progress = advance
            finished.append(
                await publish_conversations.import_conversations(
                    addresses, conversations, progress=_no_progress if file else advance
                )
            )

        run_until_signalled(work())
    return finished[0] if finished else None


def _no_progress(_: int) -> None:
    return None


def _bar() -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn()
    return Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)


def _figures(
    report: ImportReport, imported: ConversationImport, *, dry_run: bool
) -> dict[str, Any]:
    return {
        "dry_run": dry_run,
        "turns": imported.turns,
        "parts": report.parts,
        "users": imported.users,
        "seconds": imported.seconds,
        "taken": dict(report.taken),
        "left_out": {str(reason): count for reason, count in report.left_out.items() if count},
    }


def _describe(
    report: ImportReport, imported: ConversationImport, *, dry_run: bool
) -> Iterator[str]:
    if dry_run:
        yield "Nothing was imported; this is what would be."
    elif imported.turns:
        yield (
            f"Imported {imported.turns} turns of {imported.users} users, "
            f"{'all handled' if imported.unseen else 'all of them recallable'}, "
            f"in {imported.seconds:.1f} s: {imported.turns_per_second:.0f} a second."
        )
        if imported.unseen:
            yield (
                f"Of {imported.unseen} users no recall shows the last message: it was refused or is"
                " off the record, or their memory is switched off."
            )
    yield from report.describe()
