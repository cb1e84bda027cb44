"""A server as a child process: start it, wait for it, stop it."""

import asyncio
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from palimpsest.model.errors import PalimpsestError
from palimpsest_server.embedded.child_records import ChildRecords
from palimpsest_server.embedded.parent_death_signal import wrap_command
from palimpsest_server.embedded.ports import is_listening
from palimpsest_server.embedded.process_identity import ProcessIdentity, identify_process

_POLL_SECONDS = 0.02
_LAST_LINES = 8
_START_SECONDS = 15.0
_STOP_SECONDS = 8.0
"""A child that still runs after this time is killed."""


class ChildServerFailed(PalimpsestError):
    """A child process would not start, or went away."""


class ChildServer:
    """A child server that listens on one port of the loopback address.

    The child has a session of its own, so that Ctrl-C reaches only this process, which stops the child
    after its users. The child's output goes to a log file that begins anew with each start.
    """

    def __init__(
        self, name: str, command: Sequence[str], *, port: int, log: Path, records: ChildRecords
    ) -> None:
        self.name = name
        self.port = port
        self._command = list(command)
        self._log = log
        self._records = records
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The pid of the running child; None if it does not run."""
        return self._process.pid if self._process and self.exit_code is None else None

    @property
    def exit_code(self) -> int | None:
        """The exit code; None while the child runs, negative for a signal."""
        return self._process.poll() if self._process else None

    async def start(self) -> None:
        """Start the child; returns when it listens.

        Raises:
            ChildServerFailed: the child ended first, or took too long; the message has its last output.
        """
        process = self._spawn()
        deadline = time.monotonic() + _START_SECONDS
        # A port that was free for both may have gone to another server first.
        while not is_listening(process.pid, self.port):
            if self.exit_code is not None:
                raise ChildServerFailed(
                    f"The {self.name} ended as it started. {self._last_words()}"
                )
            if time.monotonic() > deadline:
                await self.stop()
                raise ChildServerFailed(
                    f"The {self.name} did not listen on port {self.port} within"
                    f" {_START_SECONDS:.0f} s. {self._last_words()}"
                )
            await asyncio.sleep(_POLL_SECONDS)

    async def ended(self) -> int:
        """Wait until the child has ended, and return its exit code."""
        while (code := self.exit_code) is None:  # noqa: ASYNC110 - a process sets no event
            await asyncio.sleep(5 * _POLL_SECONDS)
        return code

    async def stop(self) -> None:
        """Ask the child to stop, then kill it. A child that does not run is no error."""
        process = self._process
        if process is None:
            return
        process.terminate()
        deadline = time.monotonic() + _STOP_SECONDS
        while process.poll() is None:
            if time.monotonic() > deadline:
                process.kill()
            await asyncio.sleep(_POLL_SECONDS)
        self._records.remove(self.name)

    def _spawn(self) -> "subprocess.Popen[bytes]":
        with self._log.open("wb") as log:
            process = subprocess.Popen(  # noqa: S603 - our own command
                wrap_command(*self._command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._log.parent,
                start_new_session=True,
            )
        self._process = process
        found = identify_process(process.pid)
        if found is not None:
            self._records.add(
                self.name,
                ProcessIdentity(
                    pid=found.pid, started=found.started, command=" ".join(self._command)
                ),
            )
        return process

    def _last_words(self) -> str:
        lines = self._log.read_text(errors="replace").strip().splitlines()[-_LAST_LINES:]
        return "It said: " + " | ".join(lines) if lines else "It said nothing."
