"""`bench situations`: the share of everyday situations that come out right."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from palimpsest.client import PalimpsestClient
from palimpsest_lab.instances.measured_instance import run_embedded_instance
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.situations.check_outcome import find_failures
from palimpsest_lab.situations.play_situation import play_situation
from palimpsest_lab.situations.situation import Situation

AT_ONCE = 4
"""Situations that are played at a time."""
SETTLED_SECONDS = 2.0
"""The time that projections get before anything is checked."""
PATIENCE_SECONDS = 15.0
POLL_SECONDS = 1.0


async def run_benchmark(
    situations: Sequence[Situation],
    *,
    embedder: str | None,
    patience_seconds: float = PATIENCE_SECONDS,
) -> BenchmarkReport:
    """Play all situations to a Palimpsest of their own, each with a user of its own.

    Everything that a situation checks has to hold within `patience_seconds`.
    """
    turns = asyncio.Semaphore(AT_ONCE)
    with show_progress("situations", len(situations)) as progress:
        async with run_embedded_instance(embedder) as subject, subject.over_http() as client:
            outcomes = await asyncio.gather(
                *(
                    _run(client, situation, turns, progress, patience_seconds)
                    for situation in situations
                )
            )
    failures = {
        situation.id: found for situation, found in zip(situations, outcomes, strict=True) if found
    }
    rows = build_table(situations, failures)
    return BenchmarkReport(
        title="Everyday situations that come out right",
        rows=rows,
        figures={"rows": rows, "failures": failures},
        remark="\n".join(f"{identity}: {'; '.join(found)}" for identity, found in failures.items()),
    )


async def _run(
    client: PalimpsestClient,
    situation: Situation,
    turns: asyncio.Semaphore,
    progress: Callable[[int], None],
    patience_seconds: float,
) -> list[str]:
    user_id = f"user-{situation.id}"
    async with turns:
        await play_situation(client, situation, user_id)
        await asyncio.sleep(SETTLED_SECONDS)
        for _ in range(int(patience_seconds / POLL_SECONDS)):
            failures = [
                failure
                for check in situation.checks
                for failure in await find_failures(client, check, user_id, situation.time_zone)
            ]
            if not failures:
                break
            await asyncio.sleep(POLL_SECONDS)
    progress(1)
    return failures


def build_table(
    situations: Sequence[Situation], failures: dict[str, list[str]]
) -> list[dict[str, Any]]:
    """Return a row for each kind and language, and one for all."""
    groups: dict[tuple[str, str], list[Situation]] = {}
    for situation in situations:
        groups.setdefault((situation.kind, situation.language), []).append(situation)
    rows = [_row(*group, together, failures) for group, together in groups.items()]
    return [*rows, _row("all", "all", situations, failures)]


def _row(
    kind: str, language: str, situations: Sequence[Situation], failures: dict[str, list[str]]
) -> dict[str, Any]:
    right = sum(situation.id not in failures for situation in situations)
    return {
        "kind": kind,
        "language": str(language),
        "right": right,
        "of": len(situations),
        "share": round(right / len(situations), 3) if situations else None,
    }
