"""A whole Palimpsest as a process of its own, as a newcomer runs it, and ways to end it."""

import os
import signal
from contextlib import suppress
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Self

from palimpsest.client import PalimpsestClient
from palimpsest_server.embedded import instance
from palimpsest_server.embedded.instance import EmbeddedInstance
from tests.support.eventually import eventually
from tests.support.forked_command import fork_command, run_command

START_SECONDS = 100.0
"""Far more than it takes, for a machine that runs other things too."""

STOP_SECONDS = 60.0

PATIENCE = {"PALIMPSEST_COMMAND_WAIT_SECONDS": "20", "PALIMPSEST_PROXY_RECALL_SECONDS": "20"}
"""A person would not wait that long; a test waits for as long as a busy machine needs."""


def children_of(pid: int) -> set[int]:
    """Every process below this one, as the system knows them now."""
    found: set[int] = set()
    # A thread or a process may end while it is looked at.
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                for child in map(int, (task / "children").read_text().split()):
                    found |= {child} | children_of(child)
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


async def gone(pids: set[int]) -> None:
    await eventually(lambda: not any(map(is_alive, pids)), within_seconds=30)


class RunningPalimpsest:
    """`palimpsest run` on a data directory, in a process group of its own as from a terminal.

    Belongs to no event loop: a fixture of the session can start it.
    """

    def __init__(self, directory: Path, *, forks_children: bool = True, **variables: str) -> None:
        """`variables` are those of its environment beside our own."""
        self.directory = directory
        self._forks_children = forks_children
        self._variables = variables
        self._log = directory.with_name(f"{directory.name}.log")
        self._process: ForkServerProcess | None = None

    def launch(self, *, port: int = 0) -> None:
        data = {"PALIMPSEST_DATA_DIRECTORY": str(self.directory)}
        environment = {**os.environ, **PATIENCE, **self._variables, **data}
        self._process = fork_command(
            ["run", f"--port={port}"],
            environment,
            self._log,
            forks_children=self._forks_children,
        )

    async def start(self) -> Self:
        """Return when it is ready."""
        self.launch()
        await eventually(self._ready_or_ended, within_seconds=START_SECONDS)
        assert self.process.exitcode is None, self.output
        return self

    def _ready_or_ended(self) -> bool:
        return (
            self.process.exitcode is not None or instance.find_instance(self.directory) is not None
        )

    @property
    def process(self) -> ForkServerProcess:
        assert self._process is not None
        return self._process

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    @property
    def output(self) -> str:
        return self._log.read_text()

    @property
    def instance(self) -> EmbeddedInstance:
        found = instance.find_instance(self.directory)
        assert found is not None
        return found

    @property
    def children(self) -> set[int]:
        return children_of(self.pid)

    def client(self, *, kafka: bool = False) -> PalimpsestClient:
        bootstrap = self.instance.kafka_bootstrap_servers if kafka else None
        return PalimpsestClient(
            http_url=self.instance.http_url,
            kafka_bootstrap_servers=bootstrap,
            timeout_seconds=30,
        )

    async def kill_with_children(self) -> None:
        """SIGKILL to all of it at once, as when a machine loses its power."""
        for pid in (self.pid, *self.children):
            os.kill(pid, signal.SIGKILL)
        await self.ended()

    async def kill_alone(self) -> set[int]:
        """SIGKILL to the process itself; answers who its children were."""
        children = self.children
        self.process.kill()
        await self.ended()
        return children

    async def interrupt(self) -> int:
        """Ctrl-C, which reaches the whole process group, and the exit code."""
        if self.process.exitcode is None:
            os.killpg(self.pid, signal.SIGINT)
        return await self.ended()

    async def put_away(self) -> None:
        """Leave nothing behind, whatever became of the test."""
        if self._process is not None and self._process.exitcode is None:
            await self.kill_with_children()

    async def ended(self) -> int:
        """Wait for its end, and answer its exit code."""
        await eventually(lambda: self.process.exitcode is not None, within_seconds=STOP_SECONDS)
        assert self.process.exitcode is not None
        return self.process.exitcode


async def command(running: RunningPalimpsest, *arguments: str) -> tuple[int, str]:
    """Run `palimpsest ...` and return its exit code and output, on the data of this instance."""
    return await run_command(
        arguments, {**os.environ, "PALIMPSEST_DATA_DIRECTORY": str(running.directory)}
    )
