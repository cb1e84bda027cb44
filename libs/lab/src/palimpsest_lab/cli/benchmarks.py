"""`palimpsest bench ...`: the command line of this folder."""

from pathlib import Path
from typing import Annotated

import typer

from palimpsest.model.errors import PermanentError
from palimpsest.model.ranking_policy import PolicyName
from palimpsest_lab.cli import archive_benchmarks, speed_benchmarks
from palimpsest_lab.cli.runner import EmbedderName, JsonFile, PngFile, run_until_signal
from palimpsest_lab.cost import benchmark as cost_bench
from palimpsest_lab.cost.conversation_users import read_conversation_users
from palimpsest_lab.datasets.locomo import read_locomo_dialogues
from palimpsest_lab.extraction import benchmark as extraction_bench
from palimpsest_lab.extraction.dialogue_readers import ReaderName, build_reader
from palimpsest_lab.recall import context_tokens as tokens_bench
from palimpsest_lab.recall import evidence_recall as recall_bench
from palimpsest_lab.recall import gate as gate_bench
from palimpsest_lab.recall import precision as precision_bench
from palimpsest_lab.reporting import report
from palimpsest_lab.simulation import benchmark
from palimpsest_lab.situations import benchmark as situation_bench
from palimpsest_lab.situations.situation import read_situations
from palimpsest_server.runtime.settings import Settings

app = typer.Typer(
    help="Benchmarks over the public API, each on an embedded Palimpsest of its own.",
    no_args_is_help=True,
)

app.add_typer(speed_benchmarks.app)
app.add_typer(archive_benchmarks.app)

GOLDEN = Path("tests/golden/extraction")
"""Beside the sources; not part of what is installed."""

RELEVANCE = Path("tests/golden/relevance/open.json")

WEIGHTS = Path("libs/language/src/palimpsest_language/scoring/weights.npz")


@app.command("recall")
def bench_recall(
    data: Annotated[Path, typer.Option(help="Conversations with questions, as LoCoMo has them.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many conversations.")] = None,
    embedder: EmbedderName = None,
    beside_bm25: Annotated[  # noqa: FBT002 - a flag of the command line
        bool, typer.Option("--beside-bm25", help="What words alone find, too (needs bm25s).")
    ] = False,
    json_file: JsonFile = None,
) -> None:
    """Measure how much of each question's evidence the first 5, 10 and 20 messages hold."""
    work = recall_bench.run_benchmark(
        read_locomo_dialogues(data, limit), embedder=embedder, beside_bm25=beside_bm25
    )
    report.publish_report(run_until_signal(work), json_file)


@app.command("extraction")
def bench_extraction(
    provider: Annotated[ReaderName, typer.Option(help="Who reads.")] = ReaderName.LOCAL,
    model: Annotated[str | None, typer.Option(help="As its vendor calls it.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Another server than the vendor's.")] = None,
    data: Annotated[
        list[Path] | None, typer.Option(help="Dialogues with what is to be remembered of them.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Measure how much of golden dialogues is understood: memories, todos, details, dates."""
    settings = Settings()
    files = data or [GOLDEN / "zh_open.jsonl", GOLDEN / "en_open.jsonl"]
    work = extraction_bench.run_benchmark(
        extraction_bench.read_all_dialogues(files),
        build_reader(provider, model=model, base_url=base_url, settings=settings),
        rounds=settings.extraction_window_rounds,
        context_messages=settings.extraction_context_messages,
    )
    report.publish_report(run_until_signal(work), json_file)


@app.command("fit-statements")
def bench_fit_statements(
    out: Annotated[Path, typer.Option(help="Where the weights are written.")] = WEIGHTS,
    data: Annotated[
        list[Path] | None,
        typer.Option(help="Dialogues to learn from; all golden ones but the sealed."),
    ] = None,
    measured: Annotated[  # noqa: FBT002 - a flag of the command line
        bool, typer.Option(help="Tell first what is understood of each author left out.")
    ] = True,
    json_file: JsonFile = None,
) -> None:
    """Learn by which weights the local rules are weighed (needs scikit-learn)."""
    from palimpsest_lab.fitting import statement_weights  # noqa: PLC0415 - loads numpy

    settings = Settings()
    fitted = statement_weights.run_benchmark(
        extraction_bench.read_all_dialogues(data or statement_weights.list_training_files(GOLDEN)),
        out,
        rounds=settings.extraction_window_rounds,
        context_messages=settings.extraction_context_messages,
        measured=measured,
    )
    report.publish_report(fitted, json_file)


@app.command("tokens")
def bench_tokens(
    data: Annotated[Path, typer.Option(help="Conversations with questions, as LoCoMo has them.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many conversations.")] = None,
    embedder: EmbedderName = None,
    price: Annotated[
        float, typer.Option(min=0, help="Of a million input tokens of your chat model, in $.")
    ] = tokens_bench.DOLLARS_PER_MILLION,
    json_file: JsonFile = None,
) -> None:
    """Measure how much of the evidence stands in blocks of 250, 500 and 1,000 tokens, and their cost."""
    dialogues = read_locomo_dialogues(data, limit)
    work = tokens_bench.run_benchmark(dialogues, embedder=embedder, dollars_per_million=price)
    report.publish_report(run_until_signal(work), json_file)


@app.command("precision")
def bench_precision(
    data: Annotated[
        list[Path] | None, typer.Option(help="People, what is remembered of them, questions.")
    ] = None,
    policy: Annotated[
        list[PolicyName] | None, typer.Option(help="By which it is ranked; default and gated.")
    ] = None,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """Measure how many of the first three memories matter to the question."""
    people = precision_bench.read_labelled_people(data or [RELEVANCE])
    policies = policy or [PolicyName.DEFAULT, PolicyName.GATED]
    report.publish_report(
        run_until_signal(precision_bench.run_benchmark(people, policies, embedder=embedder)),
        json_file,
    )


@app.command("gate")
def bench_gate(
    data: Annotated[
        list[Path], typer.Option(help="Conversations with questions, as LoCoMo has them.")
    ],
    nonsense: Annotated[
        Path | None, typer.Option(help="JSON lines with `text` and `language`.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many of each file.")] = None,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
    png_file: PngFile = None,
) -> None:
    """Measure which unanswerable questions are refused, and what that costs, as a curve."""
    dialogues = [
        locomo_dialogue for file in data for locomo_dialogue in read_locomo_dialogues(file, limit)
    ]
    strange = gate_bench.read_nonsense(nonsense) if nonsense else []
    work = gate_bench.run_benchmark(dialogues, strange, embedder=embedder)
    report.publish_report(run_until_signal(work), json_file, png_file)


@app.command("fit-gate")
def bench_fit_gate(
    data: Annotated[
        list[Path], typer.Option(help="Conversations with questions, as LoCoMo has them.")
    ],
    nonsense: Annotated[Path, typer.Option(help="JSON lines with `text` and `language`.")],
    into: Annotated[Path, typer.Option(help="Where what opens the gate is written.")],
    people: Annotated[
        list[Path] | None, typer.Option(help="People, what is remembered of them, questions.")
    ] = None,
    nonsense_apart: Annotated[
        Path | None, typer.Option(help="Nothing is fitted to it: to be measured by.")
    ] = None,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """Fit what opens the gate of an embedder, measured on people that it was not fitted on."""
    from palimpsest_lab.fitting import gate_weights  # noqa: PLC0415 - loads numpy

    fitted = gate_weights.fit_gate_weights(
        embedder or Settings().embedder,
        [locomo_dialogue for file in data for locomo_dialogue in read_locomo_dialogues(file)],
        precision_bench.read_labelled_people(people or []),
        gate_bench.read_nonsense(nonsense),
        into,
        gate_bench.read_nonsense(nonsense_apart) if nonsense_apart else [],
    )
    report.publish_report(fitted, json_file)


@app.command("gate-across")
def bench_gate_across(
    facts: Annotated[
        Path, typer.Option(help="JSON lines with `zh` and `en`, each with `text` and `question`.")
    ],
    nonsense: Annotated[Path, typer.Option(help="JSON lines with `text` and `language`.")],
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """Measure whether the gate opens by meaning alone to questions in another script."""
    from palimpsest_lab.recall import cross_script_gate  # noqa: PLC0415 - loads numpy

    measured = cross_script_gate.run_benchmark(
        embedder or Settings().embedder,
        cross_script_gate.read_bilingual_facts(facts),
        gate_bench.read_nonsense(nonsense),
    )
    report.publish_report(measured, json_file)


@app.command("cost")
def bench_cost(
    provider: Annotated[
        list[ReaderName] | None, typer.Option(help="As if asked; all of them but local.")
    ] = None,
    model: Annotated[
        str, typer.Option(help="By whose price, of PALIMPSEST_MODEL_PRICES.")
    ] = "model",
    data: Annotated[
        list[Path] | None, typer.Option(help="Dialogues, each file of one user.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many of each file.")] = None,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """Measure what 1,000 conversations cost by provider and task, against sending the full context."""
    asked = provider or [
        reader_name for reader_name in ReaderName if reader_name is not ReaderName.LOCAL
    ]
    if ReaderName.LOCAL in asked:
        raise PermanentError("the local rules take no tokens")
    files = data or [GOLDEN / "zh_open.jsonl", GOLDEN / "en_open.jsonl"]
    work = cost_bench.run_benchmark(
        read_conversation_users(files, limit),
        asked,
        model=model,
        prices=Settings().model_prices,
        embedder=embedder,
    )
    report.publish_report(run_until_signal(work), json_file)


@app.command("situations")
def bench_situations(
    data: Annotated[list[Path], typer.Option(help="JSON lines of situations and their outcomes.")],
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """Play everyday situations to a whole Palimpsest, and tell which come out right."""
    situations = [situation for file in data for situation in read_situations(file)]
    work = situation_bench.run_benchmark(situations, embedder=embedder)
    report.publish_report(run_until_signal(work), json_file)


def simulate(
    seed: Annotated[int, typer.Option(help="Another one, another year.")] = 1,
    days: Annotated[int, typer.Option(min=1, help="So many, one after another.")] = 365,
    users: Annotated[int, typer.Option(min=1, help="Invented ones, of both languages.")] = 20,
    messages: Annotated[int, typer.Option(min=1, help="Of all of them together.")] = 10_000,
    embedder: EmbedderName = None,
    json_file: JsonFile = None,
) -> None:
    """A year of invented users in minutes: what is remembered rightly, and what is lost."""
    extent = benchmark.SimulationExtent(seed=seed, days=days, users=users, messages=messages)
    report.publish_report(
        run_until_signal(benchmark.run_benchmark(extent, embedder=embedder)), json_file
    )
