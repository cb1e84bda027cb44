"""Draw curves of a benchmark into a PNG, where numbers in a row say less than their course.

A development dependency draws (`matplotlib`); no service needs it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from palimpsest_lab.recall.bm25 import BenchmarkLibraryMissing

_INCHES = (6.0, 3.6)
"""Of one diagram, width and height."""


@dataclass(frozen=True, kw_only=True)
class Diagram:
    """Curves over one axis."""

    title: str
    across: str
    """What the horizontal axis is."""
    up: str
    curves: Mapping[str, Sequence[tuple[float, float]]]
    """Points of each, across and up, in order."""


def check_plotting_library() -> None:
    """Before the minutes that a benchmark takes, not after them.

    Raises:
        LibraryMissing: matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        raise BenchmarkLibraryMissing("`--png` needs matplotlib: uv sync --group dev")


def draw_diagrams(diagrams: Sequence[Diagram], file: Path) -> None:
    """Draw the diagrams side by side in one picture.

    Raises:
        LibraryMissing: matplotlib is not installed.
    """
    check_plotting_library()
    from matplotlib.figure import Figure  # noqa: PLC0415 - only where a picture is wanted

    width, height = _INCHES
    figure = Figure(figsize=(width * len(diagrams), height), layout="constrained")
    places = figure.subplots(1, len(diagrams), squeeze=False)[0]
    for axes, diagram in zip(places, diagrams, strict=True):
        for name, points in diagram.curves.items():
            axes.plot([at for at, _ in points], [value for _, value in points], label=name)
        axes.set(title=diagram.title, xlabel=diagram.across, ylabel=diagram.up)
        axes.set_ylim(bottom=0)
        axes.grid(visible=True, alpha=0.3)
        axes.legend(fontsize="small")
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=100, format="png", metadata={"Software": None})
