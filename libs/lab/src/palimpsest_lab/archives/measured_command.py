"""A command of ours in a process of its own: its time, its processor time, and its memory at most."""

import asyncio
import json
import subprocess
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


_STARTER = """
import json, os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], dict(os.environ))
_, status, used = os.wait4(pid, 0)
print("\\n" + json.dumps([status, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
"""A small process between: on Linux the most memory of a process begins with that of its parent."""


def _run(arguments: Sequence[str]) -> CommandFigures:
    program = str(Path(sys.executable).with_name("palimpsest"))
    started = time.perf_counter()
    done = subprocess.run(  # noqa: S603 - the command is ours
        [sys.executable, "-I", "-S", "-c", _STARTER, program, *arguments],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    seconds = time.perf_counter() - started
    output, _, written = done.stdout.rstrip().rpartition("\n")
    status, processor_seconds, most = json.loads(written)
    if status:
        raise PermanentError(f"palimpsest {arguments[0]} failed: {output[-2_000:]}")
    return CommandFigures(
        seconds=seconds,
        processor_seconds=processor_seconds,
        most_mebibytes=most / _MACOS_FACTOR / _KIBIBYTES_PER_MEBIBYTE,
        output=output,
    )
