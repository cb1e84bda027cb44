"""A command of ours in a process of its own: its time, its processor time, and its memory at most."""

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from palimpsest.model.errors import PermanentError

_KIBIBYTES_PER_MEBIBYTE = 1024
_MACOS_FACTOR = 1024 if sys.platform == "darwin" else 1


@dataclass(frozen=True)
class CommandFigures:
    seconds: float
    processor_seconds: float
    most_mebibytes: float
    """The most resident memory that it had, as the system counts it."""
    output: str


async def run_measured_command(arguments: Sequence[str]) -> CommandFigures:
    """Run `palimpsest` with these arguments.

    Raises:
        PermanentError: it failed; with its last words.
    """
    return await asyncio.to_thread(_run, arguments)


def _run(arguments: Sequence[str]) -> CommandFigures:
    program = str(Path(sys.executable).with_name("palimpsest"))
    read, write = os.pipe()
    started = time.perf_counter()
    actions = [(os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_DUP2, write, 2)]
    pid = os.posix_spawn(program, [program, *arguments], dict(os.environ), file_actions=actions)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        output = pipe.read().decode(errors="replace")
    _, status, used = os.wait4(pid, 0)
    seconds = time.perf_counter() - started
    if status:
        raise PermanentError(f"palimpsest {arguments[0]} failed: {output[-2_000:]}")
    kibibytes = used.ru_maxrss / _MACOS_FACTOR
    return CommandFigures(
        seconds=seconds,
        processor_seconds=used.ru_utime + used.ru_stime,
        most_mebibytes=kibibytes / _KIBIBYTES_PER_MEBIBYTE,
        output=output,
    )
