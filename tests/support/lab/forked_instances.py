"""Measured instances as forks of a process that has loaded everything already."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from tests.support.eventually import eventually
from tests.support.forked_children import find_measured_command
from tests.support.forked_command import fork_command


class ForkedInstance:
    """Stands in for a process of asyncio's, with what the lab uses of one."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self._process.pid or 0, number)

    def kill(self) -> None:
        self._process.kill()

    async def wait(self) -> int:
        await eventually(lambda: self.returncode is not None, within_seconds=280)
        assert self.returncode is not None
        return self.returncode


@contextmanager
def forked_instances() -> Iterator[None]:
    """Fork each instance that is measured meanwhile."""
    create = asyncio.create_subprocess_exec

    async def create_or_fork(program: str, *arguments: Any, **options: Any) -> Any:
        if command := find_measured_command(arguments):
            log = Path(options["stdout"].name)
            return ForkedInstance(fork_command(command, options["env"], log))
        return await create(program, *arguments, **options)

    asyncio.create_subprocess_exec = create_or_fork  # type: ignore[assignment]
    try:
        yield
    finally:
        asyncio.create_subprocess_exec = create
