"""Run a piece of Python in a process of its own, in which one module of ours is another text.

So a test does what a stranger would do: it edits one file, and looks what the program makes of it.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT

SECONDS = 120.0

_START = """
import importlib.util, json, sys
name, path = sys.argv[1:3]
parent, _, child = name.rpartition(".")
package = __import__(parent, fromlist=["_"])
spec = importlib.util.spec_from_file_location(name, path)
module = importlib.util.module_from_spec(spec)
sys.modules[name] = module
spec.loader.exec_module(module)
setattr(package, child, module)
found = {}
"""


class AlteredProgram:
    """Our program with one module replaced."""

    def __init__(self, module: str, source: Path, text: str, directory: Path) -> None:
        self._module = module
        self._file = directory / source.name
        self._file.write_text(text, encoding="utf-8")

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
            [sys.executable, "-c", script, self._module, str(self._file)],
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
