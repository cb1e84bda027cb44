"""`bench events`: from a change to whoever watches the stream, and to a webhook."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any

import uvicorn

from palimpsest.client import PalimpsestClient
from palimpsest_lab.instances.measured_instance import run_embedded_instance
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_percentiles
from palimpsest_server.embedded.ports import choose_port

USERS = 20
TARGET_MS = 500.0
DEFINITION = (
    "from the decision on a change, as its event is stamped, until the event was read from "
    "`GET /v1/events/stream` of all users, or arrived at a webhook of the deployment; the same clock"
)
EVERY_ADDRESS = {"PALIMPSEST_WEBHOOK_PRIVATE_ADDRESSES": "true"}

_Message = MutableMapping[str, Any]


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
            streamed: list[float] = []
            watching = asyncio.create_task(_watch(client, streamed), name="the watcher")
            sent = await _change(client, rate, seconds)
            await _wait_for(sent, streamed, receiver.delays)
            watching.cancel()
        server.should_exit = True
        await asyncio.gather(serving, watching, return_exceptions=True)
    found = {
        "stream": {"events": len(streamed), **compute_percentiles(streamed, 50, 95, 99)},
        "webhook": {"events": receiver.events, **compute_percentiles(receiver.delays, 50, 95, 99)},
    }
    holds = all(one.get("p95", TARGET_MS + 1) <= TARGET_MS for one in found.values())
    return BenchmarkReport(
        title=f"From a change to who is told of it, {rate:g} changes/s, in ms",
        rows=[{"way": way, "changes": sent, **figures} for way, figures in found.items()],
        figures={**found, "changes": sent, "rate": rate, "holds": holds, "definition": DEFINITION},
    )


class _Receiver:
    """An endpoint that notes how old each event is that it is sent, once for each."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        self._seen: set[str] = set()

    @property
    def events(self) -> int:
        return len(self._seen)

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
            self.delays.append(_age(datetime.fromisoformat(event["timestamp"])))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def _watch(client: PalimpsestClient, delays: list[float]) -> None:
    async with aclosing(client.watch(type=["memory.created"])) as changes:
        async for change in changes:
            delays.append(_age(change.timestamp))  # noqa: PERF401 - now, not at the end


async def _change(client: PalimpsestClient, rate: float, seconds: float) -> int:
    started, sent = time.perf_counter(), 0
    with show_progress("changes", int(rate * seconds)) as progress:
        while (passed := time.perf_counter() - started) < seconds:
            due = int(passed * rate) - sent
            for number in range(sent, sent + due):
                user_id = f"user-{number % USERS}"
                await client.remember(f"invented statement number {number}", user_id=user_id)
            sent += due
            progress(due)
            await asyncio.sleep(0.02)
    return sent


async def _wait_for(sent: int, *delays: list[float], within_seconds: float = 30.0) -> None:
    ends = time.perf_counter() + within_seconds
    # What is measured runs in other processes, which set no event of ours.
    while time.perf_counter() < ends and any(len(each) < sent for each in delays):  # noqa: ASYNC110
        await asyncio.sleep(0.1)


def _age(decided_at: datetime) -> float:
    return (datetime.now(UTC) - decided_at).total_seconds() * 1000
