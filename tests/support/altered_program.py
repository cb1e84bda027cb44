"""Run a piece of Python in a process of its own, in which some modules of ours are other texts.

So a test does what a stranger would do: it edits a few files, and looks what the program makes of it.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from tests.support.altered_process import AlteredRun
from tests.support.paths import ROOT


class Alteration(NamedTuple):
    """A module, and the text that stands for it."""

    module: ModuleType
    text: str


class AlteredProgram:
    """Our program with some modules replaced."""

    def __init__(self, directory: Path, *alterations: Alteration) -> None:
        self._directory = directory
        self._files: dict[str, str] = {}
        for module, text in alterations:
            file = directory / f"{module.__name__}.py"
            file.write_text(text, encoding="utf-8")
            self._files[module.__name__] = str(file)

    def run(self, script: str) -> Mapping[str, Any]:
        """Return what the script has put into `found`.

        Raises:
            AssertionError: it did not start, or came to an error.
        """
        outcome = self._outcome(script)
        assert "error" not in outcome, outcome["error"]
        found: Mapping[str, Any] = outcome["found"]
        return found

    def refusal(self, script: str) -> str:
        """Return the error with which the script ends.

        Raises:
            AssertionError: it came to no error.
        """
        outcome = self._outcome(script)
        assert "error" in outcome, "the program started"
        return str(outcome["error"])

    def _outcome(self, script: str) -> Mapping[str, Any]:
        file = self._directory / "outcome.json"
        exit_code = _run_apart(AlteredRun(self._files, script, str(file)))
        assert exit_code == 0, f"the process ended with {exit_code}"
        outcome: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return outcome


@cache
def _process() -> "subprocess.Popen[str]":
    """The process of all runs; it ends with this one, when nobody writes to it any more."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.altered_process"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _run_apart(run: AlteredRun) -> int:
    process = _process()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(run._asdict()) + "\n")
    process.stdin.flush()
    return int(process.stdout.readline())


def replace_once(text: str, old: str, new: str) -> str:
    """Return the text with the one place replaced.

    Raises:
        AssertionError: there is no such place, or more than one.
    """
    assert text.count(old) == 1, f"{text.count(old)} times: {old}"
    return text.replace(old, new)


def read_source(module: ModuleType) -> str:
    """Return the text of a module."""
    return Path(str(module.__file__)).read_text(encoding="utf-8")
