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

from palimpsest.bench.extraction_dialogues import Dialogue, read_dialogues
from palimpsest.bench.extraction_figures import figures
from palimpsest.bench.extraction_found import Found
from palimpsest.bench.extraction_providers import Reader
from palimpsest.bench.extraction_windows import found_in, windows_of
from palimpsest.bench.figures import in_words, percentiles
from palimpsest.bench.report import Report, progress_of
from palimpsest.contracts.answers import CandidatesProposed
from palimpsest.contracts.questions import ExtractionRequested
from palimpsest.delivery.failures import reason_of
from palimpsest.delivery.waiting import Backoff
from palimpsest.domain.errors import PalimpsestError, PermanentError, TransientError
from palimpsest.providers.extraction.messages import request_of
from palimpsest.providers.extraction.proposing import Proposed, propose
from palimpsest.providers.extraction.provider import ExtractionProvider
from palimpsest.providers.models.failures import NotNow

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
class Read:
    """What became of the dialogues."""

    results: list[tuple[Dialogue, Sequence[Found]]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    """For each window."""
    dropped: Counter[str] = field(default_factory=Counter)
    """Proposals without sound evidence, by their flaw."""
    failed: Counter[str] = field(default_factory=Counter)
    """Windows that nobody understood, by the reason: what they hold counts as missed."""


def dialogues_of(files: Sequence[Path]) -> list[Dialogue]:
    """Those of all files, in order.

    Raises:
        DialogueUnreadable: a line is no dialogue, or an id occurs twice.
        PermanentError: a file cannot be read.
    """
    dialogues: list[Dialogue] = []
    for path in files:
        try:
            dialogues += read_dialogues(path)
        except OSError as error:
            raise PermanentError(f"{path} cannot be read: {error.strerror}") from None
    return dialogues


async def bench(
    dialogues: Sequence[Dialogue], reader: Reader, *, rounds: int, context_messages: int
) -> Report:
    """Have the reader read all of them, and judge what it found."""

    def windows(dialogue: Dialogue) -> list[ExtractionRequested]:
        return list(windows_of(dialogue, rounds=rounds, context_messages=context_messages))

    await reader.start()
    try:
        with progress_of("reading", len(dialogues)) as progress:
            read = await read_all(dialogues, reader, windows=windows, progress=progress)
    finally:
        await reader.stop()
    return report_of(read, reader)


async def read_all(
    dialogues: Sequence[Dialogue],
    reader: Reader,
    *,
    windows: Callable[[Dialogue], Sequence[ExtractionRequested]],
    progress: Callable[[int], None] = lambda _: None,
) -> Read:
    """Read them, so many at once as the reader may; the results are in their order."""
    read, places = Read(), asyncio.Semaphore(reader.at_once)

    async def one(dialogue: Dialogue) -> tuple[Dialogue, Sequence[Found]]:
        async with places:
            proposed: list[CandidatesProposed] = []
            for window in windows(dialogue):
                understood = await _understood(reader.provider, window, read)
                if understood is not None:
                    read.dropped.update(understood.dropped)
                    proposed.append(understood.event)
            progress(1)
            return dialogue, found_in(dialogue, proposed)

    read.results = list(await asyncio.gather(*map(one, dialogues)))
    return read


async def _understood(
    provider: ExtractionProvider, window: ExtractionRequested, read: Read
) -> Proposed | None:
    for attempt in range(1, ATTEMPTS + 1):
        started = perf_counter()
        try:
            answer = await provider.extract(request_of(window))
        except PalimpsestError as error:
            if attempt == ATTEMPTS or not _may_pass(error):
                read.failed[reason_of(error)] += 1
                return None
            asked = error.retry_after_seconds if isinstance(error, TransientError) else None
            await asyncio.sleep(_BACKOFF.delay(attempt, asked))
        else:
            read.milliseconds.append((perf_counter() - started) * 1000)
            return propose(window, answer, provider=provider.name)
    return None


def _may_pass(error: PalimpsestError) -> bool:
    """Within minutes: a missing key or an empty account is an operator's matter."""
    if isinstance(error, NotNow):
        return not error.may_last
    return isinstance(error, TransientError)


def report_of(read: Read, reader: Reader) -> Report:
    judged = figures(read.results)
    spent = reader.spent()
    whole: dict[str, Any] = {
        "provider": reader.provider.name,
        **judged,
        "windows": len(read.milliseconds),
        "failed_windows": dict(read.failed),
        "dropped_proposals": dict(read.dropped),
        "window_ms": percentiles(read.milliseconds, 50, 95, 99),
        "spent": spent,
    }
    return Report(
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
    parts = [f"A window took, in ms, {in_words(whole['window_ms'])}."]
    if whole["failed_windows"]:
        parts.append(f"Windows that were not understood: {whole['failed_windows']}.")
    if (spent := whole["spent"]) is not None:
        cost = spent["cost"]
        told = "no price is set" if cost is None else f"{cost:,.4f} in the currency of the prices"
        parts.append(f"Tokens: {spent['tokens']}; cost: {told}.")
    return " ".join(parts)
