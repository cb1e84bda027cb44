"""Ports of the loopback address."""

import os
import socket
import sys
from collections.abc import Callable, Collection
from itertools import chain
from pathlib import Path

LOOPBACK = "127.0.0.1"


def is_port_free(port: int, host: str = LOOPBACK) -> bool:
    """Return whether this port is free to listen on now."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def is_port_open(port: int, host: str = LOOPBACK) -> bool:
    """Return whether any process listens on this port."""
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex((host, port)) == 0


def is_listening(pid: int, port: int) -> bool:
    """Return whether this process listens on this port.

    On systems that do not tell the process (Linux does), return whether any process listens.
    """
    if not is_port_open(port):
        return False
    return sys.platform != "linux" or bool(_listening_sockets(port) & _open_sockets(pid))


def _listening_sockets(port: int) -> set[str]:
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    suffix = f":{port:04X}"
    return {f"socket:[{row[9]}]" for row in rows if row[1].endswith(suffix) and row[3] == "0A"}


def _open_sockets(pid: int) -> set[str]:
    found: set[str] = set()
    try:
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            found.add(os.readlink(descriptor))  # noqa: PTH115 - a socket's link is no path
    except OSError:
        # The process has just ended or closed this socket; the next check will see it.
        return found
    return found


def choose_port(preferred: int | None) -> int:
    """Return the preferred port if it is free, else any free port."""
    if preferred is not None and is_port_free(preferred):
        return preferred
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
    return port


def suggest_port(
    taken: int, *, reserved: Collection[int] = (), is_free: Callable[[int], bool] = is_port_free
) -> int:
    """Return the nearest free port above `taken`, else below it; 0, which means any, if none is free.

    Ports that are `reserved` for other servers of the same program may look free, and are left out.
    """
    near = chain(range(taken + 1, min(taken + 100, 65_536)), range(taken - 1, 1023, -1))
    return next((port for port in near if port not in reserved and is_free(port)), 0)
