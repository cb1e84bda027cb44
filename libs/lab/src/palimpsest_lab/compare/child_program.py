"""A program in a process of its own, which says as numbers how far it has come."""

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import Any

from palimpsest.model.errors import PermanentError

SHOWN_ERROR_LINES = 5


async def run_child_program(command: Sequence[str], progress: Callable[[int], None]) -> None:
    """Run a child program to its end.

    Raises:
        PermanentError: it failed; with its last words.
    """
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**environment, "OPENBLAS_NUM_THREADS": "1", "DO_NOT_TRACK": "1"},
    )
    try:
        last, _ = await asyncio.gather(_words(process.stderr), _follow(process.stdout, progress))
        failed = await process.wait()
    except BaseException:
        process.kill()
        await process.wait()
        raise
    if failed:
        raise PermanentError("it failed; its last words:\n" + "\n".join(last[-SHOWN_ERROR_LINES:]))


async def _follow(output: asyncio.StreamReader | None, progress: Callable[[int], None]) -> None:
    async for line in _lines(output):
        if line.strip().isdigit():
            progress(int(line))


async def _words(output: asyncio.StreamReader | None) -> list[str]:
    return [line.decode(errors="replace").rstrip() async for line in _lines(output)]


async def _lines(output: asyncio.StreamReader | None) -> Any:
    assert output is not None  # noqa: S101 - both are pipes
    async for line in output:
        yield line
