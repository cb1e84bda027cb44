"""Starts processes that have loaded everything already: `… -m tests.faults.nursery SOCKET MODULE…`.

Loading is two seconds of a processor, and a run starts thirty processes. What is
forked here before anything of it ran is a process like any other: its own
memory, its own end, killed and stopped like one.

Each connection asks for one process with a line of JSON, and is answered with
lines: its number at once, and when it has ended how.
"""

import gc
import json
import os
import selectors
import signal
import socket
import sys
import threading
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from palimpsest_server.embedded.parent_death_signal import request_death_with

LONGEST_QUESTION = 1 << 20
MOST_FILES = 1024
"""That the nursery has open: a socket for each of its children, and a few."""


class Nursery:
    def __init__(self, path: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{path}.bound")
        self._listener.listen(64)
        # Whoever sees it can connect.
        Path(f"{path}.bound").rename(path)
        self._children: dict[int, socket.socket] = {}
        self._woken, waking = os.pipe()
        os.set_blocking(waking, False)
        signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def run(self) -> NoReturn:
        waiting = selectors.DefaultSelector()
        waiting.register(self._listener, selectors.EVENT_READ)
        waiting.register(self._woken, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj is self._listener:
                    self._answer()
                else:
                    os.read(self._woken, 1024)
                    self._bury()

    def _answer(self) -> None:
        asking, _ = self._listener.accept()
        with asking.makefile("rb") as reading:
            asked = json.loads(reading.readline(LONGEST_QUESTION))
        nursery = os.getpid()
        process = os.fork()
        if process == 0:
            _become(asked, nursery)
        self._children[process] = asking
        asking.sendall(f"{process}\n".encode())

    def _bury(self) -> None:
        while self._children:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                return
            with self._children.pop(process) as asking:
                code = os.waitstatus_to_exitcode(status)
                with suppress(OSError):
                    asking.sendall(f"{code}\n".encode())


def _become(asked: dict[str, Any], nursery: int) -> NoReturn:
    """The process that was asked for, from here to its end."""
    code = 1
    try:
        os.setsid()
        request_death_with(nursery)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        log = os.open(asked["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for standard in (1, 2):
            os.dup2(log, standard)
        os.closerange(3, MOST_FILES)
        os.environ.clear()
        os.environ.update(asked["environment"])
        module, *arguments = asked["command"]
        sys.argv = [module, *arguments]
        import_module(module).main()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - nothing of it may reach the nursery's own loop
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    path, *modules = sys.argv[1:]
    for module in modules:
        import_module(module)
    if threading.active_count() > 1:
        raise RuntimeError("a process with threads must not be forked")
    gc.freeze()
    Nursery(path).run()


if __name__ == "__main__":
    main()
