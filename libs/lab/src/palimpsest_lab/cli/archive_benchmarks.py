"""`palimpsest bench archive` and `palimpsest bench import-file`."""

from typing import Annotated

import typer

from palimpsest_lab.archives import large_file, round_trip
from palimpsest_lab.cli.runner import EmbedderName, JsonFile, run_until_signal
from palimpsest_lab.reporting import report

app = typer.Typer()


@app.command("archive")
def bench_archive(
    memories: Annotated[int, typer.Option(min=1, help="Of one user.")] = 10_000,
    messages: Annotated[int, typer.Option(min=0, help="Of conversations beside them.")] = 400,
    questions: Annotated[int, typer.Option(min=1, help="Asked of both users.")] = 200,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """Measure whether an export that is imported as another user is recalled the same."""
    work = round_trip.run_benchmark(
        memories=memories, messages=messages, questions=questions, embedder=embedder
    )
    report.publish_report(run_until_signal(work), json_file)


@app.command("import-file")
def bench_import_file(
    mebibytes: Annotated[int, typer.Option(min=1, help="Of the larger file.")] = 50,
    json_file: JsonFile = None,
) -> None:
    """Measure how much memory it takes to read a large export of ChatGPT."""
    report.publish_report(
        run_until_signal(large_file.run_benchmark(mebibytes=mebibytes)), json_file
    )
