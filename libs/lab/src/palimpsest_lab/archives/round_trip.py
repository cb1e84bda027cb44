"""`bench archive`: a user is exported, imported as another one, and both are asked the same."""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from palimpsest.api.recall import RecordType
from palimpsest.client import PalimpsestClient
from palimpsest.events.conversations import MessageAdded, SessionEnded
from palimpsest.events.envelope import Event
from palimpsest.model.errors import TransientError
from palimpsest.model.turn import Role
from palimpsest_lab.archives.archive_stages import (
    measure_export,
    measure_export_floor,
    measure_import,
)
from palimpsest_lab.datasets.invented_texts import generate_statements
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.speed.latency_memories import (
    FILL_SECONDS,
    SEED,
    fill_instance,
    wait_until_memories_recalled,
)
from services.host.imports.import_report import ImportReport
from services.host.imports.publish_conversations import ImportedConversation, import_conversations

Answered: TypeAlias = Sequence[tuple[float, RecordType, str]]
"""The records of an answer with their scores and words, best first."""

SCORE_DIGITS = 6
TOLERANCE = 2e-3

BEFORE, AFTER = "user-0", "imported"
TARGET_SECONDS = 20.0
MESSAGES_IN_A_SESSION = 20
QUIET_SECONDS = 10.0
POLL_SECONDS = 0.5
DEFINITION = (
    "one user of invented memories and conversations, `palimpsest export` to a zip file, and its import"
    " as another user, who is exported too; processor time is that of all processes, and the floor of an"
    " export is a read of the same memories and change sets as the database has them; every question is"
    " asked of both, and is the same if both are answered the same records with the same scores and words"
    " in the same order, but for those of equal scores"
)


async def run_benchmark(
    *, memories: int, messages: int, questions: int, embedder: str | None
) -> BenchmarkReport:
    """Fill, export, import and ask, on a Palimpsest of its own."""
    async with run_embedded_instance(embedder) as subject:
        await fill_instance(subject, memories, 1)
        await import_conversations(subject, _conversations(messages), progress=lambda _: None)
        await _wait_until_quiet(subject)
        report = ImportReport()
        with TemporaryDirectory(prefix="palimpsest-bench-") as folder:
            file = Path(folder) / "archive.zip"
            exported = await measure_export(subject, BEFORE, file)
            floor = await measure_export_floor(subject, BEFORE)
            size = file.stat().st_size
            imported = await measure_import(subject, file, AFTER, memories + messages, report)
            last = list(islice(generate_statements(SEED), memories))[-1]
            await wait_until_memories_recalled(subject, [(AFTER, last.text)])
            # Change sets of an import hold many memories each, other than those of its original.
            again = await measure_export(subject, AFTER, Path(folder) / "again.zip")
            again_floor = await measure_export_floor(subject, AFTER)
        same, different = await _compare(subject, memories, questions)
    rows = [stage.describe() for stage in (exported, floor, imported, again, again_floor)]
    slowest = max(exported.seconds, again.seconds)
    figures: dict[str, Any] = {
        "memories": memories,
        "messages": messages,
        "questions": questions,
        "same": same,
        "different": different,
        "stages": rows,
        "archive_bytes": size,
        "taken": dict(report.taken),
        "left_out": {str(reason): count for reason, count in report.left_out.items() if count},
        "holds": same == questions and slowest <= TARGET_SECONDS,
        "definition": DEFINITION,
    }
    answered = f"{same} of {questions} questions are answered the same."
    return BenchmarkReport(
        title=f"Export of {memories:,} memories, its import as another user, and the same questions",
        rows=rows,
        figures=figures,
        remark="\n".join([answered, *different[:5]]),
    )


def _conversations(messages: int) -> list[ImportedConversation]:
    said = [statement.text for statement in islice(generate_statements(SEED + 1), messages)]
    began = datetime.now(UTC) - timedelta(days=30)
    found = []
    for number, start in enumerate(range(0, messages, MESSAGES_IN_A_SESSION)):
        at = began + timedelta(hours=number)
        whose = {"user_id": BEFORE, "session_id": f"session-{number}"}
        events: list[Event] = [
            MessageAdded(
                **whose,
                message_id=str(place),
                role=Role.USER if place % 2 == 0 else Role.AGENT,
                text=text,
                occurred_at=at + timedelta(minutes=place),
            )
            for place, text in enumerate(said[start : start + MESSAGES_IN_A_SESSION])
        ]
        events.append(SessionEnded(**whose, occurred_at=at + timedelta(minutes=59)))
        found.append(ImportedConversation(user_id=BEFORE, events=events))
    return found


async def _wait_until_quiet(subject: MeasuredInstance) -> None:
    """Return when nothing has changed for some seconds: what was said is understood by then.

    Raises:
        TransientError: it went on for a quarter of an hour.
    """
    before, since = -1, time.perf_counter()
    try:
        async with asyncio.timeout(FILL_SECONDS), subject.over_http() as client:
            while time.perf_counter() - since < QUIET_SECONDS:
                latest = (await client.changes(user_id=BEFORE, limit=1)).changes
                if latest and latest[0].revision != before:
                    before, since = latest[0].revision, time.perf_counter()
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise TransientError("it has not become quiet") from None


async def _compare(
    subject: MeasuredInstance, memories: int, questions: int
) -> tuple[int, list[str]]:
    """Return how many questions are answered the same, and those that are not."""
    step = max(1, memories // questions)
    said = list(islice(generate_statements(SEED), memories))[::step][:questions]
    different = []
    with show_progress("asking", questions) as progress:
        async with subject.over_http() as client:
            for statement in said:
                before, after = [
                    await _ask(client, each, statement.question) for each in (BEFORE, AFTER)
                ]
                if not is_same_answer(before, after):
                    different.append(f"{statement.question} {_describe(before, after)}")
                progress(1)
    return len(said) - len(different), different


def is_same_answer(before: Answered, after: Answered) -> bool:
    """Return whether two answers hold the same records at the same scores.

    Scores may differ by `TOLERANCE`: they fall a little with every second, and how rare a word is depends
    on earlier versions too, which an archive leaves out. Records within it stand by their ids, which an
    import changes: they may change places, and at the end of a full answer one may be cut off for another.
    """
    if len(before) != len(after):
        return False
    if any(abs(one[0] - other[0]) > TOLERANCE for one, other in zip(before, after, strict=True)):
        return False
    found = {(record, text): score for score, record, text in after}
    last = min((score for score, _, _ in before), default=0.0)
    return all(
        abs(score - found.get((record, text), last)) <= TOLERANCE for score, record, text in before
    )


def _describe(before: Answered, after: Answered) -> str:
    """Name the records in which two answers differ."""
    lost = [one for one in before if one not in after]
    return f"only before: {lost}; only after: {[one for one in after if one not in before]}"


async def _ask(client: PalimpsestClient, user_id: str, question: str) -> Answered:
    answer = await client.recall(question, user_id=user_id, preview=True)
    return [
        (round(result.score, SCORE_DIGITS), result.record, result.content)
        for result in answer.results
    ]
