"""The identity of a process, because its pid alone may belong to another process by now."""

import subprocess
import sys
from pathlib import Path

from pydantic import BaseModel, ConfigDict


class ProcessIdentity(BaseModel):
    """The identity of a process: pid, start time and command line distinguish it from any other."""

    model_config = ConfigDict(frozen=True)

    pid: int
    started: str
    """Start time as the system reports it, used only for comparison."""
    command: str


def identify_process(pid: int) -> ProcessIdentity | None:
    """Return the process that has this pid now; None if there is none, or only a zombie."""
    return _from_proc(pid) if sys.platform == "linux" else _from_ps(pid)


def _from_proc(pid: int) -> ProcessIdentity | None:
    process = Path("/proc") / str(pid)
    try:
        # The name in parentheses may contain anything, even spaces and parentheses.
        fields = (process / "stat").read_text().rpartition(")")[2].split()
        command = (process / "cmdline").read_bytes()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return None
    state, started = fields[0], fields[19]
    if state in "ZX":
        return None
    words = command.rstrip(b"\0").decode(errors="replace").split("\0")
    return ProcessIdentity(pid=pid, started=f"{boot} {started}", command=" ".join(words))


def _from_ps(pid: int) -> ProcessIdentity | None:
    answer = subprocess.run(  # noqa: S603 - a fixed command and a number
        ["/bin/ps", "-o", "stat=,lstart=,command=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
    )
    # STAT, five words of LSTART, then the command.
    words = answer.stdout.split()
    if answer.returncode != 0 or len(words) < 7 or words[0].startswith("Z"):
        return None
    return ProcessIdentity(pid=pid, started=" ".join(words[1:6]), command=" ".join(words[6:]))
