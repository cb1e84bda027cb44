"""`bench stalled`: what everybody else notices while a language model does not answer.

Windows wait for a server that never says anything. Meanwhile messages arrive
over HTTP at a rate, each when it is due, whether the one before it was answered
or not; one after another is watched until a recall returns it.
"""

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any

from palimpsest.client import Message, PalimpsestClient
from palimpsest.model.errors import TransientError
from palimpsest.model.turn import Role
from palimpsest_lab.datasets.invented_texts import generate_statements
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.instances.model_server import (
    ModelServerRequest,
    ScriptedModelServer,
    run_model_server,
)
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_percentiles
from palimpsest_lab.speed.freshness import (
    USERS,
    PublishedKind,
    build_published_event,
    wait_until_recalled,
)
from palimpsest_lab.speed.process_memory import ProcessMemorySamples

WARMING_SECONDS = 5.0
"""Before anything is measured: what is met for the first time takes longer, and more memory."""

SAMPLE_SECONDS = 2.0
WAITING_SECONDS = 60.0
HOUR = "3600"

ACKNOWLEDGED_P95_MS = 20.0
FRESHNESS_P50_MS = 120.0
FRESHNESS_P99_MS = 400.0
GROWTH_PERCENT = 10.0

DEFINITION = (
    "windows: held by a server that does not answer, all at once; acknowledged: from sending one "
    "message over HTTP until its 202 was read, each message sent when it is due, in an open loop; "
    "freshness: from before a message is sent until the answer of the first recall over HTTP that "
    "contains it was read; memory: resident MiB of each process of the instance, the median of the "
    "last quarter of the samples against the first"
)


@dataclass
class StalledModelMeasurement:
    windows: int
    memory: ProcessMemorySamples
    acknowledged_ms: list[float] = field(default_factory=list)
    freshness_ms: list[float] = field(default_factory=list)
    sent: int = 0
    seconds: float = 0.0

    def figures(self) -> dict[str, Any]:
        return {
            "windows_waiting": self.windows,
            "acknowledged_ms": compute_percentiles(self.acknowledged_ms, 50, 95, 99),
            "freshness_ms": compute_percentiles(self.freshness_ms, 50, 95, 99),
            "messages_per_second": round(self.sent / self.seconds, 1) if self.seconds else 0.0,
            "watched": len(self.freshness_ms),
            "memory_mib": self.memory.figures(),
        }


async def run_benchmark(
    *, windows: int, rate: float, seconds: float, embedder: str | None
) -> BenchmarkReport:
    """Run on a Palimpsest of its own.

    Raises:
        TransientError: the windows never got to the model, or a message was not to be recalled.
    """
    async with (
        run_model_server(_silence) as model,
        run_embedded_instance(
            embedder, settings=build_instance_settings(model, windows)
        ) as subject,
    ):
        measured = await measure_stalled_model(
            subject, model, windows=windows, rate=rate, seconds=seconds
        )
    figures = measured.figures()
    held = check_stalled_targets(figures)
    everything = figures["memory_mib"]["all"]
    return BenchmarkReport(
        title=f"While {windows} windows wait for a model, {rate:g} messages/s over HTTP",
        rows=[
            {
                "what": what,
                **figures[name],
                "holds": held[what],
            }
            for what, name in (("acknowledged", "acknowledged_ms"), ("fresh", "freshness_ms"))
        ],
        figures={
            **figures,
            "holds": held,
            "asked_rate": rate,
            "seconds": seconds,
            "definition": DEFINITION,
        },
        remark=(
            f"Memory: {everything['first']:,.0f} MiB at first, {everything['last']:,.0f} at last"
            f" ({'flat' if held['flat'] else 'not flat'})."
        ),
    )


def check_stalled_targets(figures: dict[str, Any]) -> dict[str, bool]:
    """Return whether each figure is within its target."""
    fresh, memory = figures["freshness_ms"], figures["memory_mib"]["all"]
    return {
        "acknowledged": figures["acknowledged_ms"]["p95"] <= ACKNOWLEDGED_P95_MS,
        "fresh": fresh["p50"] <= FRESHNESS_P50_MS and fresh["p99"] <= FRESHNESS_P99_MS,
        "flat": memory["growth"] <= memory["first"] * GROWTH_PERCENT / 100,
    }


def build_instance_settings(model: ScriptedModelServer, windows: int) -> dict[str, str]:
    """The environment of an instance whose windows wait for this server, and for nothing else."""
    return {
        "PALIMPSEST_EXTRACTION_MODEL": "compatible/stalled",
        "PALIMPSEST_COMPATIBLE_BASE_URL": f"{model.url}/v1",
        "PALIMPSEST_MODEL_TIMEOUT_SECONDS": HOUR,
        "PALIMPSEST_EXTRACTOR_CONCURRENT_REQUESTS": str(windows),
    }


async def measure_stalled_model(
    subject: MeasuredInstance,
    model: ScriptedModelServer,
    *,
    windows: int,
    rate: float,
    seconds: float,
) -> StalledModelMeasurement:
    """Have windows wait, then messages arrive for so long.

    Raises:
        TransientError: not all of the windows got to the model.
    """
    if subject.process_id is None:
        raise TransientError("only of an instance that runs here can the memory be measured")
    measured = StalledModelMeasurement(windows, ProcessMemorySamples(subject.process_id))
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(subject.over_http())
        await _have_waiting(http, model, windows)
        warming = StalledModelMeasurement(windows, ProcessMemorySamples(subject.process_id))
        texts = generate_statements(seed=4)
        await HttpTraffic(http, warming, iter(texts)).speak(rate, seconds=WARMING_SECONDS)
        progress = stack.enter_context(show_progress("speaking", int(rate * seconds)))
        speaking = HttpTraffic(http, measured, texts, progress)
        sampling = asyncio.create_task(measured.memory.watch(every_seconds=SAMPLE_SECONDS))
        started = time.perf_counter()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(speaking.speak(rate, seconds=seconds))
            tasks.create_task(speaking.watch(seconds=seconds))
        measured.seconds = time.perf_counter() - started
        sampling.cancel()
        measured.windows = model.at_once
    return measured


class HttpTraffic:
    """Messages over HTTP, each on its own."""

    def __init__(
        self,
        client: PalimpsestClient,
        measured: StalledModelMeasurement,
        texts: Any,
        progress: Any = None,
    ) -> None:
        self._client = client
        self._measured = measured
        self._texts = texts
        self._users = Random(0)  # noqa: S311 - to be repeated, not to be kept secret
        self._progress = progress or (lambda _: None)

    async def speak(self, rate: float, *, seconds: float) -> None:
        """Send so many messages a second without waiting for answers."""
        started = time.perf_counter()
        async with asyncio.TaskGroup() as tasks:
            for number in range(int(rate * seconds)):
                await asyncio.sleep(max(0.0, started + number / rate - time.perf_counter()))
                user_id = f"arriving-{self._users.randrange(USERS)}"
                tasks.create_task(self._say(user_id, next(self._texts)))

    async def watch(self, *, seconds: float) -> None:
        """Recall remembered statements one after another, beside the messages that arrive."""
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            said = next(self._texts)
            started = time.perf_counter()
            await self._say("watched", said)
            await wait_until_recalled(self._client, PublishedKind.RAW_TURNS, "watched", said)
            self._measured.freshness_ms.append((time.perf_counter() - started) * 1000)

    async def _say(self, user_id: str, said: Any) -> None:
        event = build_published_event(PublishedKind.RAW_TURNS, user_id, said)
        started = time.perf_counter()
        await self._client.publish([event])
        self._measured.acknowledged_ms.append((time.perf_counter() - started) * 1000)
        self._measured.sent += 1
        self._progress(1)


async def _have_waiting(http: PalimpsestClient, model: ScriptedModelServer, windows: int) -> None:
    now = datetime.now(UTC)
    for number in range(windows):
        message = Message(
            message_id="1", role=Role.USER, text=f"I have {number} bees.", occurred_at=now
        )
        user_id = f"waiting-{number}"
        await http.save_conversation([message], user_id=user_id, session_id=user_id)
        await http.extract(user_id, user_id=user_id)
    try:
        async with asyncio.timeout(WAITING_SECONDS):
            while model.at_once < windows:  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(0.1)
    except TimeoutError:
        raise TransientError(
            f"{model.at_once} of {windows} windows wait for the model after {WAITING_SECONDS:.0f} s"
        ) from None


async def _silence(asked: ModelServerRequest) -> str:  # noqa: ARG001 - whatever it is
    await asyncio.Event().wait()
    return ""
