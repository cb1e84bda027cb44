"""`palimpsest bench ...` on speed: latency, freshness, ingest, a stalled model, and others."""

from pathlib import Path
from typing import Annotated

import typer

from palimpsest_lab.cli.runner import EmbedderName, JsonFile, PngFile, run_until_signal
from palimpsest_lab.compare import benchmark as compare_bench
from palimpsest_lab.datasets.locomo import read_locomo_dialogues
from palimpsest_lab.reporting import report
from palimpsest_lab.speed import change_events as events_bench
from palimpsest_lab.speed import fairness as fairness_bench
from palimpsest_lab.speed import freshness as freshness_bench
from palimpsest_lab.speed import ingest as ingest_bench
from palimpsest_lab.speed import latency as latency_bench
from palimpsest_lab.speed import page_requests as page_bench
from palimpsest_lab.speed import reminders as reminders_bench
from palimpsest_lab.speed import stalled_model as stalled_bench

app = typer.Typer()


@app.command("freshness")
def bench_freshness(
    rate: Annotated[float, typer.Option(min=1, help="Messages a second.")] = 50,
    seconds: Annotated[float, typer.Option(min=1, help="For so long, each kind.")] = 60,
    runs: Annotated[int, typer.Option(min=1, help="The medians of so many.")] = 5,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """Measure the time from publishing something to the first recall that returns it."""
    work = freshness_bench.run_benchmark(rate=rate, seconds=seconds, runs=runs, embedder=embedder)
    report.publish_report(run_until_signal(work), json_file)


@app.command("stalled")
def bench_stalled(
    windows: Annotated[int, typer.Option(min=1, help="So many wait for the model.")] = 50,
    rate: Annotated[float, typer.Option(min=1, help="Messages a second, over HTTP.")] = 50,
    seconds: Annotated[float, typer.Option(min=1, help="For so long.")] = 60,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """Measure what messages and recalls notice of a language model that does not answer.

    Nothing.
    """
    work = stalled_bench.run_benchmark(
        windows=windows, rate=rate, seconds=seconds, embedder=embedder
    )
    report.publish_report(run_until_signal(work), json_file)


@app.command("reminders")
def bench_reminders(
    todos: Annotated[int, typer.Option(min=1, help="So many are due at one moment.")] = 10_000,
    embedder: EmbedderName = "hashing",
    json_file: JsonFile = None,
) -> None:
    """Measure how long it takes until everybody is reminded of what is due at one moment."""
    work = reminders_bench.run_benchmark(todos=todos, embedder=embedder)
    report.publish_report(run_until_signal(work), json_file)


@app.command("events")
def bench_events(
    rate: Annotated[float, typer.Option(min=1, help="Changes a second.")] = 50,
    seconds: Annotated[float, typer.Option(min=1, help="For so long.")] = 30,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """Measure the time from a change to whoever watches the stream, and to a webhook."""
    work = events_bench.run_benchmark(rate=rate, seconds=seconds, embedder=embedder)
    report.publish_report(run_until_signal(work), json_file)


@app.command("fairness")
def bench_fairness(
    sessions: Annotated[int, typer.Option(min=1, help="Of the heavy user.")] = 30,
    messages: Annotated[int, typer.Option(min=1, help="In each session.")] = 5,
    kilobytes: Annotated[int, typer.Option(min=1, help="Of each message.")] = 60,
    quiet: Annotated[int, typer.Option(min=1, help="So many quiet users, one by one.")] = 10,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """Measure how long a quiet user's window waits beside those of a heavy user."""
    load = fairness_bench.HeavyLoad(sessions=sessions, messages=messages, kilobytes=kilobytes)
    work = fairness_bench.run_benchmark(load, quiet_users=quiet, embedder=embedder)
    report.publish_report(run_until_signal(work), json_file)


@app.command("latency")
def bench_latency(  # noqa: PLR0913, PLR0917 - each is an option of the command
    memories: Annotated[int, typer.Option(min=1, help="How much is remembered.")] = 10_000,
    namespaces: Annotated[int, typer.Option(min=1, help="Of so many users.")] = 20,
    concurrency: Annotated[list[int] | None, typer.Option(help="Recalls at a time.")] = None,
    arriving: Annotated[list[float] | None, typer.Option(help="Messages a second.")] = None,
    runs: Annotated[int, typer.Option(min=1, help="The medians of so many.")] = 5,
    questions: Annotated[int, typer.Option(min=1, help="Asked in each run_until_signal.")] = 200,
    kept: Annotated[
        Path | None, typer.Option(help="A folder to remember in, once for several times.")
    ] = None,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """Measure how long a recall over HTTP takes, beside the least it could take."""
    loads = [
        latency_bench.LatencyLoad(
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
    work = latency_bench.run_benchmark(
        loads, runs=runs, asked_in_each=questions, embedder=embedder, kept=kept
    )
    report.publish_report(run_until_signal(work), json_file)


@app.command("page")
def bench_page(
    memories: Annotated[int, typer.Option(min=100, help="All of one user.")] = 10_000,
    times: Annotated[int, typer.Option(min=1, help="Each request so often.")] = 20,
    kept: Annotated[
        Path | None, typer.Option(help="A folder to remember in, once for several times.")
    ] = None,
    embedder: EmbedderName = "hashing",
    json_file: JsonFile = None,
) -> None:
    """Measure what the view of memories costs: opened, scrolled and searched."""
    work = page_bench.run_benchmark(memories=memories, times=times, kept=kept, embedder=embedder)
    report.publish_report(run_until_signal(work), json_file)


@app.command("ingest")
def bench_ingest(
    rate: Annotated[float, typer.Option(min=1, help="Messages a second.")] = 200,
    seconds: Annotated[float, typer.Option(min=1, help="For so long.")] = 300,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
    png_file: PngFile = None,
) -> None:
    """Messages at a rate for minutes: whether all keeps up, and where the time goes."""
    work = ingest_bench.run_benchmark(rate=rate, seconds=seconds, embedder=embedder)
    report.publish_report(run_until_signal(work), json_file, png_file)


@app.command("compare")
def bench_compare(
    other: Annotated[
        list[compare_bench.OtherMemoryName] | None, typer.Option("--with", help="All unless given.")
    ] = None,
    memories: Annotated[int, typer.Option(min=1, help="How much is remembered.")] = 10_000,
    namespaces: Annotated[int, typer.Option(min=1, help="Of so many users.")] = 20,
    runs: Annotated[int, typer.Option(min=1, help="The medians of so many.")] = 5,
    questions: Annotated[int, typer.Option(min=1, help="Asked in each run_until_signal.")] = 200,
    data: Annotated[
        Path | None, typer.Option(help="Conversations with questions: the evidence found, too.")
    ] = None,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """The same for Palimpsest over HTTP and for other memories in process, installed apart by uv."""
    extent = compare_bench.ComparisonExtent(
        memories=memories, namespaces=namespaces, runs=runs, asked_in_each=questions
    )
    dialogues = read_locomo_dialogues(data) if data else []
    others = other or list(compare_bench.OtherMemoryName)
    work = compare_bench.run_benchmark(others, extent, dialogues, embedder=embedder)
    report.publish_report(run_until_signal(work), json_file)
