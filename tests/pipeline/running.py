"""A whole Palimpsest as a process of its own, as a newcomer runs it, and ways to end it."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Self

from palimpsest.client import PalimpsestClient
from palimpsest.embedded import instance
from palimpsest.embedded.instance import Instance
from tests.eventually import eventually

START_SECONDS = 100.0
"""Far more than it takes, for a machine that runs other things too."""

STOP_SECONDS = 40.0


def children_of(pid: int) -> set[int]:
    """Every process below this one, as the system knows them now."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found |= {child} | children_of(child)
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class RunningPalimpsest:
    """`palimpsest run` on a data directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._process: asyncio.subprocess.Process | None = None
        self.output = ""

    async def start(self) -> Self:
        """Return when it is ready."""
        self._process = await launched(self.directory)
        async with asyncio.timeout(START_SECONDS):
            while instance.find(self.directory) is None:
                if self._process.returncode is not None:
                    raise AssertionError((await self._process.communicate())[0].decode())
                await asyncio.sleep(0.05)
        return self

    @property
    def process(self) -> asyncio.subprocess.Process:
        assert self._process is not None
        return self._process

    @property
    def instance(self) -> Instance:
        found = instance.find(self.directory)
        assert found is not None
        return found

    @property
    def children(self) -> set[int]:
        return children_of(self.process.pid)

    def client(self, *, kafka: bool = False) -> PalimpsestClient:
        bootstrap = self.instance.kafka_bootstrap_servers if kafka else None
        return PalimpsestClient(
            http_url=self.instance.http_url,
            kafka_bootstrap_servers=bootstrap,
            timeout_seconds=30,
        )

    async def kill_with_children(self) -> None:
        """SIGKILL to all of it at once, as when a machine loses its power."""
        for pid in (self.process.pid, *self.children):
            os.kill(pid, signal.SIGKILL)
        await self.process.communicate()

    async def kill_alone(self) -> set[int]:
        """SIGKILL to the process itself; answers who its children were."""
        children = self.children
        self.process.kill()
        await self.process.communicate()
        return children

    async def interrupt(self) -> int:
        """Ctrl-C, which reaches the whole process group, and the exit code."""
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGINT)
        async with asyncio.timeout(STOP_SECONDS):
            self.output = (await self.process.communicate())[0].decode()
        assert self.process.returncode is not None
        return self.process.returncode


async def launched(directory: Path, *arguments: str) -> asyncio.subprocess.Process:
    """`palimpsest run` just started, in a process group of its own, like one from a terminal."""
    return await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("palimpsest")),
        "run",
        "--port=0",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "PALIMPSEST_DATA_DIRECTORY": str(directory)},
        start_new_session=True,
    )


async def gone(pids: set[int]) -> None:
    await eventually(lambda: not any(map(is_alive, pids)), within_seconds=30)
