"""The machine on which figures were measured."""

import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Machine:
    processor: str
    cores: int
    memory_gib: float | None
    system: str
    python: str

    def __str__(self) -> str:
        memory = "" if self.memory_gib is None else f", {self.memory_gib:.0f} GiB"
        return (
            f"{self.cores} cores of {self.processor}{memory}, {self.system}, Python {self.python}"
        )

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def describe_machine() -> Machine:
    return Machine(
        processor=_processor(),
        cores=_usable_cores(),
        memory_gib=_memory_gib(),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
    )


def _usable_cores() -> int:
    """Return the cores this process may run on, which in a container are not all there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _memory_gib() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (AttributeError, OSError, ValueError):
        return None
