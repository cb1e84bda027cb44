"""Become a command that does not outlive its parent. Run as a script, standard library only.

`python leash.py PARENT COMMAND...`: where the kernel can do it (Linux), it is
asked to kill this process when the parent is gone, however it went. The
request survives the exec. Elsewhere the records of children, read at the next
start, are all there is.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def wrap_command(*command: str) -> list[str]:
    """The same command for a child of this process that is not to outlive it."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def request_death_with(parent: int) -> None:
    """Have the kernel kill this process when that one, its parent, is gone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            # The parent went between the fork and the request: nobody would kill us.
            sys.exit(1)


def main() -> None:
    parent, command = int(sys.argv[1]), sys.argv[2:]
    request_death_with(parent)
    os.execv(command[0], command)  # noqa: S606 - the command is the caller's own


if __name__ == "__main__":
    main()
