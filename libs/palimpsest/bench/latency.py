"""`bench latency`: how long a recall takes, alone, side by side, and while messages arrive."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from statistics import median
from typing import Any

from palimpsest.bench.backlog import Backlog
from palimpsest.bench.figures import percentiles
from palimpsest.bench.freshness import Arriving, Measured, What
from palimpsest.bench.importing import BATCH_EVENTS, MAXIMUM_BACKLOG, POLL_SECONDS
from palimpsest.bench.subject import Subject
from palimpsest.bench.texts import Invented, invented
from palimpsest.client import PalimpsestClient
from palimpsest.contracts.events import RememberRequested
from palimpsest.contracts.recall import Record
from palimpsest.domain.errors import TransientError

MEMORIES_SEED = 11
ARRIVING_SEED = 12
LOAD_SECONDS = 600.0

DEFINITION = (
    "each recall over HTTP, its question embedded where `embedding` says so (a question never "
    "asked before) or known (asked again), every answer with results; medians of the runs; the "
    "floor is one embedding, one vector query and one MongoDB read in one process, in the same run"
)


@dataclass(frozen=True, kw_only=True)
class Load:
    """One row: what is asked of how much, how many at a time, and what arrives meanwhile."""

    memories: int
    namespaces: int
    concurrency: int
    embedding: bool
    arriving_per_second: float


@dataclass(frozen=True)
class Question:
    user_id: str
    text: str


def user(number: int) -> str:
    return f"user-{number}"


def owned(memories: int, namespaces: int) -> Iterator[tuple[str, Invented]]:
    """What is remembered, and whose it is."""
    for number, said in enumerate(islice(invented(MEMORIES_SEED), memories)):
        yield user(number % namespaces), said


async def fill(
    subject: Subject, memories: int, namespaces: int, progress: Callable[[int], None]
) -> None:
    """Have so many things remembered, by way of Kafka, and wait until they can be recalled."""
    pairs = list(owned(memories, namespaces))
    async with subject.over_kafka() as client, Backlog(subject) as backlog:
        for start in range(0, len(pairs), BATCH_EVENTS):
            batch = pairs[start : start + BATCH_EVENTS]
            now = datetime.now(UTC)
            await client.publish(
                [
                    RememberRequested(occurred_at=now, user_id=owner, content=said.text)
                    for owner, said in batch
                ]
            )
            progress(len(batch))
            while await backlog.records() > MAXIMUM_BACKLOG:  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(POLL_SECONDS)
    await _wait_for(subject, pairs[-namespaces:])


def questions(memories: int, namespaces: int) -> Iterator[Question]:
    """Without end, each different from all before."""
    pairs = list(owned(memories, namespaces))
    round_number = 0
    while True:
        for owner, said in pairs:
            yield Question(
                owner, f"{said.question} ({round_number})" if round_number else said.question
            )
        round_number += 1


async def run(subject: Subject, load: Load, asked: Sequence[Question]) -> dict[str, float]:
    """Ask all of these, so many at a time.

    Raises:
        TransientError: an answer was empty, so that its time says nothing.
    """
    waiting = iter(asked)
    took: list[float] = []
    async with subject.over_http() as client, _arriving(subject, load.arriving_per_second):
        started = time.perf_counter()
        async with asyncio.TaskGroup() as tasks:
            for _ in range(load.concurrency):
                tasks.create_task(_ask(client, waiting, took))
        seconds = time.perf_counter() - started
    return {**percentiles(took, 50, 95, 99), "per_second": round(len(took) / seconds, 1)}


def row(
    load: Load, runs: Sequence[dict[str, float]], floors: Sequence[dict[str, float]]
) -> dict[str, Any]:
    """The medians of the runs beside the median floor."""

    def middle(figures: Sequence[dict[str, float]], name: str) -> float | None:
        values = [figure[name] for figure in figures if name in figure]
        return round(median(values), 2) if values else None

    return {
        "memories": load.memories,
        "namespaces": load.namespaces,
        "concurrency": load.concurrency,
        "embedding": load.embedding,
        "arriving_per_second": load.arriving_per_second,
        "p50_ms": middle(runs, "p50"),
        "p95_ms": middle(runs, "p95"),
        "p99_ms": middle(runs, "p99"),
        "per_second": middle(runs, "per_second"),
        "floor_p50_ms": middle(floors, "p50"),
        "floor_p95_ms": middle(floors, "p95"),
    }


async def _ask(client: PalimpsestClient, waiting: Iterator[Question], took: list[float]) -> None:
    for question in waiting:
        started = time.perf_counter()
        answer = await client.recall(question.text, user_id=question.user_id)
        took.append((time.perf_counter() - started) * 1000)
        if not answer.results:
            raise TransientError("an answer was empty: not everything can be recalled yet")


@asynccontextmanager
async def _arriving(subject: Subject, per_second: float) -> AsyncIterator[None]:
    """Messages of others, published at this rate for as long as this is open."""
    if not per_second:
        yield
        return
    async with subject.over_kafka() as client:
        seed = ARRIVING_SEED + time.monotonic_ns() % 1_000_000
        arriving = Arriving(client, What.RAW_TURNS, invented(seed), Measured(), lambda _: None)
        task = asyncio.create_task(arriving.publish_at(per_second, until=float("inf")))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _wait_for(subject: Subject, last: Sequence[tuple[str, Invented]]) -> None:
    try:
        async with asyncio.timeout(LOAD_SECONDS), subject.over_http() as client:
            for owner, said in last:
                while not await _remembers(client, owner, said):  # noqa: ASYNC110 - nobody tells us
                    await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise TransientError(f"not everything was remembered after {LOAD_SECONDS:.0f} s") from None


async def _remembers(client: PalimpsestClient, owner: str, said: Invented) -> bool:
    answer = await client.recall(said.mark, user_id=owner, records=[Record.MEMORY], preview=True)
    return any(said.mark in result.content for result in answer.results)
