"""Runs several processes of the same services behind one port; each has a port of its own besides.

All accept from one queue, so requests in it are answered by the others when a process ends. Each
process answers probes and Prometheus for itself at its own port.
"""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Sequence

from palimpsest.model.errors import PalimpsestError, PermanentError
from palimpsest_server.embedded.parent_death_signal import wrap_command
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.runtime.vector_backends import (
    describe_server_backends,
    find_vector_backend,
)
from services.host.service_registry import SEARCHING_SERVICES

_STOP_SECONDS = 30.0
"""Seconds until a stopping process is killed: more than a process gives its own services."""

_AGAIN_SECONDS = 1.0
"""Seconds until a killed process is replaced."""

Say = Callable[[str], None]
ProcessCommandBuilder = Callable[[int], Sequence[str]]
"""Returns the command of the process with this number, counted from 1."""


class ServiceProcessEnded(PalimpsestError):
    """A process ended by itself: the cause affects the others too."""


def check_multiple_processes(settings: Settings, names: Sequence[str]) -> None:
    """Check that several processes may run these services.

    Raises:
        PermanentError: says what to do.
    """
    backend = find_vector_backend(settings)
    if backend is not None and not backend.is_server and SEARCHING_SERVICES & set(names):
        raise PermanentError(
            "The embedded vectors belong to one process. For several, set "
            f"{describe_server_backends()}, which is the address of the server."
        )


def build_process_command(names: Sequence[str], port: int, shared: int) -> ProcessCommandBuilder:
    """Build commands of `palimpsest serve`: each at its own port, and accepting from the shared socket.

    Args:
        names: the names of the services.
        port: the shared port; the own ports follow it. If it is 0, each process takes any free
            port.
        shared: the file descriptor of the bound shared socket.
    """

    def command(number: int) -> Sequence[str]:
        own = port + number if port else 0
        options = (f"--port={own}", f"--also-accept-from={shared}")
        return (sys.executable, "-m", "services.host", "serve", *names, *options)

    return command


async def run_processes(
    command_of: ProcessCommandBuilder, count: int, listening: socket.socket, *, say: Say
) -> None:
    """Run `count` processes until cancelled, then stop them. A killed process is started again.

    Raises:
        ServiceProcessEnded: a process ended by itself and said why; the others were stopped.
    """
    keeping = [
        asyncio.create_task(_keep(command_of(number), number, listening, say))
        for number in range(1, count + 1)
    ]
    try:
        done, _ = await asyncio.wait(keeping, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in keeping:
            task.cancel()
        await asyncio.gather(*keeping, return_exceptions=True)
    for task in done:
        await task


async def _keep(command: Sequence[str], number: int, listening: socket.socket, say: Say) -> None:
    while True:
        process = await _spawn(command, listening)
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            await _stop(process)
            raise
        if code >= 0:
            raise ServiceProcessEnded(
                f"Process {number} ended with exit code {code}; it said why above."
            )
        say(f"process {number} was ended by {signal.Signals(-code).name}; another takes its place")
        await asyncio.sleep(_AGAIN_SECONDS)


async def _spawn(command: Sequence[str], listening: socket.socket) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *wrap_command(*command),
        stdin=asyncio.subprocess.DEVNULL,
        pass_fds=(listening.fileno(),),
    )


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), _STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
