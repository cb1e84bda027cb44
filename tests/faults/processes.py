"""A process that is started, killed, stopped for a while, started again; its words go to a file."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from palimpsest.embedded import leash

STOP_SECONDS = 40.0


class Process:
    """One of the run's processes under a name; again and again, as an orchestrator has it."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        directory: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.command = list(command)
        self.starts = 0
        self.log = directory / f"{name}.log"
        self._environment = {**os.environ, **(environment or {})}
        self._process: asyncio.subprocess.Process | None = None

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Return when it has been started, which is not when it is ready."""
        if self.runs:
            return
        self.starts += 1
        with self.log.open("ab") as log:
            # It does not outlive us, however we go.
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", leash.__file__, str(os.getpid()), *self.command),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=asyncio.subprocess.STDOUT,
                env=self._environment,
                start_new_session=True,
            )

    async def kill(self) -> None:
        """Nothing of it is left when this returns; what does not run is no error."""
        if self._process is not None and self.runs:
            self._process.kill()
            await self._process.wait()

    def pause(self) -> None:
        if self._process is not None and self.runs:
            self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        if self._process is not None and self.runs:
            self._process.send_signal(signal.SIGCONT)

    async def stop(self) -> None:
        """Ask it to end, which it does in order; else make it."""
        if self._process is None or not self.runs:
            return
        self.resume()
        self._process.terminate()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self._process.wait()
        except TimeoutError:
            await self.kill()

    def last_words(self, lines: int = 12) -> str:
        said = self.log.read_text(errors="replace") if self.log.exists() else ""
        return "\n".join(said.splitlines()[-lines:])
