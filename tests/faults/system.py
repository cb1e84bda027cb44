"""Everything of one run as processes of their own: broker, database, model, services."""

import asyncio
import itertools
import os
import random
import shutil
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Self

import httpx
from pymongo import AsyncMongoClient

from deploy.local import kafka
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.embedded.ports import is_port_free, is_port_open
from palimpsest_server.embedded.server_commands import build_database_command, build_database_url
from tests.faults.disk import Disk
from tests.faults.lying_model import NAME as MODEL
from tests.faults.processes import Nursery, Process, Start, execute

DATABASE = "faults"
PARTITIONS = 6
START_SECONDS = 300.0
BELOW_EPHEMERAL = range(20_000, 32_000)
POLL_SECONDS = 0.1
KEEP_SECONDS = 1.0
"""What an orchestrator takes to see that something has ended; it waits no longer each time."""

BROKER, DATABASE_SERVER, LANGUAGE_MODEL = "broker", "database", "model"
MEMORY = "consolidator and recall"
WRITERS = ("consolidator 1", "consolidator 2", "consolidator 3")
"""They have no vectors of their own."""
SERVICES: Mapping[str, Sequence[str]] = {
    "ingest": ("ingest",),
    "extractor": ("extractor",),
    "embedder": ("embedder",),
    "console": ("console",),
    MEMORY: ("consolidator", "recall"),
    **dict.fromkeys(WRITERS, ("consolidator",)),
}


_NOT_GIVEN = iter(random.sample(BELOW_EPHEMERAL, len(BELOW_EPHEMERAL)))
"""One draw for all systems: no two that run side by side are given the same."""


def lasting_ports(count: int) -> list[int]:
    """Free ports that no outgoing connection is given while their owner is being restarted."""
    return list(itertools.islice(filter(is_port_free, _NOT_GIVEN), count))


class System:
    """To be entered: broker and database run then, and nothing runs afterwards."""

    def __init__(self, directory: Path, nursery: Nursery, *, seed: int, troubled: bool) -> None:
        self.directory = directory
        self.disk = Disk(directory / "disk")
        self.skews: dict[str, float] = {}
        self.ports: dict[str, int] = {}
        self.processes: dict[str, Process] = {}
        self._nursery = nursery
        self._seed = seed
        self._troubled = troubled
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self.directory.mkdir(parents=True)
        self._open.enter_context(self.disk)
        self._open.push_async_callback(self._end)
        names = (BROKER, DATABASE_SERVER, LANGUAGE_MODEL, *SERVICES)
        controller, *ports = lasting_ports(1 + len(names))
        self.ports = dict(zip(names, ports, strict=True))
        prepared = await asyncio.to_thread(
            kafka.prepare, self.directory / "kafka", ports=[controller, self.ports[BROKER]]
        )
        java = shutil.which("java") or "java"
        self._add(BROKER, [java, *prepared.command[1:]])
        self._add(DATABASE_SERVER, self._database_command())
        self._add(LANGUAGE_MODEL, self._model_command(), started_by=self._nursery.fork)
        for name in SERVICES:
            command, settings = self._service_command(name), self._settings(name)
            self._add(name, command, settings, started_by=self._nursery.fork)
        await self.start(BROKER, DATABASE_SERVER, LANGUAGE_MODEL)
        self.mongodb: AsyncMongoClient[dict[str, Any]] = AsyncMongoClient(
            build_database_url(self.ports[DATABASE_SERVER]),
            serverSelectionTimeoutMS=5_000,
            tz_aware=True,
        )
        self._open.push_async_callback(self.mongodb.close)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    @property
    def kafka(self) -> KafkaSettings:
        return KafkaSettings(
            bootstrap_servers=f"127.0.0.1:{self.ports[BROKER]}", partitions=PARTITIONS
        )

    @property
    def data_directory(self) -> Path:
        """Where the one process that has vectors keeps them."""
        return self.directory / "data"

    def url(self, service: str) -> str:
        return f"http://127.0.0.1:{self.ports[service]}"

    async def start(self, *names: str) -> None:
        """Return when all of them listen."""
        for name in names:
            await self.processes[name].start()
        async with asyncio.timeout(START_SECONDS):
            for name in names:
                while not is_port_open(self.ports[name]):
                    if not self.processes[name].runs:
                        raise RuntimeError(f"{name} ended: {self.processes[name].last_words()}")
                    await asyncio.sleep(POLL_SECONDS)

    async def serve(self, *names: str) -> None:
        """Return when these services are ready."""
        await self.start(*names)
        async with (
            asyncio.timeout(START_SECONDS),
            httpx.AsyncClient(trust_env=False, timeout=10) as http,
        ):
            for name in names:
                while not await self._is_ready(http, name):  # noqa: ASYNC110 - as above
                    await asyncio.sleep(POLL_SECONDS)

    async def keep(self) -> None:
        """Start services again that end by themselves, until cancelled.

        One that comes up while the disk of its database is full does.
        """
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            for name in SERVICES:
                await self.processes[name].keep()

    async def restart(self, name: str) -> None:
        """Start it again, with its clock as it is set now, and don't wait for it."""
        if name in SERVICES:
            self.processes[name].command = self._service_command(name)
        await self.processes[name].start()

    async def stop(self, *names: str) -> None:
        await asyncio.gather(*(self.processes[name].stop() for name in names))

    async def _is_ready(self, http: httpx.AsyncClient, name: str) -> bool:
        if not self.processes[name].runs:
            raise RuntimeError(f"{name} ended: {self.processes[name].last_words()}")
        try:
            return (await http.get(f"{self.url(name)}/readyz")).status_code == httpx.codes.OK
        except httpx.HTTPError:
            return False

    def _add(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        *,
        started_by: Start = execute,
    ) -> None:
        self.processes[name] = Process(
            name,
            command,
            directory=self.directory,
            environment=environment,
            started_by=started_by,
        )

    def _database_command(self) -> list[str]:
        configuration = self.directory / "database.toml"
        configuration.touch()
        storage = self.disk.directory / "data"
        storage.mkdir()
        return build_database_command(self.ports[DATABASE_SERVER], storage, configuration)

    def _model_command(self) -> list[str]:
        port, seed = f"--port={self.ports[LANGUAGE_MODEL]}", f"--seed={self._seed}"
        command = ["tests.faults.lying_model", port, seed]
        return command if self._troubled else [*command, "--honest"]

    def _service_command(self, name: str) -> list[str]:
        ahead = str(self.skews.get(name, 0.0))
        port = f"--port={self.ports[name]}"
        return ["tests.faults.skewed", ahead, "serve", port, *SERVICES[name]]

    def _settings(self, name: str) -> dict[str, str]:
        mine = {
            "KAFKA_BOOTSTRAP_SERVERS": self.kafka.bootstrap_servers,
            "KAFKA_PARTITIONS": PARTITIONS,
            "KAFKA_SESSION_TIMEOUT_MILLISECONDS": 4_000,
            "KAFKA_REBALANCE_TIMEOUT_MILLISECONDS": 10_000,
            # Many batches, so that whatever happens happens between some.
            "KAFKA_BATCH_MAXIMUM_RECORDS": 64,
            "MONGODB_URL": build_database_url(self.ports[DATABASE_SERVER]),
            "MONGODB_DATABASE": DATABASE,
            "DATA_DIRECTORY": self.data_directory,
            "VECTORS": "edge" if name == MEMORY else "none",
            "EMBEDDER": "hashing",
            "RECONCILE_INTERVAL_SECONDS": 1,
            "RECONCILE_GRACE_SECONDS": 4,
            # What these two do depends on the day and on the order of arrival, not on what was said.
            "MAINTENANCE": "false",
            "QUOTA_TIER": "enterprise",
            "EXTRACTION_MODEL": MODEL,
            "COMPATIBLE_BASE_URL": f"{self.url(LANGUAGE_MODEL)}/v1",
            "MODEL_TIMEOUT_SECONDS": 4,
            "MODEL_BREAKER_OPEN_SECONDS": 2,
            "EXTRACTOR_LEASE_SECONDS": 12,
            "LOG_LEVEL": os.environ.get("PALIMPSEST_LOG_LEVEL", "INFO"),
        }
        return {f"PALIMPSEST_{key}": str(value) for key, value in mine.items()}

    async def _end(self) -> None:
        await asyncio.gather(*(process.kill() for process in self.processes.values()))
