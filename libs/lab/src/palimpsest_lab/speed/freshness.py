"""`bench freshness`: from publishing something to the first recall that returns it."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from random import Random
from statistics import median
from typing import Any

from palimpsest.api.recall import RecordType
from palimpsest.client import PalimpsestClient
from palimpsest.events.conversations import MessageAdded, RememberRequested
from palimpsest.events.envelope import Event
from palimpsest.model.errors import TransientError
from palimpsest.model.turn import Role
from palimpsest_lab.datasets.invented_texts import InventedStatement, generate_statements
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_percentiles
from palimpsest_lab.speed.latency_floor import open_latency_floor
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.collections import MEMORIES, TURNS

USERS = 20
"""What arrives is spread over so many users, by chance: in turn, their windows would all fall due
at the same moment."""

POLL_SECONDS = 0.02
"""Between two recalls of what is watched, one message at a time: watching more, or more often,
would measure the watching. What is found is up to so much younger than it is said to be."""

FLOOR_QUESTIONS = 100
GIVE_UP_SECONDS = 30.0
TICKS_PER_SECOND = 50

DEFINITION = (
    "from before a message is handed to Kafka until the answer of the first recall over HTTP that "
    "contains it has been read; one message after another is watched among all that arrive; medians of the "
    "runs; the floor is one embedding, one vector query and one MongoDB read in one process, right "
    "after each run"
)


class PublishedKind(StrEnum):
    RAW_TURNS = "raw_turns"
    REMEMBER_REQUESTED = "remember_requested"


@dataclass
class FreshnessMeasurement:
    """The figures of one minute."""

    freshness_ms: list[float] = field(default_factory=list)
    published: int = 0
    seconds: float = 0.0

    def figures(self) -> dict[str, Any]:
        return {
            "freshness_ms": compute_percentiles(self.freshness_ms, 50, 95, 99),
            "messages_per_second": round(self.published / self.seconds, 1) if self.seconds else 0.0,
            "watched": len(self.freshness_ms),
        }


async def run_benchmark(
    *, rate: float, seconds: float, runs: int, embedder: str | None
) -> BenchmarkReport:
    """Each kind for so long, so many times, each time on a Palimpsest of its own."""
    found: dict[str, dict[str, Any]] = {}
    for what in PublishedKind:
        measured = [
            await _run_with_floor(what, rate=rate, seconds=seconds, run=run, embedder=embedder)
            for run in range(runs)
        ]
        found[what.value] = compute_medians(measured)
    return BenchmarkReport(
        title=f"From publishing to the first recall that returns it, {rate:g} messages/s, in ms",
        rows=[
            {
                "what": what,
                **one["freshness_ms"],
                "per second": one["messages_per_second"],
                "watched": one["watched"],
                "floor p50": one["floor_ms"]["p50"],
            }
            for what, one in found.items()
        ],
        figures={
            **found,
            "asked_rate": rate,
            "seconds": seconds,
            "runs": runs,
            "definition": DEFINITION,
        },
    )


def compute_medians(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the median of each figure over the runs."""
    return {
        name: compute_medians([run[name] for run in runs])
        if isinstance(value, dict)
        else round(median(run[name] for run in runs), 1)
        for name, value in runs[0].items()
    }


async def _run_with_floor(
    what: PublishedKind, *, rate: float, seconds: float, run: int, embedder: str | None
) -> dict[str, Any]:
    texts = generate_statements(seed=1 + run * len(PublishedKind) + list(PublishedKind).index(what))
    async with run_embedded_instance(embedder) as subject:
        measured = await measure_freshness(subject, what, texts, rate=rate, seconds=seconds)
        said = [next(texts) for _ in range(FLOOR_QUESTIONS)]
        async with open_latency_floor(
            embedder=embedder or Settings().embedder,
            memories=measured.published,
            namespaces=USERS,
            mongodb_url=subject.mongodb_url or "",
            texts=[statement.text for statement in said],
            read=TURNS if what is PublishedKind.RAW_TURNS else MEMORIES,
        ) as floor:
            lowest = await floor.milliseconds([statement.question for statement in said])
    return {**measured.figures(), "floor_ms": lowest}


async def measure_freshness(
    subject: MeasuredInstance,
    what: PublishedKind,
    texts: Iterator[InventedStatement],
    *,
    rate: float,
    seconds: float,
) -> FreshnessMeasurement:
    """Have `rate` messages a second arrive for so long, and watch some of them.

    Raises:
        TransientError: one was not to be recalled after 30 s.
    """
    measured = FreshnessMeasurement()
    async with AsyncExitStack() as stack:
        kafka = await stack.enter_async_context(subject.over_kafka())
        http = await stack.enter_async_context(subject.over_http())
        progress = stack.enter_context(show_progress(what.value, int(rate * seconds)))
        started = time.perf_counter()
        arriving = MessageTraffic(kafka, what, texts, measured, progress)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(arriving.publish_at(rate, until=started + seconds))
            tasks.create_task(_watch(arriving, http, "watched", started + seconds))
        measured.seconds = time.perf_counter() - started
    return measured


class MessageTraffic:
    """Traffic at a rate. What is published to be watched counts towards the rate."""

    def __init__(
        self,
        client: PalimpsestClient,
        what: PublishedKind,
        texts: Iterator[InventedStatement],
        measured: FreshnessMeasurement,
        progress: Callable[[int], None],
    ) -> None:
        self.what = what
        self.measured = measured
        self._client = client
        self._texts = texts
        self._users = Random(0)  # noqa: S311 - to be repeated, not to be kept secret
        self._progress = progress

    async def publish_at(self, rate: float, *, until: float) -> None:
        started = time.perf_counter()
        while (now := time.perf_counter()) < until:
            due = int((now - started) * rate) - self.measured.published
            events = [self.event(f"arriving-{self._users.randrange(USERS)}")[0] for _ in range(due)]
            await self.publish(events)
            await asyncio.sleep(1 / TICKS_PER_SECOND)

    def event(self, user_id: str) -> tuple[Event, InventedStatement]:
        said = next(self._texts)
        return build_published_event(self.what, user_id, said), said

    async def publish(self, events: list[Event]) -> None:
        if events:
            self.measured.published += len(events)
            self._progress(len(events))
            await self._client.publish(events)


async def _watch(
    arriving: MessageTraffic, http: PalimpsestClient, user_id: str, until: float
) -> None:
    while time.perf_counter() < until:
        event, said = arriving.event(user_id)
        started = time.perf_counter()
        await arriving.publish([event])
        await wait_until_recalled(http, arriving.what, user_id, said)
        arriving.measured.freshness_ms.append((time.perf_counter() - started) * 1000)


async def wait_until_recalled(
    http: PalimpsestClient,
    what: PublishedKind,
    user_id: str,
    said: InventedStatement,
    *,
    poll_seconds: float = POLL_SECONDS,
) -> None:
    try:
        async with asyncio.timeout(GIVE_UP_SECONDS):
            while not await _seen(http, what, user_id, said):  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(poll_seconds)
    except TimeoutError:
        raise TransientError(f"not to be recalled after {GIVE_UP_SECONDS:.0f} s") from None


async def _seen(
    http: PalimpsestClient, what: PublishedKind, user_id: str, said: InventedStatement
) -> bool:
    record = RecordType.TURN if what is PublishedKind.RAW_TURNS else RecordType.MEMORY
    # By the whole text: a mark may happen to be a word that says nothing.
    answer = await http.recall(said.text, user_id=user_id, records=[record], preview=True)
    return any(said.mark in result.content for result in answer.results)


def build_published_event(what: PublishedKind, user_id: str, said: InventedStatement) -> Event:
    now = datetime.now(UTC)
    if what is PublishedKind.REMEMBER_REQUESTED:
        return RememberRequested(occurred_at=now, user_id=user_id, content=said.text)
    return MessageAdded(
        occurred_at=now,
        user_id=user_id,
        session_id=f"session-{user_id}",
        message_id=said.mark,
        role=Role.USER,
        text=said.text,
    )
