"""The memory that a child process uses."""

import subprocess
from contextlib import suppress


def measure_resident_bytes(pid: int) -> int:
    """Return the resident set of a process in bytes; 0 if it is unknown."""
    command = ["ps", "-o", "rss=", "-p", str(pid)]
    # Without ps, or without such a process, no memory is known.
    with suppress(OSError, ValueError, subprocess.TimeoutExpired):
        said = subprocess.run(command, capture_output=True, timeout=5, check=False)  # noqa: S603
        return int(said.stdout or 0) * 1024
    return 0
