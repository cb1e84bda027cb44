"""The stages of `bench archive`: what an export, an import and the floor of an export take."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from palimpsest_lab.archives.measured_command import run_measured_command
from palimpsest_lab.instances.measured_instance import MeasuredInstance
from palimpsest_lab.reporting.report import show_progress
from palimpsest_lab.speed.process_memory import ProcessMemorySamples, read_processor_seconds
from palimpsest_server.stores.collections import CHANGE_SETS, MEMORIES
from palimpsest_server.stores.mongo.database import MongoDatabase
from services.host.imports.import_archive import import_archive
from services.host.imports.import_report import ImportReport

_SAMPLE_SECONDS = 0.5


@dataclass(kw_only=True)
class StageFigures:
    """The resources that a stage took; filled when it ends."""

    stage: str
    seconds: float = 0.0
    processor_seconds: float = 0.0
    """Those of the services, of their servers and of the process that asked, together."""
    most_mebibytes: float | None = None
    """The most resident memory of the process that asked; None where that is the benchmark itself."""
    services_growth_mebibytes: float = 0.0
    """The most resident memory of the services and their servers, above what they began with."""

    def describe(self) -> dict[str, Any]:
        """Return the row of the stage."""
        return {
            "stage": self.stage,
            "seconds": round(self.seconds, 1),
            "processor_seconds": round(self.processor_seconds, 1),
            "most_mebibytes": None if self.most_mebibytes is None else round(self.most_mebibytes),
            "services_growth_mebibytes": round(self.services_growth_mebibytes),
        }


async def measure_export(subject: MeasuredInstance, user_id: str, file: Path) -> StageFigures:
    """Run `palimpsest export` in a process of its own."""
    async with _measure(subject, "export") as figures:
        arguments = ["export", "--user", user_id, "--out", str(file), "--url", subject.http_url]
        command = await run_measured_command(arguments)
    figures.processor_seconds += command.processor_seconds
    figures.most_mebibytes = command.most_mebibytes
    return figures


async def measure_export_floor(subject: MeasuredInstance, user_id: str) -> StageFigures:
    """Read the documents that an export rests on as the database has them, and do nothing with them."""
    database = MongoDatabase(subject.mongodb_url or "", "palimpsest")
    try:
        async with _measure(subject, "read raw") as figures:
            own = time.process_time()
            for table, owner in ((MEMORIES, "scope.user_id"), (CHANGE_SETS, "user_id")):
                async for document in database.raw(table.name).find({owner: user_id}):
                    del document
            figures.processor_seconds += time.process_time() - own
    finally:
        database.close()
    return figures


async def measure_import(
    subject: MeasuredInstance, file: Path, user_id: str, records: int, report: ImportReport
) -> StageFigures:
    """Import an archive as another user."""
    async with _measure(subject, "import") as figures:
        own = time.process_time()
        with show_progress("importing", records) as progress:
            await import_archive(
                subject, file, user_id, report, started=lambda _: None, progress=progress
            )
        figures.processor_seconds += time.process_time() - own
    return figures


@asynccontextmanager
async def _measure(subject: MeasuredInstance, stage: str) -> AsyncIterator[StageFigures]:
    figures, root = StageFigures(stage=stage), subject.process_id or 0
    memory = ProcessMemorySamples(root)
    watching = asyncio.create_task(memory.watch(every_seconds=_SAMPLE_SECONDS), name="memory")
    before, started = await read_processor_seconds(root), time.perf_counter()
    try:
        yield figures
        figures.seconds = time.perf_counter() - started
        figures.processor_seconds += await read_processor_seconds(root) - before
    finally:
        watching.cancel()
    if samples := memory.together():
        figures.services_growth_mebibytes = max(samples) - samples[0]
