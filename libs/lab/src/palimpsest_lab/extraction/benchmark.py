"""`bench extraction`: how much of golden dialogues an extractor understands.

Each dialogue is one session of a user of its own, cut into windows and read as
the extractor does it, through to the candidates; nothing is stored.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.errors import PalimpsestError, PermanentError, TransientError
from palimpsest_lab.extraction.dialogue_readers import DialogueReader
from palimpsest_lab.extraction.dialogue_windows import (
    collect_extracted_items,
    cut_dialogue_windows,
)
from palimpsest_lab.extraction.extracted_items import ExtractedItem
from palimpsest_lab.extraction.figures import compute_extraction_figures
from palimpsest_lab.extraction.golden_dialogues import GoldenDialogue, read_golden_dialogues
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_percentiles, format_percentiles
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.error_classification import get_error_reason
from palimpsest_server.extraction.candidate_event import ProposedCandidates, propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from palimpsest_server.extraction.provider import ExtractionProvider
from palimpsest_server.models.model_errors import ModelNotAvailable

ATTEMPTS = 4
"""At one window: a busy vendor is waited for, a broken one does not hold up the rest."""

_BACKOFF = Backoff(first_seconds=2.0, maximum_seconds=60.0)

_COLUMNS = {
    "recall": "recall",
    "precision": "precision",
    "kind": "kind_accuracy",
    "details": "details_kept",
    "of matched": "details_kept_of_matched",
    "dates": "date_accuracy",
    "due": "due_accuracy",
}


@dataclass
class ExtractionReading:
    """The reading of all dialogues by one extractor."""

    results: list[tuple[GoldenDialogue, Sequence[ExtractedItem]]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    """For each window."""
    dropped: Counter[str] = field(default_factory=Counter)
    """Proposals without sound evidence, by their flaw."""
    failed: Counter[str] = field(default_factory=Counter)
    """Windows that nobody understood, by the reason: what they hold counts as missed."""


def read_all_dialogues(files: Sequence[Path]) -> list[GoldenDialogue]:
    """Read the dialogues of all files, in order.

    Raises:
        DialogueUnreadable: a line is no dialogue, or an id occurs twice.
        PermanentError: a file cannot be read.
    """
    dialogues: list[GoldenDialogue] = []
    for path in files:
        try:
            dialogues += read_golden_dialogues(path)
        except OSError as error:
            raise PermanentError(f"{path} cannot be read: {error.strerror}") from None
    return dialogues


async def run_benchmark(
    dialogues: Sequence[GoldenDialogue],
    reader: DialogueReader,
    *,
    rounds: int,
    context_messages: int,
) -> BenchmarkReport:
    """Have the reader read all of them, and judge what it found."""

    def windows(dialogue: GoldenDialogue) -> list[ExtractionRequested]:
        return list(
            cut_dialogue_windows(dialogue, rounds=rounds, context_messages=context_messages)
        )

    await reader.start()
    try:
        with show_progress("reading", len(dialogues)) as progress:
            read = await extract_dialogues(dialogues, reader, windows=windows, progress=progress)
    finally:
        await reader.stop()
    return build_report(read, reader)


async def extract_dialogues(
    dialogues: Sequence[GoldenDialogue],
    reader: DialogueReader,
    *,
    windows: Callable[[GoldenDialogue], Sequence[ExtractionRequested]],
    progress: Callable[[int], None] = lambda _: None,
) -> ExtractionReading:
    """Read them, so many at once as the reader may; the results are in their order."""
    read, places = ExtractionReading(), asyncio.Semaphore(reader.at_once)

    async def one(dialogue: GoldenDialogue) -> tuple[GoldenDialogue, Sequence[ExtractedItem]]:
        async with places:
            proposed: list[CandidatesProposed] = []
            for window in windows(dialogue):
                understood = await _understood(reader.provider, window, read)
                if understood is not None:
                    read.dropped.update(understood.dropped)
                    proposed.append(understood.event)
            progress(1)
            return dialogue, collect_extracted_items(dialogue, proposed)

    read.results = list(await asyncio.gather(*map(one, dialogues)))
    return read


async def _understood(
    provider: ExtractionProvider, window: ExtractionRequested, read: ExtractionReading
) -> ProposedCandidates | None:
    for attempt in range(1, ATTEMPTS + 1):
        started = perf_counter()
        try:
            answer = await provider.extract(build_extraction_request(window))
        except PalimpsestError as error:
            if attempt == ATTEMPTS or not _may_pass(error):
                read.failed[get_error_reason(error)] += 1
                return None
            asked = error.retry_after_seconds if isinstance(error, TransientError) else None
            await asyncio.sleep(_BACKOFF.delay(attempt, asked))
        else:
            read.milliseconds.append((perf_counter() - started) * 1000)
            return propose_candidates(window, answer, provider=provider.name)
    return None


def _may_pass(error: PalimpsestError) -> bool:
    """Within minutes: a missing key or an empty account is an operator's matter."""
    if isinstance(error, ModelNotAvailable):
        return not error.may_last
    return isinstance(error, TransientError)


def build_report(read: ExtractionReading, reader: DialogueReader) -> BenchmarkReport:
    judged = compute_extraction_figures(read.results)
    spent = reader.spent()
    whole: dict[str, Any] = {
        "provider": reader.provider.name,
        **judged,
        "windows": len(read.milliseconds),
        "failed_windows": dict(read.failed),
        "dropped_proposals": dict(read.dropped),
        "window_ms": compute_percentiles(read.milliseconds, 50, 95, 99),
        "spent": spent,
    }
    return BenchmarkReport(
        title=f"Golden dialogues as {reader.provider.name} understands them",
        rows=[
            *(_row(name, each) for name, each in judged["by_language"].items()),
            _row("all", judged),
        ],
        figures=whole,
        remark=_remark(whole),
    )


def _row(name: str, judged: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "": name,
        "dialogues": judged["dialogues"],
        **{heading: judged[figure] for heading, figure in _COLUMNS.items()},
        "violations": f"{judged['violations']} of {judged['must_not']}",
    }


def _remark(whole: Mapping[str, Any]) -> str:
    parts = [f"A window took, in ms, {format_percentiles(whole['window_ms'])}."]
    if whole["failed_windows"]:
        parts.append(f"Windows that were not understood: {whole['failed_windows']}.")
    if (spent := whole["spent"]) is not None:
        cost = spent["cost"]
        told = "no price is set" if cost is None else f"{cost:,.4f} in the currency of the prices"
        parts.append(f"Tokens: {spent['tokens']}; cost: {told}.")
    return " ".join(parts)
