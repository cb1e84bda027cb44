"""The report of a benchmark: a table for people, JSON for programs."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from palimpsest_lab.reporting.charts import Diagram, draw_diagrams
from palimpsest_lab.reporting.machine import describe_machine

console = Console(highlight=False)
"""Reports go to standard output, progress to standard error."""

_progress_console = Console(stderr=True)


@contextmanager
def show_progress(description: str, total: float) -> Iterator[Callable[[int], None]]:
    """A bar while this is open; call what it gives with how much more is done."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=_progress_console, transient=True) as progress:
        task = progress.add_task(description, total=total)
        yield lambda more: progress.advance(task, more)


@dataclass(frozen=True, kw_only=True)
class BenchmarkReport:
    """The findings of one benchmark."""

    title: str
    rows: Sequence[Mapping[str, Any]]
    """The keys of the first are the headings of the table."""
    figures: Mapping[str, Any]
    """All of it, for programs."""
    remark: str = ""
    diagrams: Sequence[Diagram] = ()


def publish_report(
    report: BenchmarkReport, json_file: Path | None, png_file: Path | None = None
) -> None:
    """Show the table and what it was measured on; write figures and curves where a file is wanted."""
    machine = describe_machine()
    # Ruled by one line alone: eighty columns hold what most benchmarks find.
    table = Table(
        title=report.title,
        title_justify="left",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=0,
    )
    for name in report.rows[0] if report.rows else ():
        heading = name.replace("_", " ")
        longest_word = max(map(len, heading.split()), default=0)
        table.add_column(heading, justify="right", min_width=longest_word)
    for row in report.rows:
        table.add_row(*(_cell(value) for value in row.values()))
    console.print(table)
    if report.remark:
        console.print(report.remark)
    console.print(f"Measured on {machine}.", style="dim")
    if json_file is not None:
        _write({**report.figures, "machine": machine.as_json()}, json_file)
        console.print(f"Written to {json_file}.", style="dim")
    if png_file is not None:
        draw_diagrams(report.diagrams, png_file)
        console.print(f"Drawn in {png_file}.", style="dim")


def _write(figures: Mapping[str, Any], file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(figures, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _cell(value: Any) -> str:
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:,.3f}" if abs(value) < 1 else f"{value:,.1f}"
        case int():
            return f"{value:,}"
        case _:
            return str(value)
