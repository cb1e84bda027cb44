"""`bench ingest`: messages at a rate for minutes, and whether everything keeps up with them."""

import asyncio
import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

import httpx

from palimpsest.client import PalimpsestClient
from palimpsest.model.errors import TransientError
from palimpsest_lab.datasets.invented_texts import InventedStatement
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.reporting.charts import Diagram
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_percentiles
from palimpsest_lab.speed.freshness import TICKS_PER_SECOND, PublishedKind, wait_until_recalled
from palimpsest_lab.speed.ingest_figures import (
    ADDED,
    build_rows,
    check_ingest_targets,
    parse_step_seconds,
)
from palimpsest_lab.speed.ingest_messages import build_message_added, generate_messages
from palimpsest_lab.speed.process_memory import ProcessMemorySamples, summarize_samples
from services.host.imports.kafka_backlog import KafkaBacklog

USERS = 40
"""What arrives is spread over so many by chance."""

SAMPLE_SECONDS = 2.0
DRAIN_SECONDS = 120.0
DRAIN_POLL_SECONDS = 0.5

POLL_SECONDS = 0.1
"""Between two recalls of the message that is watched: at a full rate, asking as often as
`bench freshness` does would take a quarter of what two cores give. What is found is up to so much
younger than it is said to be."""

DEFINITION = (
    "messages: over Kafka, spread over users by chance, as long as LoCoMo's turns; memories: what "
    "the consolidator added of them by the end, by the rules of `local`; freshness: from before a "
    "message is handed to Kafka until the answer of the first recall over HTTP that contains it was "
    "read, one after another among all that arrive; lag: records on the way in that their service "
    "has not committed, and memory in MiB: the median of the last quarter of the samples against "
    "the first; steps: seconds that each step took, all of them together, for each second"
)


@dataclass
class IngestMeasurement:
    memory: ProcessMemorySamples
    freshness_ms: list[float] = field(default_factory=list)
    lag: list[int] = field(default_factory=list)
    published: int = 0
    characters: int = 0
    seconds: float = 0.0
    drained_seconds: float = 0.0
    """From the last message until nothing waited any more."""
    memories: float = 0.0
    steps: Mapping[str, float] = field(default_factory=dict)

    def figures(self) -> dict[str, Any]:
        messages = max(self.published, 1)
        return {
            "messages": self.published,
            "messages_per_second": round(self.published / self.seconds, 1) if self.seconds else 0.0,
            "characters_per_message": round(self.characters / messages, 1),
            "memories_per_message": round(self.memories / messages, 3),
            "freshness_ms": compute_percentiles(self.freshness_ms, 50, 95, 99),
            "watched": len(self.freshness_ms),
            "lag_records": summarize_samples([float(one) for one in self.lag]),
            "drained_seconds": round(self.drained_seconds, 1),
            "memory_mib": self.memory.figures(),
            "busy_share_of_steps": {
                name: round(seconds / self.seconds, 3)
                for name, seconds in sorted(self.steps.items(), key=lambda one: -one[1])
            },
        }

    def diagrams(self) -> list[Diagram]:
        """Draw the backlog and the memory over the seconds."""
        return [
            _over_time("What waits", "records", {"lag": self.lag}),
            _over_time("What it takes", "MiB", {"memory": self.memory.together()}),
        ]


async def run_benchmark(*, rate: float, seconds: float, embedder: str | None) -> BenchmarkReport:
    """Run on a Palimpsest of its own.

    Raises:
        TransientError: a message was not to be recalled after 30 s.
    """
    async with run_embedded_instance(embedder) as subject:
        measured = await measure_ingest(subject, rate=rate, seconds=seconds)
    figures = measured.figures()
    held = check_ingest_targets(figures, rate)
    return BenchmarkReport(
        title=f"{rate:g} messages a second for {seconds:g} s",
        rows=build_rows(figures, held),
        figures={
            **figures,
            "holds": held,
            "asked_rate": rate,
            "seconds": seconds,
            "definition": DEFINITION,
        },
        remark="Where the time goes, in seconds of each second: "
        + ", ".join(
            f"{name} {share:.2f}"
            for name, share in islice(figures["busy_share_of_steps"].items(), 8)
        )
        + ".",
        diagrams=measured.diagrams(),
    )


async def measure_ingest(
    subject: MeasuredInstance, *, rate: float, seconds: float
) -> IngestMeasurement:
    """Have messages arrive for so long, and wait until nothing waits any more.

    Raises:
        TransientError: one was not to be recalled after 30 s, or this is not an instance of here.
    """
    if subject.process_id is None:
        raise TransientError("only of an instance that runs here can the memory be measured")
    measured = IngestMeasurement(ProcessMemorySamples(subject.process_id))
    async with AsyncExitStack() as stack:
        kafka = await stack.enter_async_context(subject.over_kafka())
        http = await stack.enter_async_context(subject.over_http())
        backlog = await stack.enter_async_context(KafkaBacklog(subject))
        progress = stack.enter_context(show_progress("messages", int(rate * seconds)))
        before = await read_ingest_counters(subject)
        saying = IngestTraffic(kafka, measured, generate_messages(seed=7))
        sampling = [
            asyncio.create_task(measured.memory.watch(every_seconds=SAMPLE_SECONDS)),
            asyncio.create_task(_watch_lag(backlog, measured)),
        ]
        started = time.perf_counter()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(saying.say_at(rate, until=started + seconds, progress=progress))
                tasks.create_task(saying.watch(http, until=started + seconds))
        finally:
            measured.seconds = time.perf_counter() - started
            for task in sampling:
                task.cancel()
            await asyncio.gather(*sampling, return_exceptions=True)
        during = await read_ingest_counters(subject)
        measured.drained_seconds = await _drained(backlog)
        after = await _settled(subject)
    measured.steps = {
        name: during[name] - before.get(name, 0.0) for name in during if name != ADDED
    }
    measured.memories = after.get(ADDED, 0.0) - before.get(ADDED, 0.0)
    return measured


class IngestTraffic:
    """Traffic at a rate; what is published to be watched counts towards it."""

    def __init__(
        self,
        client: PalimpsestClient,
        measured: IngestMeasurement,
        texts: Iterator[InventedStatement],
    ) -> None:
        self._client = client
        self._measured = measured
        self._texts = texts
        self._users = Random(0)  # noqa: S311 - to be repeated, not to be kept secret

    async def say_at(self, rate: float, *, until: float, progress: Any) -> None:
        started = time.perf_counter()
        while (now := time.perf_counter()) < until:
            due = int((now - started) * rate) - self._measured.published
            said = [next(self._texts) for _ in range(due)]
            await self._say(
                [(f"arriving-{self._users.randrange(USERS)}", statement) for statement in said]
            )
            progress(len(said))
            await asyncio.sleep(1 / TICKS_PER_SECOND)

    async def watch(self, http: PalimpsestClient, *, until: float) -> None:
        while time.perf_counter() < until:
            said = next(self._texts)
            started = time.perf_counter()
            await self._say([("watched", said)])
            await wait_until_recalled(
                http, PublishedKind.RAW_TURNS, "watched", said, poll_seconds=POLL_SECONDS
            )
            self._measured.freshness_ms.append((time.perf_counter() - started) * 1000)

    async def _say(self, said: Sequence[tuple[str, InventedStatement]]) -> None:
        if not said:
            return
        self._measured.published += len(said)
        self._measured.characters += sum(len(statement.text) for _, statement in said)
        await self._client.publish(
            [build_message_added(user_id, statement) for user_id, statement in said]
        )


async def read_ingest_counters(subject: MeasuredInstance) -> dict[str, float]:
    """Read the instance's counters: seconds by step, and memories added."""
    headers = {"Authorization": f"Bearer {subject.api_key}"} if subject.api_key else {}
    async with httpx.AsyncClient(base_url=subject.http_url, headers=headers) as client:
        page = (await client.get("/metrics")).raise_for_status().text
    return parse_step_seconds(page)


def _over_time(title: str, up: str, samples: Mapping[str, Sequence[float]]) -> Diagram:
    curves = {
        name: [(number * SAMPLE_SECONDS, value) for number, value in enumerate(values)]
        for name, values in samples.items()
    }
    return Diagram(title=title, across="seconds", up=up, curves=curves)


async def _watch_lag(backlog: KafkaBacklog, measured: IngestMeasurement) -> None:
    while True:
        measured.lag.append(await backlog.records())
        await asyncio.sleep(SAMPLE_SECONDS)


async def _settled(subject: MeasuredInstance) -> dict[str, float]:
    """Return the counters once no memory was added for a while.

    Waiting windows are counted nowhere.
    """
    before, after = await read_ingest_counters(subject), dict[str, float]()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while (after := await _later(subject)).get(ADDED) != before.get(ADDED):
                before = after
    return after or before


async def _later(subject: MeasuredInstance) -> dict[str, float]:
    await asyncio.sleep(SAMPLE_SECONDS)
    return await read_ingest_counters(subject)


async def _drained(backlog: KafkaBacklog) -> float:
    """Return the seconds until nothing waited; at most two minutes."""
    started = time.perf_counter()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while await backlog.records():  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(DRAIN_POLL_SECONDS)
    return time.perf_counter() - started
