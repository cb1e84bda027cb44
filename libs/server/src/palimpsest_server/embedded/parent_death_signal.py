"""Become a command that does not outlive its parent. Run as a script, standard library only.

`python parent_death_signal.py PARENT COMMAND...`: on Linux the kernel is asked to kill this process when
its parent ends, however that happens. The request survives the exec. On other systems only the records
of children help, which the next start reads.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def wrap_command(*command: str) -> list[str]:
    """Return the command wrapped for a child of this process that must not outlive it."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def request_death_with(parent: int) -> None:
    """Have the kernel kill this process when `parent` ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            # The parent ended between the fork and the request, so nobody would kill this process.
            sys.exit(1)


def main() -> None:
    parent, command = int(sys.argv[1]), sys.argv[2:]
    request_death_with(parent)
    os.execv(command[0], command)  # noqa: S606 - the command is the caller's own


if __name__ == "__main__":
    main()
