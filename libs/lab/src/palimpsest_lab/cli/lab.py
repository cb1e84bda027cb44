"""`palimpsest lab ...`: questions about how Palimpsest itself is built."""

from pathlib import Path
from typing import Annotated

import typer

from palimpsest_lab.cli.runner import INTERRUPTED_EXIT_CODE, JsonFile, run_until_signal
from palimpsest_lab.extraction import ablation
from palimpsest_lab.extraction.benchmark import read_all_dialogues
from palimpsest_lab.reporting import report
from palimpsest_server.runtime.settings import Settings

app = typer.Typer(help="Examine what Palimpsest is made of.", no_args_is_help=True)


@app.callback()
def _lab() -> None:
    """Examine what Palimpsest is made of."""


@app.command("ablate")
def ablate(
    data: Annotated[
        list[Path], typer.Option(help="Dialogues that the rules were not written on; repeatable.")
    ],
    json_file: JsonFile = None,
) -> None:
    """Leave out each rule of local extraction in turn and tell what that moves.

    Ctrl-C ends it with what was measured so far.

    Example: palimpsest lab ablate --data tests/golden/extraction/en_open.jsonl
    """
    settings = Settings()
    measured: ablation.Ablation = run_until_signal(
        ablation.measure_rules(
            {file.stem: read_all_dialogues([file]) for file in data},
            rounds=settings.extraction_window_rounds,
            context_messages=settings.extraction_context_messages,
        )
    )
    report.publish_report(ablation.build_ablation_report(measured), json_file)
    if measured.interrupted:
        raise typer.Exit(INTERRUPTED_EXIT_CODE)
