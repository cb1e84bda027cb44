"""`bench freshness`: from publishing something to the first recall that returns it."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from palimpsest.bench.figures import percentiles
from palimpsest.bench.report import Report, progress_of
from palimpsest.bench.subject import Subject, embedded_subject
from palimpsest.bench.texts import Invented, invented
from palimpsest.client import PalimpsestClient
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.events import MessageAdded, RememberRequested
from palimpsest.contracts.recall import Record
from palimpsest.domain.errors import TransientError
from palimpsest.domain.turn import Role

USERS = 20
"""What arrives is spread over so many users."""

PROBES_AT_ONCE = 2
"""So many messages are watched at a time; watching all would measure the watching."""

POLL_SECONDS = 0.005
GIVE_UP_SECONDS = 30.0
TICKS_PER_SECOND = 10

DEFINITION = (
    "from before a message is handed to Kafka until the answer of the first recall over HTTP that "
    "contains it has been read; measured on the watched messages among all that arrive"
)


class What(StrEnum):
    RAW_TURNS = "raw_turns"
    REMEMBER_REQUESTED = "remember_requested"


@dataclass
class Measured:
    """What one minute gave."""

    freshness_ms: list[float] = field(default_factory=list)
    published: int = 0
    seconds: float = 0.0

    def figures(self) -> dict[str, Any]:
        return {
            "freshness_ms": percentiles(self.freshness_ms, 50, 95, 99),
            "messages_per_second": round(self.published / self.seconds, 1) if self.seconds else 0.0,
            "watched": len(self.freshness_ms),
        }


async def bench(*, rate: float, seconds: float, embedder: str | None) -> Report:
    """Each kind for so long, on a Palimpsest of its own."""
    found: dict[str, dict[str, Any]] = {}
    for what in What:
        async with embedded_subject(embedder) as subject:
            found[what.value] = (await measure(subject, what, rate=rate, seconds=seconds)).figures()
    return Report(
        title=f"From publishing to the first recall that returns it, {rate:g} messages a second",
        rows=[
            {
                "what": what,
                **{f"{name} ms": value for name, value in one["freshness_ms"].items()},
                "messages/s": one["messages_per_second"],
                "watched": one["watched"],
            }
            for what, one in found.items()
        ],
        figures={**found, "asked_rate": rate, "seconds": seconds, "definition": DEFINITION},
    )


async def measure(subject: Subject, what: What, *, rate: float, seconds: float) -> Measured:
    """Have `rate` messages a second arrive for so long, and watch some of them.

    Raises:
        TransientError: one was not to be recalled after 30 s.
    """
    measured = Measured()
    texts = invented(seed=list(What).index(what) + 1)
    async with AsyncExitStack() as stack:
        kafka = await stack.enter_async_context(subject.over_kafka())
        http = await stack.enter_async_context(subject.over_http())
        progress = stack.enter_context(progress_of(what.value, int(rate * seconds)))
        started = time.perf_counter()
        arriving = Arriving(kafka, what, texts, measured, progress)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(arriving.publish_at(rate, until=started + seconds))
            for number in range(PROBES_AT_ONCE):
                watching = _watch(arriving, http, f"watched-{number}", started + seconds)
                tasks.create_task(watching)
        measured.seconds = time.perf_counter() - started
    return measured


class Arriving:
    """Traffic at a rate. What is published to be watched counts towards the rate."""

    def __init__(
        self,
        client: PalimpsestClient,
        what: What,
        texts: Iterator[Invented],
        measured: Measured,
        progress: Callable[[int], None],
    ) -> None:
        self.what = what
        self.measured = measured
        self._client = client
        self._texts = texts
        self._progress = progress

    async def publish_at(self, rate: float, *, until: float) -> None:
        started = time.perf_counter()
        while (now := time.perf_counter()) < until:
            before = self.measured.published
            due = range(before, int((now - started) * rate))
            events = [self.event(f"arriving-{number % USERS}")[0] for number in due]
            await self.publish(events)
            await asyncio.sleep(1 / TICKS_PER_SECOND)

    def event(self, user_id: str) -> tuple[Event, Invented]:
        said = next(self._texts)
        return _event(self.what, user_id, said), said

    async def publish(self, events: list[Event]) -> None:
        if events:
            self.measured.published += len(events)
            self._progress(len(events))
            await self._client.publish(events)


async def _watch(arriving: Arriving, http: PalimpsestClient, user_id: str, until: float) -> None:
    while time.perf_counter() < until:
        event, said = arriving.event(user_id)
        started = time.perf_counter()
        await arriving.publish([event])
        await _first_seen(http, arriving.what, user_id, said)
        arriving.measured.freshness_ms.append((time.perf_counter() - started) * 1000)


async def _first_seen(http: PalimpsestClient, what: What, user_id: str, said: Invented) -> None:
    try:
        async with asyncio.timeout(GIVE_UP_SECONDS):
            while not await _seen(http, what, user_id, said):  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise TransientError(f"not to be recalled after {GIVE_UP_SECONDS:.0f} s") from None


async def _seen(http: PalimpsestClient, what: What, user_id: str, said: Invented) -> bool:
    record = Record.TURN if what is What.RAW_TURNS else Record.MEMORY
    answer = await http.recall(said.mark, user_id=user_id, records=[record], preview=True)
    return any(said.mark in result.content for result in answer.results)


def _event(what: What, user_id: str, said: Invented) -> Event:
    now = datetime.now(UTC)
    if what is What.REMEMBER_REQUESTED:
        return RememberRequested(occurred_at=now, user_id=user_id, content=said.text)
    return MessageAdded(
        occurred_at=now,
        user_id=user_id,
        session_id=f"session-{user_id}",
        message_id=said.mark,
        role=Role.USER,
        text=said.text,
    )
