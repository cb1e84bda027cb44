"""Children of a forked command as forks of it: what a child would load is loaded in it already.

How a child is started as a program of its own is tested beside `ChildProcess`, and in tests/stack.
"""

import asyncio
import gc
import os
import runpy
import signal
import sys
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from palimpsest_server.embedded.parent_death_signal import request_death_with

_MODULES = frozenset(
    {
        "palimpsest_server.embedders.embedding_child",
        "palimpsest_server.extraction.local_extractor_child",
    }
)

_ENDING = (signal.SIGINT, signal.SIGTERM)


def find_measured_command(arguments: Sequence[Any]) -> list[str] | None:
    """The arguments of `palimpsest` where this starts a measured instance, which ends with its parent."""
    match arguments:
        case ("-m", "palimpsest_server.embedded.parent_death_signal", _, program, *rest):
            return [*rest] if Path(program).name == "palimpsest" else None
    return None


def fork_children() -> None:
    """Let this process fork those of its children that are ours, where an end of one can be waited for."""
    if not hasattr(os, "pidfd_open"):
        return
    create = asyncio.create_subprocess_exec

    async def create_or_fork(program: str, *arguments: str, **options: Any) -> Any:
        if arguments[:1] == ("-m",) and arguments[1] in _MODULES:
            return await _fork_module(arguments[1:], options["env"])
        if command := find_measured_command(arguments):
            output = options["stdout"].fileno()
            pid = _fork(
                partial(_run_palimpsest, command, os.getpid()), options["env"], (0, output, output)
            )
            return ForkedChild(pid)
        return await create(program, *arguments, **options)

    asyncio.create_subprocess_exec = create_or_fork  # type: ignore[assignment]


class ForkedChild:
    """Stands in for a process of asyncio's, with what is used of one."""

    def __init__(
        self,
        pid: int,
        stdin: asyncio.StreamWriter | None = None,
        stdout: asyncio.StreamReader | None = None,
    ) -> None:
        self.pid, self.stdin, self.stdout = pid, stdin, stdout
        self.returncode: int | None = None
        self._ended = asyncio.create_task(self._wait())

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)

    async def _wait(self) -> int:
        loop, over = asyncio.get_running_loop(), asyncio.Event()
        descriptor = os.pidfd_open(self.pid)
        loop.add_reader(descriptor, over.set)
        try:
            await over.wait()
        finally:
            loop.remove_reader(descriptor)
            os.close(descriptor)
        _, status = os.waitpid(self.pid, 0)  # noqa: ASYNC222 - it has ended
        self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


async def _fork_module(arguments: Sequence[str], environment: Mapping[str, str]) -> ForkedChild:
    (asked, ask), (answered, answer) = os.pipe(), os.pipe()
    pid = _fork(partial(_run_module, arguments), environment, (asked, answer, 2))
    os.close(asked)
    os.close(answer)
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await loop.connect_read_pipe(lambda: protocol, os.fdopen(answered, "rb"))
    transport, _ = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(ask, "wb")
    )
    return ForkedChild(pid, asyncio.StreamWriter(transport, protocol, reader, loop), reader)


def _fork(
    become: Callable[[], object], environment: Mapping[str, str], descriptors: Sequence[int]
) -> int:
    # A signal that reached the child before it has handlers of its own would be heard by the loop of its
    # parent, which holds the other end of what wakes both.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    pid = os.fork() or _become(become, environment, descriptors, before)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return pid


def _become(
    become: Callable[[], object],
    environment: Mapping[str, str],
    descriptors: Sequence[int],
    blocked: Collection[int],
) -> NoReturn:
    code = 1
    try:
        # What belongs to the parent is not closed by whoever collects waste.
        gc.freeze()
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in _ENDING:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for descriptor, given in enumerate(descriptors):
            os.dup2(given, descriptor)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        # A process of multiprocessing reads nothing, whatever its first descriptor is.
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - a descriptor, to the end
        os.environ.clear()
        os.environ.update(environment)
        become()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0
    except BaseException:  # noqa: BLE001 - nothing of the parent may go on in its child
        traceback.print_exc()
    sys.stdout.flush()
    os._exit(code)


def _run_module(arguments: Sequence[str]) -> None:
    sys.argv = [*arguments]
    runpy.run_module(arguments[0], run_name="__main__")


def _run_palimpsest(arguments: Sequence[str], parent: int) -> None:
    from services.host.cli import main  # noqa: PLC0415 - tests load none of it

    request_death_with(parent)
    sys.argv = ["palimpsest", *arguments]
    main()
