"""Narration: lines for people while a program starts, works and stops."""

import time

from rich.console import Console


class Narrator:
    """Prints lines with the time since the start, unbuffered, to a terminal or a file."""

    def __init__(self) -> None:
        self.console = Console(highlight=False, soft_wrap=True)
        self._began = time.monotonic()

    @property
    def elapsed_seconds(self) -> float:
        return time.monotonic() - self._began

    def say(self, words: str) -> None:
        self.console.print(f"[dim]{self.elapsed_seconds:6.1f} s[/dim]  {words}")

    def plain(self, words: str = "") -> None:
        """Print a line unchanged and without markup, so that it can be copied."""
        self.console.print(words, markup=False)
