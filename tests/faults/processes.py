"""A process that is started, killed, stopped for a while, started again; its words go to a file."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol, Self

from palimpsest_server.embedded.parent_death_signal import wrap_command
from services.host.service_registry import SERVICES

STOP_SECONDS = 40.0
LOADS_WITHIN_SECONDS = 120.0

SERVING = (
    "services.host.commands.run",
    *(f"services.{name}.app" for name in SERVICES),
    "palimpsest_server.embedders.hashing_embedder",
    "palimpsest_server.stores.edge.vectors",
    "tests.faults.skewed",
    "tests.faults.lying_model",
)
"""All that a run's own processes load."""


class Running(Protocol):
    """What has been started, until it has ended."""

    pid: int

    @property
    def runs(self) -> bool: ...

    async def wait(self) -> None:
        """Return when it has ended."""
        ...


Start = Callable[[Sequence[str], Mapping[str, str], Path], Awaitable[Running]]
"""By its command and its environment; what it says goes behind what is in the file."""


class Executed:
    """A program of its own. It does not outlive us, however we go."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.pid = process.pid
        self._process = process

    @property
    def runs(self) -> bool:
        return self._process.returncode is None

    async def wait(self) -> None:
        await self._process.wait()


async def execute(command: Sequence[str], environment: Mapping[str, str], log: Path) -> Executed:
    with log.open("ab") as words:
        return Executed(
            await asyncio.create_subprocess_exec(
                *wrap_command(*command),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=words,
                stderr=asyncio.subprocess.STDOUT,
                env=environment,
                start_new_session=True,
            )
        )


class Forked:
    def __init__(self, pid: int, ended: asyncio.Task[bytes]) -> None:
        self.pid = pid
        self._ended = ended

    @property
    def runs(self) -> bool:
        return not self._ended.done()

    async def wait(self) -> None:
        await asyncio.wait([self._ended])


class Nursery:
    """Forks what is asked for, off a process that has loaded it. To be entered."""

    def __init__(self, directory: Path, modules: Sequence[str] = SERVING) -> None:
        """Its socket and what it says go into the directory."""
        self._socket = directory / "nursery"
        self._process = Process(
            "nursery",
            [sys.executable, "-m", "tests.faults.nursery", str(self._socket), *modules],
            directory=directory,
            environment={"OPENBLAS_NUM_THREADS": "1"},
        )
        self._writers: list[asyncio.StreamWriter] = []

    async def __aenter__(self) -> Self:
        await self._process.start()
        async with asyncio.timeout(LOADS_WITHIN_SECONDS):
            while not self._socket.exists():
                if not self._process.runs:
                    raise RuntimeError(f"the nursery ended: {self._process.last_words()}")
                await asyncio.sleep(0.1)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._process.kill()
        for writer in self._writers:
            writer.close()

    async def fork(
        self, command: Sequence[str], environment: Mapping[str, str], log: Path
    ) -> Forked:
        """`command` is a module of those that it has loaded, and arguments."""
        reader, writer = await asyncio.open_unix_connection(self._socket)
        self._writers.append(writer)
        asked = {"command": [*command], "environment": {**environment}, "log": str(log)}
        writer.write(json.dumps(asked).encode() + b"\n")
        await writer.drain()
        pid = int(await reader.readline())
        return Forked(pid, asyncio.create_task(reader.readline()))


class Process:
    """One of the run's processes under a name; again and again, as an orchestrator has it."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        directory: Path,
        environment: Mapping[str, str] | None = None,
        started_by: Start = execute,
    ) -> None:
        self.name = name
        self.command = list(command)
        self._started_by = started_by
        self.starts = 0
        self.ended_by_itself = 0
        """So often, and was started again by whoever keeps it."""
        self._wanted = False
        self._one_at_a_time = asyncio.Lock()
        """Whoever restarts it and whoever keeps it must not both start it."""
        self.log = directory / f"{name}.log"
        self._environment = {**os.environ, **(environment or {})}
        self._process: Running | None = None

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.runs

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Return when it has been started, which is not when it is ready."""
        self._wanted = True
        async with self._one_at_a_time:
            await self._start()

    async def _start(self) -> None:
        if self.runs or not self._wanted:
            return
        self.starts += 1
        self._process = await self._started_by(self.command, self._environment, self.log)

    async def kill(self) -> None:
        """Nothing of it is left when this returns; what does not run is no error."""
        self._wanted = False
        async with self._one_at_a_time:
            if self._process is not None and self.runs:
                self._signal(signal.SIGKILL)
                await self._process.wait()

    async def keep(self) -> None:
        """Start it again where it ended without being asked to, as an orchestrator does."""
        async with self._one_at_a_time:
            if self._wanted and not self.runs:
                self.ended_by_itself += 1
                await self._start()

    def pause(self) -> None:
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    async def stop(self) -> None:
        """Ask it to end, which it does in order; else make it."""
        self._wanted = False
        async with self._one_at_a_time:
            if self._process is None or not self.runs:
                return
        self.resume()
        self._signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self._process.wait()
        except TimeoutError:
            await self.kill()

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self.runs:
            # It may have ended, and we have not heard of it yet.
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    def last_words(self, lines: int = 12) -> str:
        said = self.log.read_text(errors="replace") if self.log.exists() else ""
        return "\n".join(said.splitlines()[-lines:])
