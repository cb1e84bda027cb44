"""`bench reminders`: thousands of todos whose reminders are all due at one moment."""

import asyncio
import json
import time
from datetime import UTC, datetime, timedelta

from aiokafka import AIOKafkaConsumer

from palimpsest.events.topics import NOTIFICATIONS
from palimpsest.model.errors import TransientError
from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_percentiles
from palimpsest_server.stores.collections import TODOS
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.todos import todo_document

TODOS_PER_USER = 10
WRITTEN_TOGETHER = 500
WRITTEN_BEFORE = timedelta(seconds=20)
WRITTEN_BEFORE_PER_TODO = timedelta(milliseconds=10)
"""Before they are due all are in the database, on a machine that has something else to do too."""

TARGET_SECONDS = 60.0
GIVE_UP_SECONDS = 600.0

DEFINITION = (
    "all are due at one moment; from that moment until the reminder was read from the topic "
    "`notifications`, by one reader of all partitions"
)


async def run_benchmark(*, todos: int, embedder: str | None) -> BenchmarkReport:
    """Have so many reminders fall due at once, on a Palimpsest of its own."""
    async with run_embedded_instance(embedder) as subject:
        seconds, repeated = await measure_reminders(subject, todos)
    last = max(seconds, default=0.0)
    within = len(seconds) == todos and last <= TARGET_SECONDS
    figures = {
        "todos": todos,
        "given": len(seconds),
        "given_twice": repeated,
        "seconds": compute_percentiles(seconds, 50, 95, 99),
        "last_seconds": round(last, 2),
        "within_a_minute": within,
        "definition": DEFINITION,
    }
    return BenchmarkReport(
        title=f"{todos:,} reminders that are due at one moment, in seconds",
        rows=[
            {
                "given": len(seconds),
                "given twice": repeated,
                **compute_percentiles(seconds, 50, 95, 99),
                "last": round(last, 2),
                "within a minute": within,
            }
        ],
        figures=figures,
    )


async def measure_reminders(subject: MeasuredInstance, todos: int) -> tuple[list[float], int]:
    """Return after how many seconds each reminder was read, and how many were read twice."""
    due_at = datetime.now(UTC) + WRITTEN_BEFORE + todos * WRITTEN_BEFORE_PER_TODO
    consumer = AIOKafkaConsumer(
        NOTIFICATIONS.name,
        bootstrap_servers=subject.kafka_bootstrap_servers,
        auto_offset_reset="earliest",
    )
    await consumer.start()
    try:
        await _write_todos(subject.mongodb_url or "", todos, due_at)
        late_by = (datetime.now(UTC) - due_at).total_seconds()
        if late_by > 0:
            raise TransientError("the todos were not written before they were due")
        return await _read(consumer, todos, time.perf_counter() - late_by)
    finally:
        await consumer.stop()


async def _write_todos(mongodb_url: str, todos: int, due_at: datetime) -> None:
    database = MongoDatabase(mongodb_url, "palimpsest")
    try:
        for first in range(0, todos, WRITTEN_TOGETHER):
            numbers = range(first, min(first + WRITTEN_TOGETHER, todos))
            documents = [todo_document(_todo(number, due_at)) for number in numbers]
            await database.collection(TODOS).insert_many(documents, ordered=False)
    finally:
        database.close()


def _todo(number: int, due_at: datetime) -> Todo:
    return Todo(
        id=f"todo-{number}",
        scope=Scope(user_id=f"user-{number // TODOS_PER_USER}"),
        content=f"call number {number}",
        due_at=due_at,
        remind_at=due_at,
        created_at=due_at - timedelta(days=1),
        epoch=0,
    )


async def _read(consumer: AIOKafkaConsumer, todos: int, began: float) -> tuple[list[float], int]:
    read: dict[str, float] = {}
    repeated = 0
    with show_progress("reminders", todos) as progress:
        while len(read) < todos and time.perf_counter() - began < GIVE_UP_SECONDS:
            records = await consumer.getmany(timeout_ms=1_000)
            now = time.perf_counter() - began
            for event in (json.loads(one.value) for some in records.values() for one in some):
                repeated += event["event_id"] in read
                read.setdefault(event["event_id"], now)
            progress(sum(len(some) for some in records.values()))
        await asyncio.sleep(0)
    return list(read.values()), repeated
