"""The resident memory and processor time of a process and all that it has started, as the system counts them."""

import asyncio
import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

_KIBIBYTES_PER_MEBIBYTE = 1024

_PROC = Path("/proc")
_TICKS = slice(9, 11)
"""Places, among the fields behind the parent, of the time in the program and in the kernel."""

_EDGES = 4
"""Growth is what the last quarter of the samples is above the first."""


def parse_resident_memory(table: str, root: int) -> dict[str, float]:
    """MiB by name of process, of `root` and all below it, from lines of pid, parent, KiB and name."""
    return _sum_by_name(table, root, lambda written: int(written) / _KIBIBYTES_PER_MEBIBYTE)


def parse_processor_seconds(table: str, root: int) -> dict[str, float]:
    """Seconds by name of process, from lines of pid, parent, `[days-][hours:]minutes:seconds` and name."""
    return _sum_by_name(table, root, _parse_duration)


async def read_processor_seconds(root: int) -> float:
    """Return the processor time of a process and of all that it has started and that still runs."""
    table = read_linux_times(_PROC) if (_PROC / "self/stat").exists() else await _processes("time")
    return sum(parse_processor_seconds(table, root).values())


def read_linux_times(proc: Path) -> str:
    """Return lines of pid, parent, seconds and name from Linux's files, to a hundredth of a second.

    `ps` tells whole seconds there.
    """
    lines: list[str] = []
    for file in proc.glob("[0-9]*/stat"):
        # A process may have ended meanwhile.
        with suppress(OSError):
            head, _, rest = file.read_text(encoding="utf-8", errors="replace").rpartition(")")
            pid, _, name = head.partition(" (")
            _, parent, *fields = rest.split()
            ticks = sum(map(int, fields[_TICKS]))
            lines.append(f"{pid} {parent} {ticks / os.sysconf('SC_CLK_TCK')} {name}")
    return "\n".join(lines)


def _parse_duration(written: str) -> float:
    days, _, rest = written.rpartition("-")
    seconds = 0.0
    for part in rest.split(":"):
        seconds = 60 * seconds + float(part)
    return seconds + 86_400 * int(days or 0)


def _sum_by_name(table: str, root: int, parse: Callable[[str], float]) -> dict[str, float]:
    rows = [line.split(None, 3) for line in table.splitlines() if len(line.split(None, 3)) == 4]
    children: defaultdict[int, list[int]] = defaultdict(list)
    taken: dict[int, tuple[str, float]] = {}
    for process, parent, written, name in rows:
        children[int(parent)].append(int(process))
        taken[int(process)] = (name.rpartition("/")[2], parse(written))
    found: defaultdict[str, float] = defaultdict(float)
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        waiting += children[pid]
        if pid in taken:
            name, amount = taken[pid]
            found[name] += amount
    return dict(found)


@dataclass
class ProcessMemorySamples:
    """Samples of a tree of processes over a time."""

    root: int
    samples: list[Mapping[str, float]] = field(default_factory=list)

    async def watch(self, *, every_seconds: float) -> None:
        """Look again and again, until cancelled."""
        while True:
            self.samples.append(parse_resident_memory(await _processes("rss"), self.root))
            await asyncio.sleep(every_seconds)

    def figures(self) -> dict[str, dict[str, float]]:
        """MiB at first, at last and in between, by name of process, and of all of them."""
        names = sorted({name for sample in self.samples for name in sample})
        found = {name: summarize_samples(self._of([name])) for name in names}
        return {**found, "all": summarize_samples(self.together())}

    def together(self) -> list[float]:
        """MiB of all of them, sample by sample."""
        return self._of(sorted({name for sample in self.samples for name in sample}))

    def _of(self, names: Sequence[str]) -> list[float]:
        return [sum(sample.get(name, 0.0) for name in names) for sample in self.samples]


def summarize_samples(mebibytes: Sequence[float]) -> dict[str, float]:
    """The first quarter, the last and the most of these; empty where there are none."""
    if not mebibytes:
        return {}
    edge = max(1, len(mebibytes) // _EDGES)
    first, last = median(mebibytes[:edge]), median(mebibytes[-edge:])
    return {
        "first": round(first, 1),
        "last": round(last, 1),
        "most": round(max(mebibytes), 1),
        "growth": round(last - first, 1),
    }


async def _processes(column: str) -> str:
    asked = await asyncio.create_subprocess_exec(
        *("ps", "-axo", f"pid=,ppid=,{column}=,comm="), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await asked.communicate()
    return output.decode(errors="replace")
