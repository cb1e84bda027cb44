"""Run a benchmark from the command line: to its end, or until a signal."""

import asyncio
import gc
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any

import typer

from palimpsest_lab.reporting.charts import check_plotting_library


def _drawable(file: Path | None) -> Path | None:
    if file is not None:
        check_plotting_library()
    return file


JsonFile = Annotated[Path | None, typer.Option("--json", help="Write the figures there.")]
PngFile = Annotated[
    Path | None,
    typer.Option("--png", callback=_drawable, help="Draw the curves there (needs matplotlib)."),
]
EmbedderName = Annotated[str | None, typer.Option(help="Another embedder than the default.")]

INTERRUPTED_EXIT_CODE = 130

_GARBAGE_THRESHOLDS = (700, 10, 1_000)
"""The interpreter's own but for the last: looking through all that whoever measures has loaded
stops it for 150 ms, and what it waits for looks that much slower."""


def run_until_signal(work: Coroutine[Any, Any, Any]) -> Any:
    """Run to the end, or until a signal. Of errors in several tasks the first is raised."""
    gc.set_threshold(*_GARBAGE_THRESHOLDS)
    try:
        return asyncio.run(_ended_by_signals(work))
    except asyncio.CancelledError:
        raise typer.Exit(INTERRUPTED_EXIT_CODE) from None
    except BaseExceptionGroup as errors:
        raise _first(errors) from None


async def _ended_by_signals(work: Coroutine[Any, Any, Any]) -> Any:
    """Cancelled by Ctrl-C or by being told to end, so that what was started is stopped."""
    task = asyncio.ensure_future(work)
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, task.cancel)
    return await task


def _first(errors: BaseException) -> BaseException:
    while isinstance(errors, BaseExceptionGroup):
        errors = errors.exceptions[0]
    return errors
