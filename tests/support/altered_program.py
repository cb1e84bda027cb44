"""Run a piece of Python in a process of its own, in which some modules of ours are other texts.

So a test does what a stranger would do: it edits a few files, and looks what the program makes of it.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from tests.support.paths import ROOT

SECONDS = 120.0

_START = """
import importlib, importlib.util, json, sys
altered = dict(zip(sys.argv[1::2], sys.argv[2::2]))

class AlteredModules:
    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_file_location(name, altered[name]) if name in altered else None

sys.meta_path.insert(0, AlteredModules())
for name in altered:
    importlib.import_module(name)
found = {}
"""


class Alteration(NamedTuple):
    """A module, and the text that stands for it."""

    module: ModuleType
    text: str


class AlteredProgram:
    """Our program with some modules replaced."""

    def __init__(self, directory: Path, *alterations: Alteration) -> None:
        self._files: list[str] = []
        for module, text in alterations:
            file = directory / f"{module.__name__}.py"
            file.write_text(text, encoding="utf-8")
            self._files += [module.__name__, str(file)]

    def run(self, script: str) -> Mapping[str, Any]:
        """Return what the script has put into `found`.

        Raises:
            AssertionError: it did not start, or came to an error.
        """
        done = self._process(f"{_START}{script}\nprint(json.dumps(found))")
        assert done.returncode == 0, done.stderr
        answer: Mapping[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return answer

    def refusal(self, script: str) -> str:
        """Return the last line of the error with which the script ends.

        Raises:
            AssertionError: it came to no error.
        """
        done = self._process(_START + script)
        assert done.returncode != 0, "the program started"
        return done.stderr

    def _process(self, script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", script, *self._files],
            capture_output=True,
            check=False,
            cwd=ROOT,
            text=True,
            timeout=SECONDS,
        )


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
