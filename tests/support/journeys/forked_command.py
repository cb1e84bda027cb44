"""The `palimpsest` command as a fork of a process that has loaded everything already.

Each start would load the program and its models anew, which takes most of the time of a start.
"""

import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.support.journeys.loaded_command"])


def fork_command(
    arguments: Sequence[str], environment: Mapping[str, str], log: Path
) -> ForkServerProcess:
    """Start the command in a process group of its own, as from a terminal."""
    log.touch()
    process = _FORKS.Process(target=_become_command, args=(arguments, environment, log))
    process.start()
    return process


def _become_command(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
    os.setsid()
    with log.open("wb") as output, Path(os.devnull).open("rb") as nothing:
        for descriptor, file in enumerate((nothing, output, output)):
            os.dup2(file.fileno(), descriptor)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["palimpsest", *arguments]
    from services.host.cli import main  # noqa: PLC0415 - tests load none of it

    main()
