"""`palimpsest bench ...` on speed: latency, freshness, ingest, a stalled model, and others."""

from pathlib import Path
from typing import Annotated

import typer

from palimpsest.bench import compare as compare_bench
from palimpsest.bench import freshness as freshness_bench
from palimpsest.bench import ingest as ingest_bench
from palimpsest.bench import latency as latency_bench
from palimpsest.bench import report
from palimpsest.bench import stalled as stalled_bench
from palimpsest.bench.locomo import read_dialogues
from palimpsest.bench.running import EmbedderName, JsonFile, PngFile, run

app = typer.Typer()


@app.command("freshness")
def bench_freshness(
    rate: Annotated[float, typer.Option(min=1, help="Messages a second.")] = 50,
    seconds: Annotated[float, typer.Option(min=1, help="For so long, each kind.")] = 60,
    runs: Annotated[int, typer.Option(min=1, help="The medians of so many.")] = 5,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """From publishing something to the first recall that returns it."""
    work = freshness_bench.bench(rate=rate, seconds=seconds, runs=runs, embedder=embedder)
    report.publish(run(work), json_file)


@app.command("stalled")
def bench_stalled(
    windows: Annotated[int, typer.Option(min=1, help="So many wait for the model.")] = 50,
    rate: Annotated[float, typer.Option(min=1, help="Messages a second, over HTTP.")] = 50,
    seconds: Annotated[float, typer.Option(min=1, help="For so long.")] = 60,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """What messages and recalls notice of a language model that does not answer: nothing."""
    work = stalled_bench.bench(windows=windows, rate=rate, seconds=seconds, embedder=embedder)
    report.publish(run(work), json_file)


@app.command("latency")
def bench_latency(  # noqa: PLR0913, PLR0917 - each is an option of the command
    memories: Annotated[int, typer.Option(min=1, help="How much is remembered.")] = 10_000,
    namespaces: Annotated[int, typer.Option(min=1, help="Of so many users.")] = 20,
    concurrency: Annotated[list[int] | None, typer.Option(help="Recalls at a time.")] = None,
    arriving: Annotated[list[float] | None, typer.Option(help="Messages a second.")] = None,
    runs: Annotated[int, typer.Option(min=1, help="The medians of so many.")] = 5,
    questions: Annotated[int, typer.Option(min=1, help="Asked in each run.")] = 200,
    kept: Annotated[
        Path | None, typer.Option(help="A folder to remember in, once for several times.")
    ] = None,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """How long a recall over HTTP takes, beside the least it could."""
    loads = [
        latency_bench.Load(
            memories=memories,
            namespaces=namespaces,
            concurrency=at_a_time,
            embedding=embedding,
            arriving_per_second=per_second,
        )
        for per_second in arriving or [0.0, 100.0]
        for at_a_time in concurrency or [1, 8, 32]
        # Known questions are measured once, to tell what the embedding costs.
        for embedding in ([True, False] if not per_second else [True])
    ]
    work = latency_bench.bench(
        loads, runs=runs, asked_in_each=questions, embedder=embedder, kept=kept
    )
    report.publish(run(work), json_file)


@app.command("ingest")
def bench_ingest(
    rate: Annotated[float, typer.Option(min=1, help="Messages a second.")] = 200,
    seconds: Annotated[float, typer.Option(min=1, help="For so long.")] = 300,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
    png_file: PngFile = None,
) -> None:
    """Messages at a rate for minutes: whether all keeps up, and where the time goes."""
    work = ingest_bench.bench(rate=rate, seconds=seconds, embedder=embedder)
    report.publish(run(work), json_file, png_file)


@app.command("compare")
def bench_compare(
    other: Annotated[
        list[compare_bench.Other] | None, typer.Option("--with", help="All unless given.")
    ] = None,
    memories: Annotated[int, typer.Option(min=1, help="How much is remembered.")] = 10_000,
    namespaces: Annotated[int, typer.Option(min=1, help="Of so many users.")] = 20,
    runs: Annotated[int, typer.Option(min=1, help="The medians of so many.")] = 5,
    questions: Annotated[int, typer.Option(min=1, help="Asked in each run.")] = 200,
    data: Annotated[
        Path | None, typer.Option(help="Conversations with questions: the evidence found, too.")
    ] = None,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """The same for Palimpsest over HTTP and for other memories in process, installed apart by uv."""
    extent = compare_bench.Extent(
        memories=memories, namespaces=namespaces, runs=runs, asked_in_each=questions
    )
    dialogues = read_dialogues(data) if data else []
    others = other or list(compare_bench.Other)
    work = compare_bench.bench(others, extent, dialogues, embedder=embedder)
    report.publish(run(work), json_file)
