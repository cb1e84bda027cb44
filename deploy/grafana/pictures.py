"""A picture of each dashboard from what Prometheus answered: plain, in place of Grafana's own."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from deploy.grafana.panels import Dashboard, Panel

PanelSeries = Mapping[str, Sequence[Mapping[str, Any]]]
"""The series of each expression."""

_COLUMNS = 3
_MOST_IN_A_LEGEND = 6


def draw_dashboard(dashboard: Dashboard, answers: PanelSeries, file: Path) -> None:
    rows = math.ceil(len(dashboard.panels) / _COLUMNS)
    figure, grid = plt.subplots(
        rows, _COLUMNS, figsize=(15, 3.1 * rows), squeeze=False, layout="constrained"
    )
    figure.suptitle(dashboard.title, fontsize=13, fontweight="bold")
    places = [axes for row in grid for axes in row]
    for axes, panel in zip(places, dashboard.panels, strict=False):
        _panel(axes, panel, answers)
    for axes in places[len(dashboard.panels) :]:
        axes.set_visible(False)
    figure.savefig(file, dpi=70, metadata={"Software": None})
    plt.close(figure)


def _panel(axes: Axes, panel: Panel, answers: PanelSeries) -> None:
    for query in panel.queries:
        for series in answers[query.expression]:
            values = [(float(at), float(value)) for at, value in series["values"]]
            began = values[0][0]
            times = [at - began for at, _ in values]
            axes.plot(times, [v for _, v in values], label=_name(query.legend, series["metric"]))
    axes.set_title(panel.title, fontsize=9)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("seconds", fontsize=6)
    axes.set_ylabel(panel.unit, fontsize=7)
    axes.tick_params(labelsize=6)
    axes.grid(visible=True, alpha=0.3)
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[:_MOST_IN_A_LEGEND], labels[:_MOST_IN_A_LEGEND], fontsize=6, loc="best")


def _name(legend: str, labels: Mapping[str, str]) -> str:
    for label, value in labels.items():
        legend = legend.replace(f"{{{{{label}}}}}", value)
    # What a series lacks, such as the zero for what never happened, is left out.
    return legend if "{{" not in legend else "none"
