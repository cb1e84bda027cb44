"""The process that `AlteredProgram` runs scripts in: `python -m tests.support.altered_process`.

What others wrote is loaded once, and each run is a fork of that. Nothing of ours is loaded before.
"""

import gc
import importlib
import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

_OF_OTHERS = (
    "aiokafka",
    "cryptography.fernet",
    "fastapi.openapi.models",
    "faststream.kafka",
    "httpx",
    "motor.motor_asyncio",
    "numpy",
    "opentelemetry.sdk.trace",
    "phonenumbers",
    "prometheus_client",
    "pydantic_settings",
    "qdrant_client",
    "rich.console",
    "structlog",
    "typer",
    "uvicorn",
)


class AlteredRun(NamedTuple):
    """A script, the files that stand for modules of ours, and where the outcome is written."""

    files: Mapping[str, str]
    script: str
    outcome: str


class AlteredModules(MetaPathFinder):
    """Find the altered modules at their other texts."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        file = self._files.get(name)
        return importlib.util.spec_from_file_location(name, file) if file else None


def _find(run: AlteredRun) -> dict[str, Any]:
    """Return what the script has put into `found`."""
    assert not any(name.startswith("palimpsest") for name in sys.modules)
    sys.meta_path.insert(0, AlteredModules(run.files))
    for name in run.files:
        importlib.import_module(name)
    found: dict[str, Any] = {}
    names = {"found": found, "importlib": importlib, "json": json, "sys": sys}
    exec(run.script, names)  # noqa: S102 - the script of a test
    return found


def _run(run: AlteredRun) -> None:
    """Write what the script found, or the error with which it ended."""
    outcome: dict[str, Any]
    try:
        outcome = {"found": _find(run)}
    except BaseException:  # noqa: BLE001 - the test tells which it should be
        outcome = {"error": traceback.format_exc()}
    Path(run.outcome).write_text(json.dumps(outcome), encoding="utf-8")


def _run_in_a_fork(run: AlteredRun) -> int:
    """Return the exit code, once the run has ended."""
    child = os.fork()
    if not child:
        sys.stdout = sys.stderr
        _run(run)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    # A run ends before it is worth looking for waste.
    gc.disable()
    for other in _OF_OTHERS:
        importlib.import_module(other)
    for line in sys.stdin:
        sys.stdout.write(f"{_run_in_a_fork(AlteredRun(**json.loads(line)))}\n")
        sys.stdout.flush()
