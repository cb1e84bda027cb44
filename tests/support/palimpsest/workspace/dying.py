"""A process that dies before a given step: kill -9 as an exception."""

from pathlib import Path

from palimpsest.workspace.place_files import Disk


class Died(BaseException):
    """The process is gone; nothing of it catches this."""


class StepCounter:
    """Counts steps, and dies before the one that it is told."""

    def __init__(self, dies_at: int | None = None) -> None:
        self.count = 0
        self.dies_at = dies_at

    def step(self) -> None:
        self.count += 1
        if self.count == self.dies_at:
            raise Died


class DyingDisk(Disk):
    """A disk on which each change is a step."""

    def __init__(self, counter: StepCounter) -> None:
        self.counter = counter

    def write(self, path: Path, content: bytes) -> None:
        self.counter.step()
        super().write(path, content)

    def write_if_unchanged(self, path: Path, expected: bytes | None, content: bytes) -> bool:
        self.counter.step()
        return super().write_if_unchanged(path, expected, content)

    def remove(self, path: Path) -> None:
        self.counter.step()
        super().remove(path)
