"""Modules that take a second to load, and are needed by the tests of one file.

Each worker loads all files of tests, so a framework that a file imports is loaded four times.
"""

from importlib import import_module
from typing import Any


class LazyModule:
    """A module that is loaded when something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        # As pytest asks everything that a file of tests holds whether it is a fixture.
        if attribute.startswith(("_", "pytest")):
            raise AttributeError(attribute)
        return getattr(import_module(self._name), attribute)
