"""`palimpsest doctor`."""

import asyncio
import json

import typer
from rich.console import Console
from rich.table import Column, Table

from palimpsest.runtime.logging import configure_logging
from palimpsest.runtime.settings import Settings
from services.host.diagnosis import Finding, State, diagnose
from services.host.options import AsJson

_MARKS = {
    State.WELL: "[green]well[/green]",
    State.DOUBTFUL: "[yellow]look[/yellow]",
    State.ILL: "[bold red]ill[/bold red]",
}


def doctor(*, as_json: AsJson = False) -> None:
    """Say in words what is wrong and what to do. Exits with 1 where something does not work."""
    settings = Settings()
    # What libraries log about a server that is away, the findings say better.
    configure_logging(settings.model_copy(update={"log_level": "CRITICAL"}))
    findings = asyncio.run(diagnose(settings))
    if as_json:
        typer.echo(json.dumps([one.model_dump(mode="json") for one in findings], indent=2))
    else:
        _show(findings)
    raise typer.Exit(int(any(one.state is State.ILL for one in findings)))


def _show(findings: list[Finding]) -> None:
    table = Table.grid("", "", Column(overflow="fold"), padding=(0, 2))
    for one in findings:
        table.add_row(_MARKS[one.state], one.subject, one.words)
        if one.advice:
            table.add_row("", "", f"→ {one.advice}")
    Console(highlight=False).print(table)
