"""Import an archive of `palimpsest export`: first what was said, then what is remembered of it.

Messages are marked as understood, so that nothing is extracted from them a second time. Memories keep
their evidence, times and status; the one writer puts them down. Ids follow from the user and the ids in
the archive, so importing again changes nothing.
"""

import asyncio
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from uuid import uuid4

from palimpsest.api.exports import (
    ExportedMemory,
    ExportedQuestion,
    ExportedSummary,
    ExportedTodo,
    ExportedTurn,
    ImportResult,
)
from palimpsest.client import NotFound, PalimpsestClient, Unavailable
from palimpsest.events.conversations import MessageAdded, SessionEnded, SummaryPublished
from palimpsest.events.event_ids import assign_event_id
from palimpsest.model.change_set import change_set_id
from palimpsest.model.errors import TransientError
from palimpsest.model.memory import ImportedMemory
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import Todo
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserSettings
from services.host.exports.archive_format import ArchiveManifest, read_manifest, read_records
from services.host.imports.import_report import ImportReport, LeftOut
from services.host.imports.instance_addresses import InstanceAddresses
from services.host.imports.json_stream import explain_unreadable
from services.host.imports.patient_calls import call_patiently
from services.host.imports.publish_conversations import (
    POLL_SECONDS,
    RECALLABLE_SECONDS,
    ConversationImport,
    ImportedConversation,
    import_conversations,
)

MESSAGES_AT_ONCE = 500
BATCH_MEMORIES = 50
BATCH_BYTES = 256 * 1024
"""Of one command: a topic of Kafka takes no larger record by default than four times that."""

_NOT_COPIED = frozenset({"tier"})


def count_archive(file: Path, report: ImportReport) -> None:
    """Count what an import of the archive would take; every line is read.

    Raises:
        UnreadableImport: the file is no archive, or a line of it is not understood.
    """
    with _open(file) as archive:
        manifest = read_manifest(archive)
        for conversation in _conversations(archive, manifest.user_id, report):
            del conversation
        # What its manifest counts may be another number than what it holds.
        for batch in _batches(archive, report):
            report.taken["memories"] += len(batch)
        report.taken["questions"] += sum(1 for _ in read_records(archive, "question"))
        report.left_out[LeftOut.PROFILE] += sum(1 for _ in read_records(archive, "profile"))


async def import_archive(
    addresses: InstanceAddresses,
    file: Path,
    user_id: str,
    report: ImportReport,
    *,
    started: Callable[[int], None],
    progress: Callable[[int], None],
) -> ConversationImport:
    """Take everything of an archive in that can be, as this user's, and wait until it is there.

    Args:
        addresses: of the instance.
        file: the archive.
        user_id: whose it becomes.
        report: filled with what was taken and what not.
        started: told how many messages and memories there are.
        progress: told how many more of them are done.

    Raises:
        UnreadableImport: the file is no archive, or a line of it is not understood.
        ClientError: the services are not there, or do not let us in.
        TransientError: they no longer answer, or it was not there within five minutes.
    """
    with _open(file) as archive:
        manifest = read_manifest(archive)
        started(manifest.counts.get("turn", 0) + manifest.counts.get("memory", 0))
        report.left_out[LeftOut.PROFILE] += manifest.counts.get("profile", 0)
        async with addresses.over_http() as client:
            await _copy_settings(client, manifest, user_id, report)
        conversations = _conversations(archive, user_id, report)
        imported = await import_conversations(addresses, conversations, progress=progress)
        async with addresses.over_http() as client:
            await _import_memories(client, archive, user_id, report, progress)
            await _keep_questions(client, archive, user_id, report)
    return imported


async def _import_memories(
    client: PalimpsestClient,
    archive: zipfile.ZipFile,
    user_id: str,
    report: ImportReport,
    progress: Callable[[int], None],
) -> None:
    """Import the memories batch by batch, and return when the last one is there."""
    last: ImportResult | None = None
    for batch in _batches(archive, report):
        send = partial(
            client.import_memories,
            batch,
            user_id=user_id,
            # All tries are one command. A new one would call known what a lost answer told of.
            idempotency_key=str(uuid4()),
        )
        last = await call_patiently(send, what=f"{len(batch)} memories")
        taken = len(batch) if last.taken is None else last.taken
        report.taken["memories"] += taken
        report.left_out[LeftOut.KNOWN] += len(batch) - taken
        progress(len(batch))
    if last is not None and not last.result.applied:
        await _wait_for(client, user_id, last.result.command_id)


async def _keep_questions(
    client: PalimpsestClient, archive: zipfile.ZipFile, user_id: str, report: ImportReport
) -> None:
    """Keep the questions of the archive, unless the user keeps them already."""
    for kept in read_records(archive, "question"):
        if isinstance(kept, ExportedQuestion):
            keep = partial(_keep_question, client, kept, user_id)
            if await call_patiently(keep, what="a question"):
                report.taken["questions"] += 1
            else:
                report.left_out[LeftOut.KNOWN] += 1


async def _keep_question(client: PalimpsestClient, kept: ExportedQuestion, user_id: str) -> bool:
    """Keep a question; return False if the user keeps it already."""
    whose = {**kept.scope.model_dump(), "user_id": user_id}
    known = await client.questions.list(**whose)
    asked = {(question.scope, question.query) for question in known.questions}
    if (Scope(**whose), kept.query) in asked:
        return False
    await client.questions.add(kept.query, limit=kept.limit, **whose)
    return True


def _open(file: Path) -> zipfile.ZipFile:
    with explain_unreadable(file):
        return zipfile.ZipFile(file)


async def _copy_settings(
    client: PalimpsestClient, manifest: ArchiveManifest, user_id: str, report: ImportReport
) -> None:
    """Give the user the settings of the archive, unless they have some of their own."""
    exported = manifest.settings.model_dump(exclude_defaults=True, exclude=set(_NOT_COPIED))
    present = await client.settings(user_id)
    if not exported or present.model_copy(update={"tier": None}) != UserSettings():
        report.left_out[LeftOut.SETTINGS] += len(exported)
        return
    settle = partial(client.set_settings, user_id, **exported)
    await call_patiently(settle, what="the settings")
    report.taken["settings"] += len(exported)


def _conversations(
    archive: zipfile.ZipFile, user_id: str, report: ImportReport
) -> Iterator[ImportedConversation]:
    """Yield what was said, session by session in parts, and then the summaries."""
    turns = (
        exported_turn.turn
        for exported_turn in read_records(archive, "turn")
        if isinstance(exported_turn, ExportedTurn)
    )
    for session_id, said in groupby(turns, key=lambda turn: turn.session_id):
        last: Turn | None = None
        for part in _in_parts(said):
            report.taken["messages"] += len(part)
            events = [_as_message(turn, user_id) for turn in part]
            yield ImportedConversation(user_id=user_id, events=events)
            last = part[-1]
        if last is not None:
            report.taken["conversations"] += 1
            ended = SessionEnded(
                user_id=user_id,
                agent_id=last.agent_id,
                project_id=last.project_id,
                session_id=session_id,
                occurred_at=last.occurred_at,
            )
            yield ImportedConversation(user_id=user_id, events=[assign_event_id(ended)])
    for one in read_records(archive, "summary"):
        if isinstance(one, ExportedSummary) and not one.summary.failed:
            report.taken["summaries"] += 1
            published = _as_published(one.summary, user_id)
            yield ImportedConversation(user_id=user_id, events=[published])


def _in_parts(said: Iterator[Turn]) -> Iterator[Sequence[Turn]]:
    part: list[Turn] = []
    for turn in said:
        part.append(turn)
        if len(part) == MESSAGES_AT_ONCE:
            yield part
            part = []
    if part:
        yield part


def _as_message(turn: Turn, user_id: str) -> MessageAdded:
    return assign_event_id(
        MessageAdded(
            user_id=user_id,
            agent_id=turn.agent_id,
            project_id=turn.project_id,
            session_id=turn.session_id,
            message_id=turn.message_id,
            role=turn.role,
            speaker=turn.speaker,
            text=turn.text,
            images=turn.images,
            injected=turn.injected,
            reply_to=turn.reply_to,
            occurred_at=turn.occurred_at,
            utc_offset_minutes=turn.utc_offset_minutes,
            understood=True,
        )
    )


def _as_published(summary: SessionSummary, user_id: str) -> SummaryPublished:
    return assign_event_id(
        SummaryPublished(
            user_id=user_id,
            agent_id=summary.scope.agent_id,
            project_id=summary.scope.project_id,
            session_id=summary.session_id,
            text=summary.text,
            topics=summary.topics,
            user_intent=summary.user_intent,
            emotional_tone=summary.emotional_tone,
            key_facts=summary.key_facts,
            unresolved=summary.unresolved,
            message_count=summary.message_count,
            occurred_at=summary.ended_at,
        )
    )


def _batches(archive: zipfile.ZipFile, report: ImportReport) -> Iterator[Sequence[ImportedMemory]]:
    """Yield memories in as many as fit one command, each with its todo: both stand by id."""
    todos = (
        exported_todo.todo
        for exported_todo in read_records(archive, "todo")
        if isinstance(exported_todo, ExportedTodo)
    )
    todo = next(todos, None)
    batch: list[ImportedMemory] = []
    size = 0
    for one in read_records(archive, "memory"):
        if not isinstance(one, ExportedMemory):
            continue
        report.left_out[LeftOut.HISTORY] += max(0, len(one.history) - 1)
        report.left_out[LeftOut.ACCESSES] += bool(one.accesses.count)
        while todo is not None and todo.id < one.memory.id:
            todo = next(todos, None)
        imported = ImportedMemory(memory=one.memory, todo=_of(one, todo))
        needed = len(imported.model_dump_json())
        if batch and (len(batch) == BATCH_MEMORIES or size + needed > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(imported)
        size += needed
    if batch:
        yield batch


def _of(memory: ExportedMemory, todo: Todo | None) -> Todo | None:
    return todo if todo is not None and todo.id == memory.memory.id else None


async def _wait_for(client: PalimpsestClient, user_id: str, command_id: str) -> None:
    """Return when the change of a command is there, and with it all before it.

    Raises:
        TransientError: it took longer than five minutes.
    """
    try:
        async with asyncio.timeout(RECALLABLE_SECONDS):
            while True:
                try:
                    await client.change(change_set_id(user_id, command_id), user_id=user_id)
                except (NotFound, Unavailable):
                    await asyncio.sleep(POLL_SECONDS)
                else:
                    return
    except TimeoutError:
        raise TransientError(
            f"the memories were not there after {RECALLABLE_SECONDS:.0f} s"
        ) from None
