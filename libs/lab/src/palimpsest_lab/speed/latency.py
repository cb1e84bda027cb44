"""`bench latency`: how long a recall takes, alone, side by side, and while messages arrive."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from palimpsest.client import PalimpsestClient
from palimpsest.model.errors import TransientError
from palimpsest_lab.datasets.invented_texts import generate_statements
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_percentiles
from palimpsest_lab.speed.freshness import FreshnessMeasurement, MessageTraffic, PublishedKind
from palimpsest_lab.speed.latency_floor import LatencyFloor, open_latency_floor
from palimpsest_lab.speed.latency_memories import (
    LatencyQuestion,
    fill_instance_once,
    generate_owned_memories,
    generate_questions,
)
from palimpsest_server.runtime.settings import Settings

MAXIMUM_EMPTY_SHARE = 0.01
"""Of 100,000 memories the gate refuses one question in seven hundred."""

DEFINITION = (
    "each recall over HTTP, its question embedded where `embedding` says so (a question never "
    "asked before) or known (asked again), answers with results; medians of the runs; the "
    "floor is one embedding, one vector query and one MongoDB read in one process, in the same run"
)


@dataclass(frozen=True, kw_only=True)
class LatencyLoad:
    """One load: the memories, the concurrency, and the messages that arrive meanwhile."""

    memories: int
    namespaces: int
    concurrency: int
    embedding: bool
    arriving_per_second: float


async def run_benchmark(
    loads: Sequence[LatencyLoad],
    *,
    runs: int,
    asked_in_each: int,
    embedder: str | None,
    kept: Path | None = None,
) -> BenchmarkReport:
    """Run all loads over the same memories on one Palimpsest, each so many times.

    What is `kept` in a folder is remembered once; whoever comes back to it
    meets its search index built, for that is done at the start.
    """
    memories, namespaces = loads[0].memories, loads[0].namespaces
    async with AsyncExitStack() as stack:
        subject = await stack.enter_async_context(run_embedded_instance(embedder, kept=kept))
        filled = await fill_instance_once(subject, memories, namespaces, kept)
        floor = await stack.enter_async_context(
            open_latency_floor(
                embedder=embedder or Settings().embedder,
                memories=memories,
                namespaces=namespaces,
                mongodb_url=subject.mongodb_url or "",
                texts=[said.text for _, said in generate_owned_memories(memories, namespaces)],
            )
        )
        fresh = generate_questions(memories, namespaces)
        progress = stack.enter_context(show_progress("runs", len(loads) * runs))
        rows = []
        for load in loads:
            measured = []
            for _ in range(runs):
                asked = list(islice(fresh, asked_in_each))
                measured.append(await _run_beside_floor(subject, load, asked, floor))
                progress(1)
            rows.append(build_row(load, measured))
    return BenchmarkReport(
        title=f"Recall over HTTP, {memories:,} memories in {namespaces:,} namespaces, in ms",
        rows=[_short(row) for row in rows],
        figures={
            "rows": rows,
            "runs": runs,
            "just_filled": filled,
            "definition": DEFINITION,
        },
        remark=""
        if filled
        else "On what was remembered before: with its search index, if worth it.",
    )


async def measure_load(
    subject: MeasuredInstance, load: LatencyLoad, asked: Sequence[LatencyQuestion]
) -> dict[str, float]:
    """Ask all of these, so many at a time. An empty answer's time says nothing, and is left out.

    Raises:
        TransientError: too many were empty.
    """
    waiting = iter(asked)
    took: list[float] = []
    empty: list[LatencyQuestion] = []
    async with subject.over_http() as client, _arriving(subject, load.arriving_per_second):
        started = time.perf_counter()
        async with asyncio.TaskGroup() as tasks:
            for _ in range(load.concurrency):
                tasks.create_task(_ask(client, waiting, took, empty))
        seconds = time.perf_counter() - started
    if len(empty) > MAXIMUM_EMPTY_SHARE * len(asked):
        raise TransientError("too many answers were empty: not everything can be recalled yet")
    return {**compute_percentiles(took, 50, 95, 99), "per_second": round(len(took) / seconds, 1)}


def build_row(load: LatencyLoad, runs: Sequence[dict[str, float]]) -> dict[str, Any]:
    """The medians of the runs."""

    def middle(name: str) -> float:
        return round(median(figures[name] for figures in runs), 2)

    return {
        **asdict(load),
        **{f"{name}_ms": middle(name) for name in ("p50", "p95", "p99")},
        "per_second": middle("per_second"),
        **{f"{name}_ms": middle(name) for name in ("floor_p50", "floor_p95")},
    }


def _short(row: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a row beyond the title, under headings that fit a terminal."""
    return {
        "at a time": row["concurrency"],
        "embedding": row["embedding"],
        "arriving/s": row["arriving_per_second"],
        "p50": row["p50_ms"],
        "p95": row["p95_ms"],
        "p99": row["p99_ms"],
        "recalls/s": row["per_second"],
        "floor p50": row["floor_p50_ms"],
        "floor p95": row["floor_p95_ms"],
    }


async def _ask(
    client: PalimpsestClient,
    waiting: Iterator[LatencyQuestion],
    took: list[float],
    empty: list[LatencyQuestion],
) -> None:
    for question in waiting:
        started = time.perf_counter()
        answer = await client.recall(question.text, user_id=question.user_id)
        milliseconds = (time.perf_counter() - started) * 1000
        if answer.results:
            took.append(milliseconds)
        else:
            empty.append(question)


@asynccontextmanager
async def _arriving(subject: MeasuredInstance, per_second: float) -> AsyncIterator[None]:
    """Messages of others, published at this rate for as long as this is open."""
    if not per_second:
        yield
        return
    async with subject.over_kafka() as client:
        # Other texts at every run: the same would be duplicates, and done at once.
        texts = generate_statements(seed=time.time_ns() % 2**40)
        arriving = MessageTraffic(
            client, PublishedKind.RAW_TURNS, texts, FreshnessMeasurement(), lambda _: None
        )
        task = asyncio.create_task(arriving.publish_at(per_second, until=float("inf")))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _run_beside_floor(
    subject: MeasuredInstance,
    load: LatencyLoad,
    asked: Sequence[LatencyQuestion],
    floor: LatencyFloor,
) -> dict[str, float]:
    lowest = await floor.milliseconds([question.text for question in asked])
    if not load.embedding:
        # Asked once before, so that the service knows their vectors.
        await measure_load(subject, load, asked)
    measured = await measure_load(subject, load, asked)
    return {**measured, **{f"floor_{name}": value for name, value in lowest.items()}}
