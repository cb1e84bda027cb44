"""The `palimpsest` command as a fork of a process that has loaded everything already.

Each start would load the program and its models anew, which takes most of the time of a start.
"""

import multiprocessing
import os
import runpy
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from tempfile import NamedTemporaryFile

from tests.support.eventually import eventually
from tests.support.forked_children import fork_children

COMMAND_SECONDS = 280.0
"""Far more than a command takes, for a machine that runs other things too."""

_FORKS = multiprocessing.get_context("forkserver")
_LOADED = ["tests.support.paused_collector", "tests.support.loaded_command"]
_FORKS.set_forkserver_preload(_LOADED)


def load_too(module: str) -> None:
    """Have this loaded, too, by the process that is forked; in vain once it has begun to load."""
    _LOADED.append(module)
    _FORKS.set_forkserver_preload(_LOADED)


def begin_to_load() -> None:
    """Begin to load, in the process that is forked; forks of this one then use that process, too."""
    forkserver.ensure_running()
    # It would take the process for one that has ended, because it is no child of a fork of this one.
    vars(forkserver._forkserver)["ensure_running"] = lambda: None


def fork_command(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    log: Path,
    *,
    forks_children: bool = True,
) -> ForkServerProcess:
    """Start the command in a process group of its own, as from a terminal.

    Its children are programs of their own where they are not to be forked.
    """
    log.touch()
    process = _FORKS.Process(
        target=_become_command, args=(arguments, environment, log, forks_children)
    )
    process.start()
    return process


def fork_program(program: Path, log: Path) -> ForkServerProcess:
    """Start a program in Python as from a terminal, where everything that it imports may be loaded."""
    log.touch()
    process = _FORKS.Process(target=_become_program, args=(program, log))
    process.start()
    return process


async def run_command(arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[int, str]:
    """Run the command to its end, and return its exit code and all that it printed."""
    with NamedTemporaryFile() as file:
        process = fork_command(arguments, environment, Path(file.name))
        try:
            await eventually(lambda: process.exitcode is not None, within_seconds=COMMAND_SECONDS)
        finally:
            process.kill()
        assert process.exitcode is not None
        return process.exitcode, file.read().decode()


def _become_command(
    arguments: Sequence[str], environment: Mapping[str, str], log: Path, forks_children: bool
) -> None:
    _leave_terminal(log)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["palimpsest", *arguments]
    from services.host.cli import main  # noqa: PLC0415 - tests load none of it

    if forks_children:
        fork_children()
    main()


def _become_program(program: Path, log: Path) -> None:
    _leave_terminal(log)
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.argv = [str(program)]
    runpy.run_path(str(program), run_name="__main__")


def _leave_terminal(log: Path) -> None:
    """Become the leader of a process group that reads nothing and writes into a file."""
    os.setsid()
    with log.open("wb") as output, Path(os.devnull).open("rb") as nothing:
        for descriptor, file in enumerate((nothing, output, output)):
            os.dup2(file.fileno(), descriptor)
