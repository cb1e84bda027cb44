"""`bench fairness`: how long a quiet user waits while a heavy one's sessions are understood.

One user brings many sessions of long messages at once. Beside them quiet users come one after
another, each with one short message that ends its session, and are watched until it is a memory.
"""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any

from palimpsest.api.resources import ExtractionStarted
from palimpsest.client import Message, PalimpsestClient
from palimpsest.client.errors import NotFound
from palimpsest.model.errors import TransientError
from palimpsest.model.turn import Role
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_percentiles

UNDERSTOOD_SECONDS = 5.0
"""The target: what a quiet user says is a memory by then."""

GIVE_UP_SECONDS = 600.0
POLL_SECONDS = 0.05
SENT_AT_ONCE = 8

HEAVY_USER = "heavy"

_CLAUSES = (
    "I bought {thing} number {number}",
    "I like tea blend {number}",
    "my colleague Ann{number} lives in {city}",
    "we decided to use plan {number} for the {thing}",
    "I will fly to {city} on May {day}",
    "I don't like dish {number}",
    "No, I meant {number}",
    "actually my locker is {number}",
)
_THINGS = ("lamp", "chair", "kettle", "tent", "guitar", "camera", "scarf", "canoe")
_CITIES = ("Lyon", "Oslo", "Porto", "Turin", "Ghent", "Basel", "Bergen", "Graz")

DEFINITION = (
    "heavy: all sessions are sent before the first quiet user comes, each of so many messages of so "
    "many KB of repeated clauses; understood: from before a quiet user's message was sent over HTTP "
    "until the list of their memories, asked every 50 ms, had it; beside: quiet users who were "
    "understood while windows of the heavy user were still waiting"
)


@dataclass(frozen=True, kw_only=True)
class HeavyLoad:
    sessions: int
    messages: int
    """Messages of each session."""
    kilobytes: int
    """Size of each message."""


@dataclass
class FairnessMeasurement:
    understood_seconds: list[float] = field(default_factory=list)
    beside: int = 0
    heavy_windows: int = 0

    def figures(self) -> dict[str, Any]:
        return {
            "understood_seconds": compute_percentiles(self.understood_seconds, 50, 95, 100),
            "quiet_users": len(self.understood_seconds),
            "beside": self.beside,
            "heavy_windows": self.heavy_windows,
        }


async def run_benchmark(
    load: HeavyLoad, *, quiet_users: int, embedder: str | None
) -> BenchmarkReport:
    """Run on a Palimpsest of its own.

    Raises:
        TransientError: a quiet user was never understood.
    """
    async with run_embedded_instance(embedder) as subject:
        measured = await measure_fairness(subject, load, quiet_users=quiet_users)
    figures = measured.figures()
    held = check_fairness_target(figures)
    return BenchmarkReport(
        title=(
            f"A quiet user beside {load.sessions} sessions of {load.messages} messages"
            f" of {load.kilobytes} KB"
        ),
        rows=[{"what": "understood, in s", **figures["understood_seconds"], "holds": held}],
        figures={
            **figures,
            "holds": held,
            "sessions": load.sessions,
            "messages": load.messages,
            "kilobytes": load.kilobytes,
            "definition": DEFINITION,
        },
        remark=(
            f"{measured.beside} of {len(measured.understood_seconds)} while the heavy user's"
            " windows were waiting."
        ),
    )


def check_fairness_target(figures: dict[str, Any]) -> bool:
    """Return whether every quiet user was understood in time, and there was a heavy one beside."""
    longest = figures["understood_seconds"].get("p100", float("inf"))
    return bool(longest <= UNDERSTOOD_SECONDS and figures["beside"] > 0)


def repeat_clauses(size: int, seed: int) -> str:
    """Return a text of at least so many bytes: clauses of a few forms, each with its own number."""
    chosen = Random(seed)  # noqa: S311 - to be repeated, not to be kept secret
    parts: list[str] = []
    length = 0
    while length < size:
        number = len(parts)
        clause = chosen.choice(_CLAUSES).format(
            number=number,
            thing=chosen.choice(_THINGS),
            city=chosen.choice(_CITIES),
            day=number % 28 + 1,
        )
        parts.append(clause)
        length += len(clause) + 2
    return ". ".join(parts)


async def measure_fairness(
    subject: MeasuredInstance, load: HeavyLoad, *, quiet_users: int
) -> FairnessMeasurement:
    """Bring the heavy user's sessions, then quiet users one after another."""
    measured = FairnessMeasurement()
    # A busy machine answers late; that is what is measured, and not a failure.
    async with PalimpsestClient(
        http_url=subject.http_url, api_key=subject.api_key, timeout_seconds=GIVE_UP_SECONDS
    ) as http:
        await _understand(http, "warming")
        with show_progress("heavy sessions", load.sessions) as advance:
            sending = asyncio.Semaphore(SENT_AT_ONCE)

            async def bring(number: int) -> str:
                async with sending:
                    last = await _bring_session(http, load, number)
                    advance(1)
                    return last

            last = await asyncio.gather(*(bring(number) for number in range(load.sessions)))
        measured.heavy_windows = len(last)
        with show_progress("quiet users", quiet_users) as advance:
            for number in range(quiet_users):
                measured.understood_seconds.append(await _understand(http, f"quiet-{number}"))
                measured.beside += await _is_waiting(http, last)
                advance(1)
    return measured


async def _bring_session(http: PalimpsestClient, load: HeavyLoad, number: int) -> str:
    """Send a session and have it understood; returns the change set of its last window."""
    session_id = f"heavy-{number}"
    for message in _write_messages(load, number):
        await http.save_conversation([message], user_id=HEAVY_USER, session_id=session_id)
    started = await _extract_all(http, session_id, HEAVY_USER)
    return next(
        requested_window.change_set_id or "" for requested_window in reversed(started.windows)
    )


async def _extract_all(http: PalimpsestClient, session_id: str, user_id: str) -> ExtractionStarted:
    """Ask until no message is on its way any more: on a busy machine that takes seconds."""
    started = await http.extract(session_id, user_id=user_id)
    while started.on_their_way:
        await asyncio.sleep(POLL_SECONDS)
        started = await http.extract(session_id, user_id=user_id)
    return started


def _write_messages(load: HeavyLoad, session: int) -> Iterator[Message]:
    for number in range(load.messages):
        yield Message(
            message_id=str(number),
            role=Role.USER,
            text=repeat_clauses(load.kilobytes * 1_000, seed=session * load.messages + number),
            occurred_at=datetime.now(UTC),
        )


async def _understand(http: PalimpsestClient, user_id: str) -> float:
    """Have one message of a user understood; returns the seconds until its memory was listed."""
    began = time.perf_counter()
    message = Message(
        message_id="1", role=Role.USER, text="I live in Lisbon.", occurred_at=datetime.now(UTC)
    )
    await http.save_conversation([message], user_id=user_id, session_id=user_id)
    await _extract_all(http, user_id, user_id)
    try:
        async with asyncio.timeout(GIVE_UP_SECONDS):
            while not (await http.list(user_id=user_id)).memories:  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise TransientError(f"not understood after {GIVE_UP_SECONDS:.0f} s") from None
    return time.perf_counter() - began


async def _is_waiting(http: PalimpsestClient, change_sets: list[str]) -> bool:
    """Tell whether some of the heavy user's sessions are not understood to their end yet."""
    for change_set_id in reversed(change_sets):
        try:
            await http.change(change_set_id, user_id=HEAVY_USER)
        except NotFound:
            return True
    return False
