"""`bench events`: from a change to whoever watches the stream, and to a webhook."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import uvicorn

from palimpsest.client import PalimpsestClient
from palimpsest.events.conversations import RememberRequested
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_percentiles
from palimpsest_lab.speed.process_memory import read_processor_seconds
from palimpsest_server.embedded.ports import choose_port

USERS = 20
TARGET_MS = 500.0
QUIET_SHARE = 10
"""The same is measured at a tenth of the rate before: what is above that, waits for the processor."""

TICK_SECONDS = 0.02
DEFINITION = (
    "from the decision on a change, as its event is stamped, until the event was read from "
    "`GET /v1/events/stream` of all users, or arrived at a webhook of the deployment; the same clock; "
    "processors are those that all processes of the instance kept busy meanwhile"
)
EVERY_ADDRESS = {"PALIMPSEST_WEBHOOK_PRIVATE_ADDRESSES": "true"}

_Message = MutableMapping[str, Any]


@dataclass
class _Delays:
    """The age of each event as it was read, by the way in which it came."""

    stream: list[float] = field(default_factory=list)
    webhook: list[float] = field(default_factory=list)


async def run_benchmark(*, rate: float, seconds: float, embedder: str | None) -> BenchmarkReport:
    """Have so many changes a second for so long, on a Palimpsest of its own."""
    receiver = _Receiver()
    async with run_embedded_instance(embedder, settings=EVERY_ADDRESS) as subject:
        port = choose_port(None)
        config = uvicorn.Config(receiver, port=port, log_config=None, lifespan="off")
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(), name="the receiver")
        async with subject.over_http() as client:
            await client.webhooks.add(f"http://127.0.0.1:{port}/hook")
            watching = asyncio.create_task(_watch(client, receiver), name="the watcher")
            loads = [
                await _measure(subject, receiver, at_rate, seconds)
                for at_rate in (rate / QUIET_SHARE, rate)
            ]
            watching.cancel()
        server.should_exit = True
        await asyncio.gather(serving, watching, return_exceptions=True)
    loaded = loads[-1]
    slowest = max(loaded[way].get("p95", TARGET_MS + 1) for way in ("stream", "webhook"))
    return BenchmarkReport(
        title=f"From a change to who is told of it, {rate:g} changes/s and a tenth of them, in ms",
        rows=[
            {"rate": load["rate"], "way": way, **load[way], "processors": load["processors"]}
            for load in loads
            for way in ("stream", "webhook")
        ],
        figures={"loads": loads, "holds": slowest <= TARGET_MS, "definition": DEFINITION},
    )


async def _measure(
    subject: MeasuredInstance, receiver: "_Receiver", rate: float, seconds: float
) -> dict[str, Any]:
    """Have changes at one rate, and return how long each was on its way."""
    delays = receiver.delays = _Delays()
    used, started = await read_processor_seconds(subject.process_id or 0), time.perf_counter()
    sent, sent_in = await _change(subject, rate, seconds)
    await _wait_for(sent, delays)
    passed = time.perf_counter() - started
    used = await read_processor_seconds(subject.process_id or 0) - used
    return {
        # What was published, not what was asked for: a busy machine may not come to it.
        "rate": round(sent / sent_in, 1),
        "processors": round(used / passed, 2),
        **{
            way: {"events": len(ages), **compute_percentiles(ages, 50, 95, 99)}
            for way, ages in (("stream", delays.stream), ("webhook", delays.webhook))
        },
    }


class _Receiver:
    """An endpoint that notes how old each event is that it is sent, once for each."""

    def __init__(self) -> None:
        self.delays = _Delays()
        self._seen: set[str] = set()

    async def __call__(
        self,
        _scope: _Message,
        receive: Callable[[], Awaitable[_Message]],
        send: Callable[[_Message], Awaitable[None]],
    ) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        event = json.loads(body)
        if event["type"] == "memory.created" and event["id"] not in self._seen:
            self._seen.add(event["id"])
            self.delays.webhook.append(_age(datetime.fromisoformat(event["timestamp"])))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def _watch(client: PalimpsestClient, receiver: _Receiver) -> None:
    async with aclosing(client.watch(type=["memory.created"])) as changes:
        async for change in changes:
            receiver.delays.stream.append(_age(change.timestamp))


async def _change(subject: MeasuredInstance, rate: float, seconds: float) -> tuple[int, float]:
    """Publish statements; return how many, and in how many seconds."""
    sent, count = 0, round(rate * seconds)
    with show_progress("changes", count) as progress:
        async with subject.over_kafka() as client:
            started = time.perf_counter()
            while sent < count:
                due = min(count, int((time.perf_counter() - started) * rate) + 1) - sent
                if due > 0:
                    await client.publish([_remember(rate, sent + number) for number in range(due)])
                    sent += due
                    progress(due)
                await asyncio.sleep(TICK_SECONDS)
            return sent, max(time.perf_counter() - started, seconds)


def _remember(rate: float, number: int) -> RememberRequested:
    return RememberRequested(
        occurred_at=datetime.now(UTC),
        user_id=f"user-{number % USERS}",
        content=f"invented statement number {number} of {rate:g} a second",
    )


async def _wait_for(sent: int, delays: _Delays, within_seconds: float = 60.0) -> None:
    ends = time.perf_counter() + within_seconds
    # What is measured runs in other processes, which set no event of ours.
    while time.perf_counter() < ends and min(len(delays.stream), len(delays.webhook)) < sent:  # noqa: ASYNC110
        await asyncio.sleep(0.1)


def _age(decided_at: datetime) -> float:
    return (datetime.now(UTC) - decided_at).total_seconds() * 1000
