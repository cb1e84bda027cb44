"""What a benchmark found: as a table for people, as JSON for programs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from palimpsest.bench.machine import Machine

console = Console(highlight=False)
"""Reports go to standard output, progress to standard error."""

_progress_console = Console(stderr=True)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=_progress_console, transient=True) as progress:
        yield progress


def show(title: str, rows: Sequence[Mapping[str, Any]], machine: Machine) -> None:
    """A table with the keys of its rows as columns, and the machine under it."""
    table = Table(title=title, title_justify="left")
    for name in rows[0] if rows else ():
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    console.print(table)
    console.print(f"Measured on {machine}.", style="dim")


def write_json(path: Path | None, figures: Mapping[str, Any], machine: Machine) -> None:
    """The figures and the machine into a file, where one is wanted."""
    if path is None:
        return
    whole = {**figures, "machine": machine.as_json()}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    console.print(f"Written to {path}.", style="dim")


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
