"""Does to a system what was planned, as what is said gets on, and writes it down."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.faults.plan import Fault, Kind
from tests.faults.system import BROKER, DATABASE_SERVER, System

RESTART_SECONDS = 0.7
"""What an orchestrator takes to see that something has ended."""


@dataclass(frozen=True)
class Done:
    """One line of the ledger."""

    after_seconds: float
    stage: int
    said: int
    """So many things had been taken by then."""
    fault: Fault


class Progress:
    """How far what is said has got."""

    def __init__(self, total: int = 0) -> None:
        self.said = 0
        self._total = total
        self._moved = asyncio.Event()

    def step(self) -> None:
        self.said += 1
        self._moved.set()

    async def until(self, share: float) -> None:
        """Return when so much of the whole was taken."""
        while self.said < share * self._total:
            self._moved.clear()
            await self._moved.wait()


class Injecting:
    def __init__(self, system: System, *, say: Callable[[str], None]) -> None:
        self._system = system
        self._say = say
        self._began = time.monotonic()
        self.ledger: list[Done] = []

    async def run(self, stage: int, faults: Sequence[Fault], progress: Progress) -> None:
        """Return when all was done and undone, whether or not anything has recovered from it."""
        async with asyncio.TaskGroup() as under_way:
            for fault in faults:
                await progress.until(fault.at)
                after = time.monotonic() - self._began
                self.ledger.append(Done(round(after, 1), stage, progress.said, fault))
                self._say(f"{fault.target}: {fault.kind}")
                under_way.create_task(self._do(fault))

    async def _do(self, fault: Fault) -> None:
        process = self._system.processes[fault.target]
        if fault.target not in (BROKER, DATABASE_SERVER):
            self._system.skews[fault.target] = fault.clock_seconds
        match fault.kind:
            case Kind.KILL | Kind.GONE:
                await process.kill()
                await asyncio.sleep(max(RESTART_SECONDS, fault.seconds))
                await self._system.restart(fault.target)
            case Kind.STOP:
                process.pause()
                await asyncio.sleep(fault.seconds)
                process.resume()
            case Kind.JOIN:
                await self._system.restart(fault.target)
            case Kind.LEAVE:
                await process.stop()
            case Kind.DISK_FULL:
                await self._fill_up(fault)

    async def _fill_up(self, fault: Fault) -> None:
        """A database that met a full disk has to be started again, as an operator would."""
        process, disk = self._system.processes[fault.target], self._system.disk
        await asyncio.to_thread(disk.fill, process.pid)
        await asyncio.sleep(fault.seconds)
        disk.free(process.pid)
        await process.kill()
        await self._system.restart(fault.target)
