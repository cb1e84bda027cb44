"""`palimpsest doctor`."""

import asyncio
import json

import typer
from rich.console import Console
from rich.table import Column, Table

from palimpsest_server.runtime.log_configuration import configure_logging
from palimpsest_server.runtime.settings import Settings
from services.host.diagnosis import Finding, FindingState, diagnose
from services.host.options import JsonOption

_MARKS = {
    FindingState.WELL: "[green]well[/green]",
    FindingState.DOUBTFUL: "[yellow]look[/yellow]",
    FindingState.ILL: "[bold red]ill[/bold red]",
}


def doctor(*, as_json: JsonOption = False) -> None:
    """Say in words what is wrong and what to do. Exits with 1 where something does not work."""
    settings = Settings()
    # What libraries log about a server that is away, the findings say better.
    configure_logging(settings.model_copy(update={"log_level": "CRITICAL"}))
    findings = asyncio.run(diagnose(settings))
    if as_json:
        typer.echo(json.dumps([finding.model_dump(mode="json") for finding in findings], indent=2))
    else:
        _show(findings)
    raise typer.Exit(int(any(finding.state is FindingState.ILL for finding in findings)))


def _show(findings: list[Finding]) -> None:
    table = Table.grid("", "", Column(overflow="fold"), padding=(0, 2))
    for finding in findings:
        table.add_row(_MARKS[finding.state], finding.subject, finding.words)
        if finding.advice:
            table.add_row("", "", f"→ {finding.advice}")
    Console(highlight=False).print(table)
